import { isSignatureFor } from '../signature.js';
import type { Standing } from './outline.js';
import { googleRefusal } from './refusal.js';
import type { Refusal } from './refusal.js';

const GUIDE = 'https://ai.google.dev/gemini-api/docs/thought-signatures';

/** The rule of Gemini 3: the first call of every step of the current turn carries the signature that it came with. */
export function checkSignatures(
  standing: Standing,
  by: { readonly seed: number; readonly scenario: string },
): Refusal | undefined {
  for (const { turn, round, calls } of standing.steps) {
    const { conversation } = standing;
    for (const [call, { name, signature, position }] of calls.entries()) {
      if (signature === undefined && call === 0) return missingSignature(name, position);
      if (signature === undefined) continue;
      if (!isSignatureFor({ ...by, conversation, turn, round, call, name }, signature)) return invalidSignature();
    }
  }
  return undefined;
}

/** `position` counts contents from 1. */
export function missingSignature(name: string, position: number): Refusal {
  return googleRefusal(
    400,
    'INVALID_ARGUMENT',
    'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, ' +
      'and missing thought_signature may lead to degraded model performance. Additional data, function call ' +
      `\`default_api:${name}\` , position ${position}. Please refer to ${GUIDE} for more details.`,
  );
}

export function invalidSignature(): Refusal {
  return googleRefusal(400, 'INVALID_ARGUMENT', 'Invalid thought signature.');
}

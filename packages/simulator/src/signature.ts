import { bytesOf } from './seed.js';

/** What a signature is bound to: the place of its call in its conversation. */
export interface SignedPlace {
  readonly seed: number;
  readonly scenario: string;
  /** Stands for the conversation: its first words. */
  readonly conversation: string;
  readonly turn: number;
  readonly round: number;
  /** The position of the call in its reply; -1 for the text of a reply. */
  readonly call: number;
  /** The tool's name, empty for text. */
  readonly name: string;
}

export const SIGNATURE_BYTES = 96;

/** Accepted by Gemini for calls that the model did not make itself. */
const SKIP_VALUES: readonly string[] = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];

/** Base64 in the standard alphabet, the same for the same place. */
export function signatureFor(place: SignedPlace, byteCount: number = SIGNATURE_BYTES): string {
  return signatureBytes(place, byteCount).toString('base64');
}

/** Clients that decode and re-encode may send the URL-safe alphabet or drop the padding: the bytes are what counts. */
export function isSignatureFor(place: SignedPlace, presented: string): boolean {
  if (SKIP_VALUES.includes(presented)) return true;
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(presented)) return false;
  const bytes = Buffer.from(presented, 'base64');
  return bytes.length > 0 && bytes.equals(signatureBytes(place, bytes.length));
}

function signatureBytes(place: SignedPlace, byteCount: number): Buffer {
  const { seed, scenario, conversation, turn, round, call, name } = place;
  return bytesOf([seed, scenario, conversation, turn, round, call, name, byteCount], byteCount);
}

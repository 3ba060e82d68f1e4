import { DIALECTS } from 'holdfast/dialects';
import type { ClientRequest, Dialect, DialectName, ReadRequest } from 'holdfast/dialects';
import { MisuseError } from 'holdfast/turn';
import type { JsonObject } from 'holdfast/turn';
import { stringOf } from 'holdfast/wire';
import { CHARS_PER_TOKEN } from '../reply/compose-reply.js';
import type { Answer, Scenario } from '../scenario/scenario.js';
import { checkChat } from '../strict/check-chat.js';
import { checkGemini } from '../strict/check-gemini.js';
import { checkSignatures } from '../strict/check-signatures.js';
import { standingOf } from '../strict/outline.js';
import type { OutlineEntry, Standing } from '../strict/outline.js';
import { inArray, providerError } from '../strict/provider-errors.js';
import type { ErrorContext } from '../strict/provider-errors.js';
import type { Checked, Refusal } from '../strict/refusal.js';
import { MODEL_PREFIX } from './list-models.js';
import type { Settings } from './options.js';
import { keyMissing, requestInvalid } from './protocol-errors.js';
import type { Route } from './read-route.js';

/** A request that passed every check of its provider, and the scenario that answers it. */
export interface Admitted {
  readonly scenario: Scenario;
  readonly dialect: Dialect;
  readonly read: ReadRequest;
  readonly standing: Standing;
  readonly errors: ErrorContext;
  readonly inputTokens: number;
}

export type ReplyRoute = Extract<Route, { type: 'reply' }>;

/** Key, model, shape and signatures, in the order in which providers look at them. */
export function admit(client: ClientRequest, route: ReplyRoute, settings: Settings): Checked<Admitted> {
  if (!hasKey(client, route.dialect)) return refuse(keyMissing(route.dialect));
  const model = route.modelInPath ?? stringOf(client.body['model']);
  const scenario = model === undefined ? undefined : scenarioOf(model, settings);
  const { dialect: name, apiVersion } = route;
  const errors: ErrorContext = { dialect: name, model: model ?? '', apiVersion, retryAfterSeconds: undefined };
  const unknown = refuse(providerError('model_unknown', errors));
  if (model !== undefined && scenario === undefined) return unknown;
  const outline = checkShape(client.body, route.dialect);
  if (!outline.ok) return outline;
  const dialect = DIALECTS[route.dialect];
  if (scenario === undefined || dialect === undefined) return unknown;
  const standing = standingOf(outline.value);
  const wrong = checkSigned(standing, scenario, { dialect: route.dialect, seed: settings.seed });
  if (wrong !== undefined) return refuse(wrong);
  const read = readRequest(dialect, client);
  if (!read.ok) return read;
  const inputTokens = Math.ceil(JSON.stringify(client.body).length / CHARS_PER_TOKEN);
  return { ok: true, value: { scenario, dialect, read: read.value, standing, errors, inputTokens } };
}

function checkSigned(
  standing: Standing,
  scenario: Scenario,
  { dialect, seed }: { readonly dialect: DialectName; readonly seed: number },
): Refusal | undefined {
  if (!wantsSignatures(scenario, dialect)) return undefined;
  const wrong = checkSignatures(standing, { seed, scenario: scenario.name });
  return wrong === undefined || dialect === 'gemini' ? wrong : inArray(wrong);
}

function readRequest(dialect: Dialect, client: ClientRequest): Checked<ReadRequest> {
  try {
    return { ok: true, value: dialect.readRequest(client) };
  } catch (problem) {
    if (problem instanceof MisuseError) return refuse(requestInvalid(dialect.name, problem.message));
    throw problem;
  }
}

/** Any key will do, where the provider looks for one. */
function hasKey({ headers, query }: ClientRequest, dialect: DialectName): boolean {
  const bearer = /^bearer +\S/i.test(headers['authorization'] ?? '');
  if (dialect !== 'gemini') return bearer;
  return bearer || (headers['x-goog-api-key'] ?? '') !== '' || (query['key'] ?? '') !== '';
}

function scenarioOf(model: string, { pinned, scenarios }: Settings): Scenario | undefined {
  if (pinned !== undefined) return pinned;
  return model.startsWith(MODEL_PREFIX) ? scenarios.get(model.slice(MODEL_PREFIX.length)) : undefined;
}

function checkShape(body: JsonObject, dialect: DialectName): Checked<readonly OutlineEntry[]> {
  return dialect === 'gemini' ? checkGemini(body) : checkChat(body);
}

function wantsSignatures(scenario: Scenario, dialect: DialectName): boolean {
  if (scenario.signatures !== undefined) return scenario.signatures === 'required';
  return dialect === 'gemini' || scenario.rounds.some(({ answer }) => signsCalls(answer));
}

function signsCalls(answer: Answer): boolean {
  if (!('steps' in answer)) return false;
  return answer.steps.some((step) => 'call' in step && (step.call.signature ?? false) !== false);
}

function refuse(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal };
}

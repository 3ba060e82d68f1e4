import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from 'holdfast/turn';
import { asText, isList, isObject, objectsAt, textAt, textsAt, valueAt } from '../data/json.js';
import type { Finding } from './finding.js';
import { allowed, differs, unasserted } from './finding.js';
import { leewayOf } from './leeway.js';
import { judgeMust, judgeMustNot, judgeRequestMust } from './musts.js';
import { judgeRules } from './rules.js';
import type { RuleRoom } from './rules.js';
import type { Scene } from './scene.js';
import { TIME_SLACK } from './scene.js';

/** What is to be said of a played case: what differs from what must come out, and what nobody could check. */
export function judgeCase(scene: Scene): readonly Finding[] {
  const requests = judgeRequests(scene);
  const { expect } = scene.played;
  const plain = judgeExpect(expect, scene);
  if (isPassed(plain)) return [...requests, ...plain];
  const other = leewayOf(expect).find((leeway) => isPassed(judgeExpect(leeway.expect, scene)));
  if (other === undefined) return [...requests, ...plain];
  return [...requests, ...judgeExpect(other.expect, scene), allowed(other.words)];
}

function isPassed(findings: readonly Finding[]): boolean {
  return findings.every((finding) => finding.type !== 'differs');
}

/** The provider's side: who asked, and what for. */
function judgeRequests({ played, requests }: Scene): readonly Finding[] {
  const room: RuleRoom = { judge: judgeRequestMust, slack: TIME_SLACK };
  return requests.flatMap((request) => {
    const script = played.requests[request.number - 1];
    if (script === undefined) return [];
    const isOther = script.provider !== undefined && script.provider !== request.party;
    const wrong = isOther
      ? [differs(`request ${request.number} came to ${request.party}, not to ${script.provider}`)]
      : [];
    const broken = judgeRules(script.expectRequest, request.body, room);
    // A parent and its worker look alike from here: no surface tells them apart yet.
    const role =
      script.role === undefined ? [] : [unasserted(`request ${request.number} comes from the ${script.role}`)];
    return [
      ...wrong,
      ...role,
      ...broken.map((finding) => ({ ...finding, text: `request ${request.number}: ${finding.text}` })),
    ];
  });
}

function judgeExpect(expect: JsonObject, scene: Scene): readonly Finding[] {
  return Object.entries(expect).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const check = Object.hasOwn(EXPECTED, key) ? EXPECTED[key] : undefined;
    return check === undefined ? [unasserted(`expect.${key}: ${JSON.stringify(value)}`)] : check(scene, value, key);
  });
}

type ExpectCheck = (scene: Scene, wanted: JsonValue, key: string) => readonly Finding[];

const EXPECTED: Readonly<Record<string, ExpectCheck>> = {
  outcome: ({ outcome }, wanted, key) => equal(key, wanted, outcome.outcome),
  error_class: ({ outcome }, wanted, key) => equal(key, wanted, classOf(outcome.failure?.retryable)),
  error_kind: ({ outcome }, wanted, key) => equal(key, wanted, outcome.failure?.kind),
  // A suggested name: the outcome and the class are what count.
  error_code: () => [],
  notes: () => [],
  upstream_status: ({ outcome }, wanted, key) => equal(key, wanted, outcome.failure?.upstreamStatus),
  watchdog: ({ outcome }, wanted, key) => equal(key, wanted, outcome.failure?.failure?.deadline?.watchdog),
  phase: judgePhase,
  attempts: ({ outcome }, wanted, key) => equal(key, wanted, outcome.attempts),
  text: ({ outcome }, wanted, key) => equal(key, wanted, outcome.text),
  tool_calls: judgeCalls,
  finish: ({ outcome }, wanted, key) => equal(key, wanted, outcome.finish),
  usage: judgeUsage,
  upstream_requests: ({ requests }, wanted, key) => equal(key, wanted, requests.length),
  upstream_requests_max: ({ requests }, wanted, key) =>
    requests.length <= Number(wanted)
      ? []
      : [differs(`${key}: ${requests.length} requests came, at most ${Number(wanted)} may`)],
  tool_executions: judgeExecutions,
  client_status: ({ outcome }, wanted, key) => equal(key, wanted, outcome.client?.status),
  client_status_not: ({ outcome }, wanted, key) =>
    isList(wanted) && outcome.client !== undefined && !wanted.includes(outcome.client.status)
      ? []
      : [differs(`${key}: the status is ${String(outcome.client?.status)}`)],
  client_expect: judgeClient,
  must: (scene, wanted) => statements(wanted).flatMap((text) => judgeMust(text, scene)),
  must_not: (scene, wanted) => statements(wanted).flatMap((text) => judgeMustNot(text, scene)),
};

/** The phases of the cases in our words. */
const PHASES: Readonly<Record<string, readonly string[]>> = {
  item_open: ['item', 'buffered_item'],
  all_items_closed: ['terminal'],
};

function judgePhase({ outcome }: Scene, wanted: JsonValue, key: string): readonly Finding[] {
  const seen = outcome.failure?.failure?.deadline?.phase;
  const ours = PHASES[asText(wanted)] ?? [asText(wanted)];
  return seen !== undefined && ours.includes(seen)
    ? []
    : [differs(`${key}: expected ${ours.join(' or ')}, saw ${String(seen)}`)];
}

function judgeCalls({ outcome }: Scene, wanted: JsonValue, key: string): readonly Finding[] {
  const calls = isList(wanted) ? wanted.filter(isObject) : [];
  const seen = outcome.toolCalls;
  if (calls.length !== seen.length)
    return [differs(`${key}: expected ${calls.length} calls, saw ${JSON.stringify(seen)}`)];
  return calls.flatMap((call, at) => {
    const id = textAt(call, 'id');
    return [
      ...equal(`${key}[${at}].name`, valueAt(call, 'name'), seen[at]?.name),
      ...(id === undefined ? [] : equal(`${key}[${at}].id`, id, seen[at]?.id)),
      ...equal(`${key}[${at}].arguments`, valueAt(call, 'arguments'), seen[at]?.arguments),
    ];
  });
}

/** On a surface that runs no tool, a call that a dispatcher would run counts as run. */
function judgeExecutions({ outcome }: Scene, wanted: JsonValue, key: string): readonly Finding[] {
  const completed = outcome.outcome === 'ok' ? outcome.toolCalls : [];
  return Object.entries(isObject(wanted) ? wanted : {}).flatMap(([name, times]) =>
    equal(`${key}.${name}`, times, completed.filter((call) => call.name === name).length),
  );
}

function judgeUsage({ outcome }: Scene, wanted: JsonValue, key: string): readonly Finding[] {
  const seen: JsonObject = { ...outcome.usage };
  return Object.entries(isObject(wanted) ? wanted : {}).flatMap(([name, count]) =>
    equal(`${key}.${name}`, count, valueAt(seen, name)),
  );
}

function judgeClient({ outcome }: Scene, wanted: JsonValue): readonly Finding[] {
  const { client } = outcome;
  if (client === undefined) return [differs('client_expect: there is no client')];
  const rules = objectsAt({ rules: wanted }, 'rules');
  const room: RuleRoom = { judge: (statement) => [unasserted(`must: ${statement}`)], slack: TIME_SLACK };
  return judgeRules(rules, client.document, room).map((finding) => ({ ...finding, text: `client: ${finding.text}` }));
}

function statements(value: JsonValue): readonly string[] {
  return textsAt({ value }, 'value');
}

function classOf(retryable: boolean | undefined): string | undefined {
  if (retryable === undefined) return undefined;
  return retryable ? 'retryable' : 'terminal';
}

function equal(what: string, wanted: JsonValue | undefined, seen: JsonValue | undefined): readonly Finding[] {
  return isDeepStrictEqual(wanted, seen)
    ? []
    : [differs(`${what}: expected ${JSON.stringify(wanted)}, saw ${JSON.stringify(seen)}`)];
}

import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from 'holdfast/turn';
import { asText, isList, isObject, objectsAt, textAt, valueAt } from '../data/json.js';
import { matches } from '../data/matches.js';
import { walk, walkObjects, walkTexts } from '../data/walk.js';
import { brokenBlocks } from './anthropic-blocks.js';
import type { Finding } from './finding.js';
import { differs, unasserted } from './finding.js';
import { callIds, callIndexes, finishReasons } from './client-chunks.js';
import { unansweredCalls } from './unanswered-calls.js';
import type { WireDocument } from './wire-document.js';
import { contentRow } from './content-row.js';

/** How a statement of a rule is judged: the statements live in one table, elsewhere. */
export type JudgeStatement = (statement: string, document: WireDocument) => readonly Finding[];

export interface RuleRoom {
  readonly judge: JudgeStatement;
  /** By how much an upper bound of time is widened. */
  readonly slack: number;
}

/** What breaks a list of rules; empty where all of them hold. */
export function judgeRules(rules: readonly JsonObject[], document: WireDocument, room: RuleRoom): readonly Finding[] {
  return rules.flatMap((rule) => judgeRule(rule, document, room));
}

function judgeRule(rule: JsonObject, document: WireDocument, room: RuleRoom): readonly Finding[] {
  if (valueAt(rule, 'any_of') !== undefined) return judgeAny(rule, document, room);
  const statement = textAt(rule, 'must');
  if (statement !== undefined) return room.judge(statement, document);
  const name = Object.keys(rule).find((key) => Object.hasOwn(RULES, key));
  const check = name === undefined ? undefined : RULES[name];
  if (name === undefined || check === undefined) return [unasserted(`rule ${JSON.stringify(rule)}`)];
  const broken = check({ value: valueAt(rule, name) ?? null, rule, document, slack: room.slack });
  return broken === undefined ? [] : [differs(`${name}: ${broken}`)];
}

function judgeAny(rule: JsonObject, document: WireDocument, room: RuleRoom): readonly Finding[] {
  const branches = objectsAt(rule, 'any_of').map((branch) => judgeRule(branch, document, room));
  if (branches.some((findings) => findings.length === 0)) return [];
  const open = branches.flat().filter((finding) => finding.type === 'unasserted');
  return open.length > 0
    ? open
    : [
        differs(
          `any_of: ${branches
            .flat()
            .map((finding) => finding.text)
            .join(' | ')}`,
        ),
      ];
}

interface RuleScene {
  readonly value: JsonValue;
  readonly rule: JsonObject;
  readonly document: WireDocument;
  readonly slack: number;
}

/** What breaks the rule, in words; `undefined` where it holds. */
type RuleCheck = (scene: RuleScene) => string | undefined;

const RULES: Readonly<Record<string, RuleCheck>> = {
  has: ({ value, document }) => (hasMatch(document, value) ? undefined : `nothing matches ${show(value)}`),
  lacks: ({ value, document }) => (hasMatch(document, value) ? `${show(value)} is there` : undefined),
  has_key: ({ value, document }) =>
    objectsOf(document).some((object) => Object.hasOwn(object, asText(value)))
      ? undefined
      : `no object has ${show(value)}`,
  lacks_key: lacksKey,
  order: inOrder,
  body_has_text: ({ value, document }) =>
    hasText(document, asText(value)) ? undefined : `${show(value)} is not there`,
  lacks_text: ({ value, document }) => (hasText(document, asText(value)) ? `${show(value)} is there` : undefined),
  count_text: countText,
  equals_path: equalsPath,
  prefix_of_previous: prefixOfPrevious,
  max_growth_bytes: maxGrowth,
  every_tool_use_has_result: ({ document }) => {
    const open = unansweredCalls(document);
    return open.length === 0 ? undefined : `no result follows ${open.join(', ')}`;
  },
  first_event: ({ value, document }) => compare(value, document.events[0]?.name ?? null),
  last_event: ({ value, document }) => compare(value, document.events.at(-1)?.name ?? null),
  lacks_event: ({ value, document }) =>
    document.events.some((event) => event.name === value) ? `the event ${show(value)} is there` : undefined,
  ends_with: ({ value, document }) =>
    document.raw.endsWith(asText(value)) ? undefined : `the end is ${show(document.raw.slice(-60))}`,
  finish_reason_count: finishReasonCount,
  tool_call_indexes: ({ value, document }) => compare(value, [...callIndexes(document)]),
  ids_distinct: idsDistinct,
  anthropic_blocks_wellformed: ({ document }) => brokenBlocks(document),
  max_gap_ms: maxGap,
};

function lacksKey({ value, document }: RuleScene): string | undefined {
  if (!isObject(value)) return 'its value is not {in, key}';
  const key = textAt(value, 'key') ?? '';
  const found = objectsOf(document).find(
    (object) => matches(object, valueAt(value, 'in') ?? null) && Object.hasOwn(object, key),
  );
  return found === undefined ? undefined : `${show(found)} has ${show(key)}`;
}

function inOrder({ value, document }: RuleScene): string | undefined {
  const fragments = isList(value) ? value : [];
  let at = 0;
  for (const node of nodesOf(document)) if (at < fragments.length && matches(node, fragments[at] ?? null)) at += 1;
  return at === fragments.length ? undefined : `${show(fragments[at])} does not follow in this order`;
}

/** In decoded strings and keys; in the raw text where the document is no JSON. */
function countText({ value, rule, document }: RuleScene): string | undefined {
  const texts = document.values.length === 0 ? [document.raw] : document.values.flatMap((node) => [...walkTexts(node)]);
  const count = texts.reduce((sum, text) => sum + text.split(asText(value)).length - 1, 0);
  const wanted = valueAt(rule, 'equals');
  return wanted === count ? undefined : `${show(value)} occurs ${count} times, not ${show(wanted)}`;
}

function equalsPath({ value, document }: RuleScene): string | undefined {
  const [path, wanted] = isList(value) ? value : [];
  const found = document.values.map((node) => atPointer(node, asText(path)));
  return found.some((node) => node !== undefined && isDeepStrictEqual(node, wanted))
    ? undefined
    : `${show(path)} is ${found.map(show).join(', ') || 'nowhere'}, not ${show(wanted)}`;
}

function prefixOfPrevious({ value, document }: RuleScene): string | undefined {
  const before = contentRow(document.previous?.values[0], asText(value));
  const now = contentRow(document.values[0], asText(value));
  const changed = before.findIndex((block, at) => !isDeepStrictEqual(block, now[at]));
  return changed < 0 ? undefined : `block ${changed} of the previous request is not where it was`;
}

function maxGrowth({ value, document }: RuleScene): string | undefined {
  const grown = Buffer.byteLength(document.raw) - Buffer.byteLength(document.previous?.raw ?? '');
  return typeof value === 'number' && grown <= value
    ? undefined
    : `it grew by ${grown} bytes, not at most ${show(value)}`;
}

function finishReasonCount({ value, document }: RuleScene): string | undefined {
  const reasons = finishReasons(document);
  const wrong = Object.entries(isObject(value) ? value : {}).filter(
    ([reason, count]) => reasons.filter((seen) => seen === reason).length !== count,
  );
  return wrong.length === 0 ? undefined : `the reasons are ${show([...reasons])}`;
}

function idsDistinct({ document }: RuleScene): string | undefined {
  const ids = callIds(document);
  return ids.length > 0 && new Set(ids).size === ids.length ? undefined : `the ids are ${show([...ids])}`;
}

function maxGap({ value, document, slack }: RuleScene): string | undefined {
  const { gapMs } = document;
  if (gapMs === undefined) return 'no time was taken';
  const most = Number(value) * slack;
  return gapMs <= most ? undefined : `a pause of ${Math.round(gapMs)} ms is longer than ${most} ms`;
}

function compare(wanted: JsonValue, seen: JsonValue): string | undefined {
  return isDeepStrictEqual(wanted, seen) ? undefined : `it is ${show(seen)}, not ${show(wanted)}`;
}

function hasMatch(document: WireDocument, fragment: JsonValue): boolean {
  return nodesOf(document).some((node) => matches(node, fragment));
}

function hasText(document: WireDocument, text: string): boolean {
  if (document.raw.includes(text)) return true;
  return document.values.some((value) => [...walkTexts(value)].some((part) => part.includes(text)));
}

function nodesOf(document: WireDocument): readonly JsonValue[] {
  return document.values.flatMap((value) => [...walk(value)]);
}

function objectsOf(document: WireDocument): readonly JsonObject[] {
  return document.values.flatMap((value) => [...walkObjects(value)]);
}

function atPointer(value: JsonValue, pointer: string): JsonValue | undefined {
  let node: JsonValue | undefined = value;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    node = isList(node) ? node[Number(key)] : isObject(node) ? valueAt(node, key) : undefined;
  }
  return node;
}

function show(value: JsonValue | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

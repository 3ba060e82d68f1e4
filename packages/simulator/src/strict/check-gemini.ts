import type { JsonObject, JsonValue } from 'holdfast/turn';
import { asJsonObject, listOf, stringOf } from 'holdfast/wire';
import { googleField, snakeCase } from './google-field.js';
import { addEntry } from './outline.js';
import type { OutlineCall, OutlineEntry } from './outline.js';
import { googleRefusal } from './refusal.js';
import type { Checked, Refusal } from './refusal.js';

const TOP_FIELDS = [
  'model',
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'safetySettings',
  'generationConfig',
  'cachedContent',
  'labels',
  'serviceTier',
  'store',
].flatMap((name) => [name, snakeCase(name)]);

const PART_FIELDS = [
  'text',
  'thought',
  'thoughtSignature',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
  'videoMetadata',
  'mediaResolution',
  'partMetadata',
].flatMap((name) => [name, snakeCase(name)]);

/** A body of the Gemini wire, judged as Google's API judges it: its outline, or its 400. */
export function checkGemini(body: JsonObject): Checked<readonly OutlineEntry[]> {
  const unknown = Object.keys(body).find((key) => !TOP_FIELDS.includes(key));
  if (unknown !== undefined) return refuse(unknownName(unknown));
  const contents = listOf(body['contents']);
  if (contents.length === 0) {
    return refuse(invalid('* GenerateContentRequest.contents: contents is not specified\n'));
  }
  const config = checkConfig(asJsonObject(googleField(body, 'generationConfig')) ?? {});
  if (config !== undefined) return refuse(config);
  const outline: OutlineEntry[] = [];
  for (const [n, content] of contents.entries()) {
    const entries = readContent(asJsonObject(content) ?? {}, n);
    if (!entries.ok) return entries;
    for (const entry of entries.value) addEntry(outline, entry);
  }
  const order = checkOrder(outline);
  return order === undefined ? { ok: true, value: outline } : refuse(order);
}

function checkConfig(config: JsonObject): Refusal | undefined {
  const cap = googleField(config, 'maxOutputTokens');
  if (cap !== undefined && !(typeof cap === 'number' && Number.isInteger(cap) && cap > 0)) {
    return invalid(
      `Unable to submit request because it has a maxOutputTokens value of ${JSON.stringify(cap)} but the supported ` +
        'range is from 1 (inclusive) to 65537 (exclusive). Update the value and try again.',
    );
  }
  const thinking = asJsonObject(googleField(config, 'thinkingConfig')) ?? {};
  const hasBoth =
    googleField(thinking, 'thinkingBudget') !== undefined && googleField(thinking, 'thinkingLevel') !== undefined;
  return hasBoth ? invalid('You can only set only one of thinking budget and thinking level.') : undefined;
}

/** One content can hold results and words of the user at once: then it is two entries. */
function readContent(content: JsonObject, n: number): Checked<readonly OutlineEntry[]> {
  const role = content['role'] ?? 'user';
  if (role !== 'user' && role !== 'model' && role !== 'function') {
    return refuse(invalid('Please use a valid role: user, model.'));
  }
  const parts = listOf(content['parts']).map((part) => asJsonObject(part) ?? {});
  const at = `GenerateContentRequest.contents[${n}].parts`;
  if (parts.length === 0) return refuse(invalid(`* ${at}: contents.parts must not be empty.\n`));
  const wrong = parts
    .map((part, m) => checkNames(part, `contents[${n}].parts[${m}]`) ?? checkPart(part, `${at}[${m}]`))
    .find((found) => found !== undefined);
  if (wrong !== undefined) return refuse(wrong);
  if (role === 'model') return { ok: true, value: [{ kind: 'model', calls: callsOf(parts, n + 1) }] };
  const results = parts.filter((part) => googleField(part, 'functionResponse') !== undefined).length;
  const words = parts.filter((part) => googleField(part, 'functionResponse') === undefined);
  const text = words.map((part) => stringOf(part['text']) ?? '').find((found) => found !== '') ?? '';
  const entries: OutlineEntry[] = [];
  if (results > 0) entries.push({ kind: 'results', count: results });
  if (words.length > 0) entries.push({ kind: 'user', text });
  return { ok: true, value: entries };
}

/** What another wire hangs on its parts is unknown here, and Google says so. */
function checkNames(part: JsonObject, at: string): Refusal | undefined {
  const unknown = Object.keys(part).find((key) => !PART_FIELDS.includes(key));
  return unknown === undefined ? undefined : unknownName(unknown, at);
}

function checkPart(part: JsonObject, at: string): Refusal | undefined {
  for (const [camel, inner] of [
    ['functionCall', 'args'],
    ['functionResponse', 'response'],
  ] as const) {
    const found = googleField(part, camel);
    if (found === undefined) continue;
    const object = asJsonObject(found) ?? {};
    const place = `${at}.${snakeCase(camel)}`;
    if ((stringOf(object['name']) ?? '') === '') return invalid(`* ${place}.name: Name cannot be empty.\n`);
    const value: JsonValue | undefined = object[inner];
    if (value !== undefined && value !== null && asJsonObject(value) === undefined) {
      return invalid(
        `Invalid value at '${at}.${snakeCase(camel)}.${inner}' (type.googleapis.com/google.protobuf.Struct), ${JSON.stringify(value).slice(0, 200)}`,
      );
    }
  }
  return undefined;
}

function callsOf(parts: readonly JsonObject[], position: number): readonly OutlineCall[] {
  return parts.flatMap((part) => {
    const call = asJsonObject(googleField(part, 'functionCall'));
    if (call === undefined) return [];
    return [
      { name: stringOf(call['name']) ?? '', signature: stringOf(googleField(part, 'thoughtSignature')), position },
    ];
  });
}

const AFTER_CALLS = 'Please ensure that function response turn comes immediately after a function call turn.';
const BEFORE_CALLS =
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
const EQUAL_COUNT =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';

/** Calls are answered at once and all together. Several contents of one role in a row count as one. */
function checkOrder(outline: readonly OutlineEntry[]): Refusal | undefined {
  const [first] = outline;
  if (callsIn(first) > 0) return invalid(BEFORE_CALLS);
  for (const [n, entry] of outline.entries()) {
    const due = callsIn(outline[n - 1]);
    const given = entry.kind === 'results' ? entry.count : 0;
    if (given > 0 && due === 0) return invalid(AFTER_CALLS);
    if (given !== due) return invalid(EQUAL_COUNT);
  }
  return callsIn(outline.at(-1)) > 0 ? invalid(EQUAL_COUNT) : undefined;
}

function callsIn(entry: OutlineEntry | undefined): number {
  return entry?.kind === 'model' ? entry.calls.length : 0;
}

/** `at` is absent for the body itself. */
function unknownName(name: string, at?: string): Refusal {
  const description = `Invalid JSON payload received. Unknown name "${name}"${at === undefined ? '' : ` at '${at}'`}: Cannot find field.`;
  const violation = at === undefined ? { description } : { field: at, description };
  const details = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [violation] }];
  return googleRefusal(400, 'INVALID_ARGUMENT', { message: description, details });
}

function invalid(message: string): Refusal {
  return googleRefusal(400, 'INVALID_ARGUMENT', message);
}

function refuse(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal };
}

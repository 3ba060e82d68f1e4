import type { JsonObject } from 'holdfast/turn';
import { asJsonObject, isRecord, listOf, stringOf } from 'holdfast/wire';
import { addEntry } from './outline.js';
import type { OutlineCall, OutlineEntry } from './outline.js';
import { openAiRefusal } from './refusal.js';
import type { Checked, Refusal } from './refusal.js';

const ROLES = ['system', 'assistant', 'user', 'function', 'tool', 'developer'];

/** A body of the Chat wire, judged as OpenAI's API judges it: its outline, or its 400. */
export function checkChat(body: JsonObject): Checked<readonly OutlineEntry[]> {
  const wrong = checkKnobs(body) ?? checkTools(body);
  if (wrong !== undefined) return { ok: false, refusal: wrong };
  const messages = listOf(body['messages']);
  if (!Array.isArray(body['messages']))
    return refuse("Missing required parameter: 'messages'.", 'messages', 'missing_required_parameter');
  if (messages.length === 0) {
    return refuse(
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'messages',
      'empty_array',
    );
  }
  const walk = new Walk();
  for (const [n, message] of messages.entries()) {
    const refusal = walk.step(asJsonObject(message) ?? {}, n);
    if (refusal !== undefined) return { ok: false, refusal };
  }
  const unanswered = walk.unanswered(messages.length);
  return unanswered === undefined ? { ok: true, value: walk.outline } : { ok: false, refusal: unanswered };
}

function checkKnobs(body: JsonObject): Refusal | undefined {
  if (stringOf(body['model']) === undefined) return invalid('you must provide a model parameter', null, null);
  for (const param of ['max_tokens', 'max_completion_tokens']) {
    const cap = body[param];
    if (cap === undefined || cap === null) continue;
    if (typeof cap !== 'number' || !Number.isInteger(cap)) return wrongType(param, 'an integer', cap);
    if (cap < 1) {
      const message = `Invalid '${param}': integer below minimum value. Expected a value >= 1, but got ${cap} instead.`;
      return invalid(message, param, 'integer_below_min_value');
    }
  }
  if (isRecord(body['stream_options']) && body['stream'] !== true) {
    return invalid("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options', null);
  }
  return undefined;
}

function checkTools(body: JsonObject): Refusal | undefined {
  const tools = listOf(body['tools']);
  for (const [n, tool] of tools.entries()) {
    const object = asJsonObject(tool) ?? {};
    const inner = asJsonObject(object[stringOf(object['type']) ?? 'function']) ?? {};
    if ((stringOf(inner['name']) ?? '') === '') {
      const param = `tools[${n}].function.name`;
      return invalid(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');
    }
  }
  const choice = body['tool_choice'];
  if (choice !== undefined && choice !== null && tools.length === 0 && choice !== 'none') {
    const message = "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.";
    return invalid(message, 'tool_choice', null);
  }
  return undefined;
}

/** Messages in order, with the calls that still wait for their answers. */
class Walk {
  readonly outline: OutlineEntry[] = [];
  readonly #open: Set<string> = new Set();
  #afterCalls = false;
  #contents = 0;

  step(message: JsonObject, n: number): Refusal | undefined {
    const role = stringOf(message['role']);
    if (role === undefined || !ROLES.includes(role)) return wrongRole(message['role'], n);
    if (role === 'tool') return this.#result(message, n);
    const unanswered = this.unanswered(n);
    if (unanswered !== undefined) return unanswered;
    this.#afterCalls = false;
    if (role === 'assistant') return this.#assistant(message, n);
    if (role === 'user') {
      this.#contents += 1;
      addEntry(this.outline, { kind: 'user', text: firstText(message['content']) });
    }
    return undefined;
  }

  unanswered(n: number): Refusal | undefined {
    if (this.#open.size === 0) return undefined;
    const ids = [...this.#open].join(', ');
    return invalid(
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
        `The following tool_call_ids did not have response messages: ${ids}`,
      `messages.[${n}].role`,
      null,
    );
  }

  #result(message: JsonObject, n: number): Refusal | undefined {
    const id = stringOf(message['tool_call_id']);
    if (id === undefined) {
      const param = `messages[${n}].tool_call_id`;
      return invalid(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');
    }
    if (!this.#afterCalls || !this.#open.delete(id)) {
      const message =
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
      return invalid(message, `messages.[${n}].role`, null);
    }
    if (this.outline.at(-1)?.kind !== 'results') this.#contents += 1;
    addEntry(this.outline, { kind: 'results', count: 1 });
    return undefined;
  }

  #assistant(message: JsonObject, n: number): Refusal | undefined {
    this.#contents += 1;
    const calls: OutlineCall[] = [];
    for (const [m, value] of listOf(message['tool_calls']).entries()) {
      const call = asJsonObject(value) ?? {};
      const wrong = checkCall(call, `messages[${n}].tool_calls[${m}]`);
      if (wrong !== undefined) return wrong;
      this.#open.add(stringOf(call['id']) ?? '');
      calls.push({ name: nameOf(call), signature: signatureOf(call), position: this.#contents });
    }
    this.#afterCalls = calls.length > 0;
    addEntry(this.outline, { kind: 'model', calls });
    return undefined;
  }
}

function checkCall(call: JsonObject, at: string): Refusal | undefined {
  if (stringOf(call['id']) === undefined) {
    return invalid(`Missing required parameter: '${at}.id'.`, `${at}.id`, 'missing_required_parameter');
  }
  if (call['type'] === 'custom') return undefined;
  const inner = asJsonObject(call['function']) ?? {};
  if ((stringOf(inner['name']) ?? '') === '') {
    return invalid(
      `Missing required parameter: '${at}.function.name'.`,
      `${at}.function.name`,
      'missing_required_parameter',
    );
  }
  return typeof inner['arguments'] === 'string'
    ? undefined
    : wrongType(`${at}.function.arguments`, 'a string', inner['arguments']);
}

function nameOf(call: JsonObject): string {
  const inner = asJsonObject(call['function']) ?? asJsonObject(call['custom']) ?? {};
  return stringOf(inner['name']) ?? '';
}

/** As Google's compatibility endpoint and relays carry it. */
function signatureOf(call: JsonObject): string | undefined {
  const google = asJsonObject(asJsonObject(call['extra_content'])?.['google']);
  return stringOf(google?.['thought_signature']);
}

function firstText(content: unknown): string {
  if (typeof content === 'string') return content;
  const texts = listOf(content).map((part) => stringOf(asJsonObject(part)?.['text']) ?? '');
  return texts.find((text) => text !== '') ?? '';
}

function wrongRole(role: unknown, n: number): Refusal {
  const param = `messages[${n}].role`;
  if (role === undefined)
    return invalid(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');
  const supported = "'system', 'assistant', 'user', 'function', 'tool', and 'developer'";
  const given = typeof role === 'string' ? `'${role}'` : JSON.stringify(role);
  return invalid(`Invalid value: ${given}. Supported values are: ${supported}.`, param, 'invalid_value');
}

function wrongType(param: string, expected: string, value: unknown): Refusal {
  const message = `Invalid type for '${param}': expected ${expected}, but got ${kindOf(value)} instead.`;
  return invalid(message, param, 'invalid_type');
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}

function invalid(message: string, param: string | null, code: string | null): Refusal {
  return openAiRefusal(400, { message, param, code });
}

function refuse(message: string, param: string, code: string): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: invalid(message, param, code) };
}

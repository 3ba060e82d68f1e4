import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from 'holdfast/turn';
import { CheckInputError } from '../data/check-input-error.js';
import { isObject, numberAt, objectAt, objectsAt, parseJson, textAt, textsAt, valueAt } from '../data/json.js';
import type {
  Case,
  CaseAction,
  ClientRequestScript,
  FallbackHop,
  Flush,
  RuntimeKeys,
  ScriptedAnswer,
  ScriptedRequest,
} from './case-file.js';

/** Every case of a folder, in the order of their file names. */
export async function readCases(folder: string): Promise<readonly Case[]> {
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined)
    throw new CheckInputError(`${folder} is not a readable folder. Name a folder of case files.`);
  const files = names.filter((name) => name.endsWith('.json')).sort();
  if (files.length === 0)
    throw new CheckInputError(`${folder} holds no case. Name a folder with one JSON file a case.`);
  return Promise.all(
    files.map(async (name) => readCase(await readFile(join(folder, name), 'utf8'), join(folder, name))),
  );
}

export function readCase(text: string, where: string): Case {
  const file = parseJson(text);
  if (file === undefined) throw new CheckInputError(`${where} is no JSON. Correct it.`);
  const id = isObject(file) ? textAt(file, 'id') : undefined;
  const dialect = isObject(file) ? textAt(file, 'dialect') : undefined;
  const expect = isObject(file) ? objectAt(file, 'expect') : undefined;
  if (!isObject(file) || id === undefined || dialect === undefined || expect === undefined) {
    throw new CheckInputError(`${where} is not a case: "id", "dialect" and "expect" are needed. Add what is missing.`);
  }
  return {
    id,
    dialect,
    expect,
    class: textAt(file, 'class') ?? 'none',
    title: textAt(file, 'title') ?? '',
    surface: textAt(file, 'surface') ?? 'library',
    slow: valueAt(file, 'slow') === true,
    runtime: readRuntime(objectAt(file, 'runtime')),
    input: textsAt(file, 'input'),
    tools: objectsAt(file, 'tools').map((tool) => ({
      name: textAt(tool, 'name') ?? '',
      result: textAt(tool, 'result'),
    })),
    requests: objectsAt(objectAt(file, 'scenario'), 'requests').map((request) => readRequest(request, where)),
    client: readClient(objectAt(file, 'client_request')),
    actions: objectsAt(file, 'actions').map(readAction),
  };
}

const RUNTIME_KEYS = [
  'prefill_ms',
  'stall_ms',
  'open_item_ms',
  'terminal_ms',
  'bytes_idle_ms',
  'max_retries',
  'retry_backoff_ms',
  'max_inline_wait_ms',
  'max_output_tokens',
  'context_window',
  'config_entry',
  'client_keepalive_ms',
  'fallback',
  'compat',
];

function readRuntime(runtime: JsonObject | undefined): RuntimeKeys {
  return {
    prefillMs: numberAt(runtime, 'prefill_ms'),
    stallMs: numberAt(runtime, 'stall_ms'),
    openItemMs: numberAt(runtime, 'open_item_ms'),
    terminalMs: numberAt(runtime, 'terminal_ms'),
    bytesIdleMs: numberAt(runtime, 'bytes_idle_ms'),
    maxRetries: numberAt(runtime, 'max_retries'),
    retryBackoffMs: numberAt(runtime, 'retry_backoff_ms'),
    maxInlineWaitMs: numberAt(runtime, 'max_inline_wait_ms'),
    maxOutputTokens: numberAt(runtime, 'max_output_tokens'),
    contextWindow: numberAt(runtime, 'context_window'),
    configEntry: textAt(runtime, 'config_entry'),
    clientKeepAliveMs: numberAt(runtime, 'client_keepalive_ms'),
    fallback: objectsAt(runtime, 'fallback').map(readHop),
    compat: objectAt(runtime, 'compat') ?? {},
    unknown: Object.keys(runtime ?? {}).filter((key) => !RUNTIME_KEYS.includes(key)),
  };
}

function readHop(hop: JsonObject): FallbackHop {
  const provider = textAt(hop, 'provider') ?? 'b';
  return { provider, vendor: textAt(hop, 'vendor') ?? `vendor-${provider}`, dialect: textAt(hop, 'dialect') ?? '' };
}

function readRequest(request: JsonObject, where: string): ScriptedRequest {
  const respond = objectAt(request, 'respond');
  if (respond === undefined) throw new CheckInputError(`${where}: a request of the scenario has no "respond". Add it.`);
  return {
    provider: textAt(request, 'provider'),
    role: textAt(request, 'role'),
    dialect: textAt(request, 'dialect'),
    expectRequest: objectsAt(request, 'expect_request'),
    respond: readAnswer(respond, where),
  };
}

function readAnswer(respond: JsonObject, where: string): ScriptedAnswer {
  const end = textAt(respond, 'end') ?? 'close';
  if (end !== 'close' && end !== 'reset' && end !== 'hang') {
    throw new CheckInputError(`${where}: "end" is "${end}". It must be close, reset or hang.`);
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(objectAt(respond, 'headers') ?? {})) {
    if (typeof value === 'string' && name !== '__proto__') headers[name] = value;
  }
  return {
    status: numberAt(respond, 'status') ?? 200,
    headers,
    headersDelayMs: numberAt(respond, 'headers_delay_ms') ?? 0,
    flushes: objectsAt(respond, 'events').map(readFlush),
    end,
  };
}

function readFlush(event: JsonObject): Flush {
  const raw = textAt(event, 'data_b64');
  const bytes = raw === undefined ? Buffer.from(textAt(event, 'data') ?? '', 'utf8') : Buffer.from(raw, 'base64');
  return { delayMs: numberAt(event, 'delay_ms') ?? 0, bytes };
}

function readClient(client: JsonObject | undefined): ClientRequestScript | undefined {
  if (client === undefined) return undefined;
  return {
    dialect: textAt(client, 'dialect') ?? '',
    method: textAt(client, 'method') ?? 'POST',
    path: textAt(client, 'path') ?? '/',
    body: objectAt(client, 'body') ?? {},
    goesOn: textAt(client, 'then'),
    idleLimitMs: numberAt(client, 'idle_limit_ms'),
  };
}

function readAction(action: JsonObject): CaseAction {
  const on = textAt(action, 'on');
  const after = numberAt(action, 'after_request');
  return {
    do: textAt(action, 'do') ?? '',
    atMs: numberAt(action, 'at_ms'),
    when: [
      ...(on === undefined ? [] : [on]),
      ...textsAt(action, 'when_all'),
      ...(after === undefined ? [] : [`after_request:${after}`]),
    ],
    delayMs: numberAt(action, 'delay_ms') ?? 0,
  };
}

import type { JsonObject } from '../../turn/index.js';
import { isRecord, listOf } from '../../wire/index.js';
import type { Amendment, ClientRequest, Target, WireRequest } from '../dialect.js';
import { field, PROTO_NAMES } from './wire.js';
import type { FieldName } from './wire.js';
import { requestPath } from './write-request.js';

/**
 * The client's own body with another cap and with notes at its end. Whatever came before stays as it was, in its
 * order and its spelling: the provider's cache and the signatures hang on an unchanged beginning.
 */
export function amendRequest(client: ClientRequest, amendment: Amendment, target: Target): WireRequest {
  const { model, maxOutputTokens, notes } = amendment;
  let body = client.body;
  if (typeof body['model'] === 'string') body = { ...body, model: `models/${model}` };
  if (maxOutputTokens !== undefined) body = withCap(body, maxOutputTokens);
  if (notes.length > 0) {
    const said = notes.map((text) => ({ role: 'user', parts: [{ text }] }));
    body = { ...body, contents: [...listOf(body['contents']).filter(isRecord), ...said] };
  }
  return { method: 'POST', path: requestPath(model, target.stream), headers: {}, body, notices: [] };
}

function withCap(body: JsonObject, cap: number): JsonObject {
  const config = field(body, 'generationConfig');
  const old = isRecord(config) ? config : {};
  return { ...body, [spelling(body, 'generationConfig')]: { ...old, [spelling(old, 'maxOutputTokens')]: cap } };
}

/** The name under which the client wrote the field, so that it is never there twice. */
function spelling(record: JsonObject, name: FieldName): string {
  const proto = PROTO_NAMES[name];
  return record[proto] !== undefined && (record[name] ?? undefined) === undefined ? proto : name;
}

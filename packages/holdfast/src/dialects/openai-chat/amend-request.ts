import type { JsonObject } from '../../turn/index.js';
import type { Amendment, ClientRequest, Target, WireRequest } from '../dialect.js';
import { isList, withoutKey } from './wire.js';
import { instructionsRole } from './write-messages.js';
import { CHAT_PATH, writeStream } from './write-request.js';

/**
 * The client's own body with another model, another cap and notes at its end. Everything before stays as it was, in
 * its order: the provider's cache and the signatures hang on an unchanged beginning.
 */
export function amendRequest(client: ClientRequest, amendment: Amendment, target: Target): WireRequest {
  const { body } = client;
  const amended: JsonObject = {
    ...withStream(body, target),
    model: amendment.model,
    ...writeCap(body, amendment, target),
    ...writeNotes(body, amendment, target),
  };
  return { method: 'POST', path: CHAT_PATH, headers: {}, body: amended, notices: [] };
}

/** A client that asked for no stream still wants its counts, which a stream holds on request alone. */
function withStream(body: JsonObject, target: Target): JsonObject {
  if ((body.stream === true) === target.stream) return body;
  return target.stream ? { ...body, ...writeStream(target) } : { ...withoutKey(body, 'stream_options'), stream: false };
}

/** Under the name that the client chose; where it set none, under the one that this server knows. */
function writeCap(body: JsonObject, { maxOutputTokens }: Amendment, target: Target): JsonObject {
  if (maxOutputTokens === undefined) return {};
  const used = (['max_completion_tokens', 'max_tokens'] as const).filter((name) => typeof body[name] === 'number');
  const names = used.length === 0 ? [target.quirks.capField ?? 'max_tokens'] : used;
  return Object.fromEntries(names.map((name) => [name, maxOutputTokens]));
}

function writeNotes(body: JsonObject, { notes }: Amendment, target: Target): JsonObject {
  if (notes.length === 0) return {};
  const role = instructionsRole(target);
  const messages = isList(body.messages) ? body.messages : [];
  return { messages: [...messages, ...notes.map((content) => ({ role, content }))] };
}

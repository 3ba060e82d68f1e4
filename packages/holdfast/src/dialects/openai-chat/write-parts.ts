import { MisuseError } from '../../turn/index.js';
import type { JsonObject, JsonValue, Part } from '../../turn/index.js';

/** The content of a user message: a bare string where it is one text, since every server takes that. */
export function writeUserContent(parts: readonly Part[]): JsonValue {
  const [first] = parts;
  if (parts.length === 1 && first?.type === 'text') return first.text;
  return parts.map(writePart);
}

/** Throws where the part cannot be said on this wire: leaving it out would change what is asked. */
export function writePart(part: Part): JsonValue {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'media':
      return writeMedia(part);
    case 'media_url':
      if (part.mediaType !== undefined && !part.mediaType.startsWith('image/')) {
        throw unsupported(`${part.mediaType} by address`, 'Send its data instead.');
      }
      return { type: 'image_url', image_url: { url: part.url } };
    case 'foreign':
      if (part.dialect === 'openai-chat') return part.value;
      throw unsupported(`a part of ${part.dialect}`, 'Send it as text or media.');
  }
}

/** Audio formats of this wire, by media type. */
const AUDIO_FORMATS: ReadonlyMap<string, string> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mp3', 'mp3'],
  ['audio/mpeg', 'mp3'],
]);

type MediaPart = Extract<Part, { type: 'media' }>;

function writeMedia({ mediaType, data, name }: MediaPart): JsonObject {
  const url = `data:${mediaType};base64,${data}`;
  if (mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url } };
  const format = AUDIO_FORMATS.get(mediaType);
  if (format !== undefined) return { type: 'input_audio', input_audio: { data, format } };
  return { type: 'file', file: { ...(name === undefined ? {} : { filename: name }), file_data: url } };
}

function unsupported(what: string, cure: string): MisuseError {
  return new MisuseError('request_invalid', `The Chat Completions wire cannot carry ${what}. ${cure}`);
}

import type { JsonObject, JsonValue, Part } from '../../turn/index.js';
import { isRecord, stringOf } from '../../wire/index.js';
import { requestInvalid } from '../request-invalid.js';
import { isList, textOf } from './wire.js';

/** The content of a user message or of a tool's result: text, or a list of parts. `at` names it in complaints. */
export function readParts(content: JsonValue | undefined, at: string): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!isList(content)) throw requestInvalid(`"${at}" must be a string or a list of content parts.`);
  return content.map((part, index) => readPart(part, `${at}[${index}]`));
}

/** Content that can only be text: instructions. Parts are put together as they stand. */
export function readText(content: JsonValue | undefined, at: string): string {
  return readParts(content, at)
    .map((part, index) => {
      if (part.type === 'text') return part.text;
      throw requestInvalid(`"${at}[${index}]" must be a text part; a message of this role holds nothing else.`);
    })
    .join('');
}

function readPart(part: JsonValue, at: string): Part {
  if (!isRecord(part)) throw requestInvalid(`"${at}" must be an object with a "type".`);
  switch (textOf(part.type)) {
    case 'text':
      return { type: 'text', text: text(part, 'text', at) };
    case 'image_url':
      return readImage(part.image_url, at);
    case 'input_audio':
      return readAudio(part.input_audio, at);
    case 'file':
      return readFile(part, at);
    case '':
      throw requestInvalid(`"${at}.type" is missing.`);
    default:
      return { type: 'foreign', dialect: 'openai-chat', value: part };
  }
}

/** Some clients send the address without its object. */
function readImage(image: JsonValue | undefined, at: string): Part {
  const url = typeof image === 'string' ? image : isRecord(image) ? stringOf(image.url) : undefined;
  if (url === undefined || url === '') {
    throw requestInvalid(`"${at}.image_url.url" is missing; send an address or a data URI.`);
  }
  if (!url.startsWith('data:')) return { type: 'media_url', mediaType: undefined, url };
  return readDataUri(url, `${at}.image_url.url`);
}

function readAudio(audio: JsonValue | undefined, at: string): Part {
  if (!isRecord(audio)) throw requestInvalid(`"${at}.input_audio" must be an object with "data" and "format".`);
  const format = text(audio, 'format', `${at}.input_audio`);
  return { type: 'media', mediaType: `audio/${format}`, data: text(audio, 'data', `${at}.input_audio`) };
}

/** A file that the provider keeps has no data here; it goes back as it came, on this wire alone. */
function readFile(part: JsonObject, at: string): Part {
  if (!isRecord(part.file)) throw requestInvalid(`"${at}.file" must be an object with "file_data" or "file_id".`);
  const data = stringOf(part.file.file_data);
  if (data === undefined) return { type: 'foreign', dialect: 'openai-chat', value: part };
  const media = readDataUri(data, `${at}.file.file_data`);
  const name = stringOf(part.file.filename);
  return name === undefined ? media : { ...media, name };
}

/** `data:image/png;base64,…`; parameters of the type are of no use to anybody. */
function readDataUri(uri: string, at: string): Extract<Part, { type: 'media' }> {
  const comma = uri.indexOf(',');
  const head = uri.slice('data:'.length, comma);
  const [mediaType] = head.split(';');
  if (
    !uri.startsWith('data:') ||
    comma === -1 ||
    !head.endsWith(';base64') ||
    mediaType === undefined ||
    mediaType === ''
  ) {
    throw requestInvalid(`"${at}" must be a data URI such as "data:image/png;base64,…".`);
  }
  return { type: 'media', mediaType, data: uri.slice(comma + 1) };
}

function text(holder: JsonObject, name: string, at: string): string {
  const value = holder[name];
  if (typeof value !== 'string') throw requestInvalid(`"${at}.${name}" must be a string.`);
  return value;
}

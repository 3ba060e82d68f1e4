import { Refusal } from './refusal.js';

/** Only JSON in UTF-8: a web page cannot send that type to another origin without asking first. */
export function checkContentType(contentType: string | undefined): Refusal | undefined {
  if (contentType === 'application/json') return undefined;
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/json') {
    const seen =
      contentType === undefined ? 'has no content-type' : `has the content-type "${contentType.slice(0, 100)}"`;
    return new Refusal('unsupported_media_type', `The request ${seen}. Send it as application/json.`);
  }
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  const name = charset?.slice('charset='.length).replaceAll('"', '') ?? 'utf-8';
  if (name === 'utf-8' || name === 'utf8') return undefined;
  return new Refusal('unsupported_media_type', `The body is in the charset "${name.slice(0, 40)}". Send it in UTF-8.`);
}

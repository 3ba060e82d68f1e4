import type { IncomingMessage } from 'node:http';

/** Every value of a header as it came, in order: Node joins some headers that came twice and drops others. */
export function headerValues(request: IncomingMessage, name: string): readonly string[] {
  const { rawHeaders } = request;
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] ?? '';
    if (raw.length === name.length && raw.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}

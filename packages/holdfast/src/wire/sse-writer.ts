export interface SseEvent {
  /** The `event:` field. Left out where it is absent or empty. */
  readonly name?: string | undefined;
  readonly data: string;
}

/**
 * One event, blank line included. A line break inside `data` of any kind starts another `data:` line and is read
 * back as LF. Throws where a name holds a line break, since it would forge fields.
 */
export function writeSseEvent(event: SseEvent): string {
  const name = event.name ?? '';
  if (LINE_BREAK.test(name)) throw new TypeError('The name of a server-sent event never holds a line break.');
  const head = name === '' ? '' : `event: ${name}\n`;
  if (!LINE_BREAK.test(event.data)) return `${head}data: ${event.data}\n\n`;
  const lines = event.data.split(ANY_LINE_BREAK).map((line) => `data: ${line}\n`);
  return `${head}${lines.join('')}\n`;
}

const LINE_BREAK = /[\r\n]/u;
const ANY_LINE_BREAK = /\r\n|\r|\n/u;

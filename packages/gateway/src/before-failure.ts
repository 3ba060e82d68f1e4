const EVENT_END = /\r\n\r\n|\n\n|\r\r/g;

/** A finish reason in any dialect: an end must not be shown of a reply that has failed. */
const NAMES_AN_END = /"(?:finish_reason|finishReason|stop_reason)"\s*:\s*"/;

/**
 * The whole events ahead of the one that failed a reply. What was complete is kept; a provider's own error, broken
 * JSON and anything that looks like an end stay behind, and our own words come in their place.
 */
export function beforeFailure(bytes: Uint8Array): Uint8Array {
  // One character a byte, so that places in the text are places in the bytes.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  let sound = 0;
  for (const match of text.matchAll(EVENT_END)) {
    if (!isSound(text.slice(sound, match.index))) break;
    sound = match.index + match[0].length;
  }
  return bytes.subarray(0, sound);
}

function isSound(event: string): boolean {
  const data: string[] = [];
  for (const line of event.split(/\r\n|\n|\r/)) {
    if (/^event: ?error$/.test(line)) return false;
    if (line.startsWith('data:')) data.push(line.slice('data:'.length));
    else if (line.startsWith('{')) return false;
  }
  return data.length === 0 || isSoundData(data.join('\n'));
}

function isSoundData(data: string): boolean {
  if (NAMES_AN_END.test(data)) return false;
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null && (!('error' in value) || value.error === null);
  } catch {
    return false;
  }
}

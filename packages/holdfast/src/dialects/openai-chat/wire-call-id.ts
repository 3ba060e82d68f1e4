/**
 * The id of a call as the vendor takes it, the same for the call and for its result. Mistral is reported to want
 * exactly nine letters or digits, so other ids are mapped; everybody else gets the id as it is.
 */
export function wireCallId(callId: string, vendor: string): string {
  if (vendor !== 'mistral' || NINE.test(callId)) return callId;
  const high = hash(callId, 0x811c9dc5);
  const low = hash(callId, 0x9747b28c);
  const digits = (BigInt(high) << 32n) | BigInt(low);
  return digits.toString(36).padStart(9, '0').slice(-9);
}

const NINE = /^[A-Za-z0-9]{9}$/u;

/** FNV-1a. It only has to tell the calls of one conversation apart. */
function hash(text: string, seed: number): number {
  let value = seed;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value >>> 0;
}

declare const brand: unique symbol;

/** A durable conversation. */
export type SessionId = string & { readonly [brand]: 'SessionId' };
/** One user input up to its terminal state. */
export type TurnId = string & { readonly [brand]: 'TurnId' };
/** One logical request for a model reply; it survives retries and fallbacks. */
export type CallId = string & { readonly [brand]: 'CallId' };
/** One HTTP request to one upstream. */
export type AttemptId = string & { readonly [brand]: 'AttemptId' };
/** One unit of a reply. Ours, not the provider's: providers repeat, rotate or omit theirs. */
export type ItemId = string & { readonly [brand]: 'ItemId' };

export function sessionId(value: string): SessionId {
  return notEmpty(value, 'session') as SessionId;
}

export function turnId(value: string): TurnId {
  return notEmpty(value, 'turn') as TurnId;
}

export function callId(value: string): CallId {
  return notEmpty(value, 'call') as CallId;
}

/** The n-th attempt of a call, counted from 1. */
export function attemptId(call: CallId, n: number): AttemptId {
  return `${call}.${n}` as AttemptId;
}

/**
 * The item at a position of an attempt's reply, counted from 0. The same reply read twice gives the
 * same ids, however its bytes were cut and whatever ids the provider sends or leaves out.
 */
export function itemId(attempt: AttemptId, position: number): ItemId {
  return `${attempt}.${position}` as ItemId;
}

function notEmpty(value: string, what: string): string {
  if (value === '') throw new TypeError(`A ${what} id is never empty.`);
  return value;
}

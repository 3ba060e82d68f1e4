/**
 * Whose state it is where a client's message does not say. It is no vendor's name: it goes to nobody, and it is no
 * evidence that another vendor made anything.
 */
export const UNKNOWN_VENDOR = 'unknown';

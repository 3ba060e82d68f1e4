import type { Failure } from '../turn/index.js';

/** The caller's stop, in whatever place it is noticed. */
export const STOPPED: Failure = {
  code: 'stopped',
  kind: 'stopped',
  retryable: false,
  atFault: 'caller',
  message: 'Stopped by the caller.',
};

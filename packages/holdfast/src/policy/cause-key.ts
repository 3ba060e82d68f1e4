import type { Failure } from '../turn/index.js';

/**
 * Names a cause that the same request would meet again, `undefined` for causes that time can cure.
 * Two failures with the same key and the same fingerprint are one deterministic failure.
 */
export function causeKey(failure: Failure): string | undefined {
  switch (failure.kind) {
    case 'deadline':
      return `deadline:${failure.deadline?.watchdog ?? ''}`; // Whatever the phase: the next one may differ by an item.
    case 'protocol':
    case 'empty_completion':
    case 'output_cap_thinking':
      return `${failure.kind}:${failure.code}`;
    case 'transient':
      return undefined;
    case 'request':
    case 'context_overflow':
    case 'auth':
    case 'billing':
    case 'model_unknown':
    case 'content':
    case 'output_cap':
    case 'stopped':
      return failure.kind;
  }
}

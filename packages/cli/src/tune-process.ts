import { setFlagsFromString } from 'node:v8';

/**
 * For a process that serves for a long time. After long streams V8 begins to allocate the objects of each request among
 * the long-lived ones, where they keep one another alive until a full collection; without that guess of its a whole
 * request costs a third less. Figures: docs/decisions/0005-gateway.md.
 */
export function tuneProcess(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

import type { Item, OpaqueState } from '../../turn/index.js';

/** The signature that a part carries to or from this vendor. Others stay in the transcript and never travel. */
export function signatureOf(item: Item, vendor: string): string | undefined {
  for (const state of item.opaque ?? []) {
    if (state.vendor === vendor && state.kind === 'thought_signature' && typeof state.value === 'string')
      return state.value;
  }
  return undefined;
}

export function signed(signature: string | undefined, vendor: string): readonly OpaqueState[] | undefined {
  return signature === undefined ? undefined : [{ vendor, kind: 'thought_signature', value: signature }];
}

/** The vendor of this wire's own state on its server half: clients that speak it got their signatures from there. */
export const GOOGLE = 'google';

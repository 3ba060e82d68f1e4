import type { JsonObject, JsonValue, OpaqueState } from '../../turn/index.js';
import { SHOWN, writeStates } from './extra-content.js';
import { isList, textOf } from './wire.js';

/**
 * The opaque state of one reply on its way to a client: Google's signatures and `reasoning_details` in the fields that
 * this wire's ecosystem knows, the rest in our own namespace. Each is written once, at the end: some libraries overwrite
 * a field that comes again, others put its strings together, and nobody can take back what a given-up attempt left.
 */
export class ClientExtra {
  /** All thinking that the client has in `reasoning_content`. */
  #shown = '';
  #vendor: string | undefined;
  #signature: JsonValue | undefined;
  /** The client has a call with Google's signature, perhaps of an attempt that was given up. */
  #hasSignedCall = false;
  #reasoning: OpaqueState[] = [];
  #message: OpaqueState[] = [];

  /** Another attempt begins. What the client was shown of thinking stays with it; no state does. */
  begin(): void {
    this.#vendor = undefined;
    this.#signature = undefined;
    this.#reasoning = [];
    this.#message = [];
  }

  show(thinking: string): void {
    this.#shown += thinking;
  }

  addReasoning(opaque: readonly OpaqueState[] | undefined): void {
    for (const state of opaque ?? []) {
      this.#vendor ??= state.vendor;
      this.#reasoning.push(state);
    }
  }

  addMessage(opaque: readonly OpaqueState[] | undefined): void {
    for (const state of opaque ?? []) {
      if (isGoogleSignature(state)) this.#signature = state.value;
      else this.#message.push(state);
    }
  }

  /** `extra_content` of one call, and nothing where it has no state. */
  callState(opaque: readonly OpaqueState[] | undefined): JsonObject {
    const states = opaque ?? [];
    const signature = states.find(isGoogleSignature);
    const others = states.filter((state) => state !== signature);
    if (states.length === 0) return {};
    if (signature !== undefined) this.#hasSignedCall = true;
    return {
      extra_content: {
        ...(signature === undefined ? {} : { google: { thought_signature: signature.value } }),
        ...(others.length === 0 ? {} : { holdfast: { call: writeStates(others) } }),
      },
    };
  }

  /** The fields of the message that hold its state, all at once. */
  messageFields(): JsonObject {
    const own = this.#reasoning.filter(({ vendor }) => vendor === this.#vendor);
    const details = own.flatMap(({ kind, value }) => (kind === 'reasoning_details' && isList(value) ? value : []));
    const extra = this.#messageExtra(own);
    return {
      ...(details.length === 0 ? {} : { reasoning_details: details }),
      ...(Object.keys(extra).length === 0 ? {} : { extra_content: extra }),
    };
  }

  #messageExtra(own: readonly OpaqueState[]): JsonObject {
    const wanted = own.map(({ kind, value }) => (kind === 'reasoning_content' ? textOf(value) : '')).join('');
    // Where the vendor wants back what was shown, the client has it already; what is missing is whose it is.
    const isWanted = wanted === this.#shown;
    const isNamed = this.#vendor !== undefined || this.#signature !== undefined || this.#hasSignedCall;
    const rest = this.#reasoning.filter(({ vendor, kind, value }) => {
      if (vendor !== this.#vendor) return true;
      return kind === 'reasoning_content' ? !isWanted : kind !== 'reasoning_details' || !isList(value);
    });
    const holdfast: JsonObject = {
      ...(this.#vendor === undefined ? {} : { vendor: this.#vendor }),
      ...(isNamed && !isWanted ? { shown: SHOWN } : {}),
      ...(rest.length === 0 ? {} : { reasoning: writeStates(rest) }),
      ...(this.#message.length === 0 ? {} : { message: writeStates(this.#message) }),
    };
    return {
      ...(this.#signature === undefined ? {} : { google: { thought_signature: this.#signature } }),
      ...(Object.keys(holdfast).length === 0 ? {} : { holdfast }),
    };
  }
}

function isGoogleSignature(state: OpaqueState): boolean {
  return state.vendor === 'google' && state.kind === 'thought_signature';
}

import type { JsonObject, JsonValue, OpaqueState } from '../../turn/index.js';
import { writeStates } from './extra-content.js';
import { isList } from './wire.js';

/**
 * The opaque state of one reply on its way to a client: Google's signatures and `reasoning_details` in the fields that
 * this wire's ecosystem knows, the rest in our own namespace. Each is written once, since some libraries overwrite a
 * field that comes again and others put its strings together.
 */
export class ClientExtra {
  #vendor: string | undefined;
  #signature: JsonValue | undefined;
  readonly #reasoning: OpaqueState[] = [];
  readonly #message: OpaqueState[] = [];

  /** Keeps the state of a reasoning item and returns the `reasoning_details` among it. */
  addReasoning(opaque: readonly OpaqueState[] | undefined): readonly JsonValue[] {
    const details: JsonValue[] = [];
    for (const state of opaque ?? []) {
      // The text went out as `reasoning_content` and comes back in it; what is missing is whose it is.
      if (state.kind === 'reasoning_content') this.#vendor ??= state.vendor;
      else if (state.kind === 'reasoning_details' && isList(state.value)) {
        this.#vendor ??= state.vendor;
        details.push(...state.value);
      } else this.#reasoning.push(state);
    }
    return details;
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
    return {
      extra_content: {
        ...(signature === undefined ? {} : { google: { thought_signature: signature.value } }),
        ...(others.length === 0 ? {} : { holdfast: { call: writeStates(others) } }),
      },
    };
  }

  /** `extra_content` of the message, all at once. */
  messageExtra(): JsonObject | undefined {
    const holdfast: JsonObject = {
      ...(this.#vendor === undefined ? {} : { vendor: this.#vendor }),
      ...(this.#reasoning.length === 0 ? {} : { reasoning: writeStates(this.#reasoning) }),
      ...(this.#message.length === 0 ? {} : { message: writeStates(this.#message) }),
    };
    const extra: JsonObject = {
      ...(this.#signature === undefined ? {} : { google: { thought_signature: this.#signature } }),
      ...(Object.keys(holdfast).length === 0 ? {} : { holdfast }),
    };
    return Object.keys(extra).length === 0 ? undefined : extra;
  }
}

function isGoogleSignature(state: OpaqueState): boolean {
  return state.vendor === 'google' && state.kind === 'thought_signature';
}

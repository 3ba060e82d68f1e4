import type { JsonObject, JsonValue, OpaqueKind, OpaqueState } from '../../turn/index.js';
import { isRecord } from '../../wire/index.js';
import { filledRecord, isList, textOf, withoutKey } from './wire.js';

/** `extra_content` of a call or a message: the field in which this wire's ecosystem carries vendors' state. */
export interface ExtraContent {
  /** `google.thought_signature`, also behind relays. */
  readonly signature: string | undefined;
  /** What is left of it: another vendor's, to go back as it came. */
  readonly foreign: JsonObject | undefined;
}

export function readExtraContent(extra: JsonValue | undefined): ExtraContent {
  if (!isRecord(extra)) return NO_EXTRA;
  const google = isRecord(extra.google) ? extra.google : NOTHING;
  const signature = textOf(google.thought_signature);
  // `thought` only describes; it is nothing that goes back.
  const rest = withoutKey(withoutKey(google, 'thought_signature'), 'thought');
  const others = withoutKey(extra, 'google');
  const foreign = Object.keys(rest).length === 0 ? others : { ...others, google: rest };
  return { signature: signature === '' ? undefined : signature, foreign: filledRecord(foreign) };
}

/** What an item of this wire keeps for its vendor; `undefined` where nothing came. */
export function opaqueOf(extra: ExtraContent, vendor: string): readonly OpaqueState[] | undefined {
  const states: OpaqueState[] = [];
  if (extra.signature !== undefined) states.push(signatureState(extra.signature));
  if (extra.foreign !== undefined) states.push({ vendor, kind: 'foreign', value: { extra_content: extra.foreign } });
  return states.length === 0 ? undefined : states;
}

export function signatureState(value: string): OpaqueState {
  return { vendor: 'google', kind: 'thought_signature', value };
}

/** The fields of a call or a message that go back to the vendor that made all of these states. */
export function replayFields(own: readonly OpaqueState[]): JsonObject {
  let fields: JsonObject = {};
  let extra: JsonObject = {};
  for (const state of own) {
    if (state.kind === 'thought_signature') extra = mergeExtra(extra, { google: { thought_signature: state.value } });
    if (state.kind !== 'foreign' || !isRecord(state.value)) continue;
    fields = { ...fields, ...withoutKey(state.value, 'extra_content') };
    if (isRecord(state.value.extra_content)) extra = mergeExtra(extra, state.value.extra_content);
  }
  return Object.keys(extra).length === 0 ? fields : { ...fields, extra_content: extra };
}

/** Two objects of one wire field, merged one level down, as they name different vendors or different fields of one. */
function mergeExtra(a: JsonObject, b: JsonObject): JsonObject {
  if (isRecord(a.google) && isRecord(b.google)) return { ...a, ...b, google: { ...a.google, ...b.google } };
  return { ...a, ...b };
}

/**
 * Our own namespace toward clients, `extra_content.holdfast`: whose state a message carries, and the state that has
 * no field of its own on this wire.
 */
export interface HoldfastExtra {
  readonly vendor: string | undefined;
  /** `reasoning_content` holds text for people, which its vendor does not want back. */
  readonly onlyShows: boolean;
  readonly reasoning: readonly OpaqueState[];
  readonly message: readonly OpaqueState[];
  readonly call: readonly OpaqueState[];
}

export function readHoldfastExtra(extra: JsonValue | undefined): HoldfastExtra {
  const own = isRecord(extra) && isRecord(extra.holdfast) ? extra.holdfast : NOTHING;
  const vendor = textOf(own.vendor);
  return {
    vendor: vendor === '' ? undefined : vendor,
    onlyShows: own.shown === SHOWN,
    reasoning: readStates(own.reasoning),
    message: readStates(own.message),
    call: readStates(own.call),
  };
}

/** The value of `shown` in our own namespace: the field that only shows. */
export const SHOWN = 'reasoning_content';

/** The states as our own namespace writes them. */
export function writeStates(states: readonly OpaqueState[]): JsonValue {
  return states.map(({ vendor, kind, value }) => ({ vendor, kind, value }));
}

function readStates(value: JsonValue | undefined): readonly OpaqueState[] {
  if (!isList(value)) return [];
  const states: OpaqueState[] = [];
  for (const entry of value) {
    if (!isRecord(entry) || entry.value === undefined) continue;
    const vendor = textOf(entry.vendor);
    const kind = KINDS.find((known) => known === entry.kind);
    if (vendor !== '' && kind !== undefined) states.push({ vendor, kind, value: entry.value });
  }
  return states;
}

const NOTHING: JsonObject = {};

const NO_EXTRA: ExtraContent = { signature: undefined, foreign: undefined };

const KINDS: readonly OpaqueKind[] = [
  'thought_signature',
  'reasoning_content',
  'reasoning_details',
  'content_array',
  'signature',
  'redacted_thinking',
  'encrypted_content',
  'item_id',
  'foreign',
];

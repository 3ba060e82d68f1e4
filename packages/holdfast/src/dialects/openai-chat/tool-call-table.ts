import type { ItemId, JsonObject, JsonValue, OpaqueState, ReplyEvent, ToolInput } from '../../turn/index.js';
import { isRecord, WIRE_LIMITS } from '../../wire/index.js';
import { ArgumentText } from './argument-text.js';
import { readCallDelta } from './call-delta.js';
import type { CallDelta } from './call-delta.js';
import { madeCallId } from '../made-call-id.js';
import { opaqueOf, readExtraContent } from './extra-content.js';
import type { ItemCounter } from './item-counter.js';

export interface TableOptions {
  readonly vendor: string;
  readonly places: ItemCounter;
  /** Arguments arrive as growing snapshots instead of pieces. */
  readonly snapshots: boolean;
}

/** Why the reply cannot be trusted any more. */
export type TableProblem = 'arguments_too_large' | 'too_many_tool_calls' | 'json_too_deep';

/** Calls of one reply. Far above what any model asks for at once. */
const TOOL_CALLS_MAX = 1_024;

/** A call as it stands when its reply has ended. */
export interface SettledCall {
  readonly position: number;
  readonly name: string;
  readonly input: ToolInput;
  /** What the wire carried is empty: `{}` where the reply was whole, and a cut call where it was not. */
  readonly isBare: boolean;
  /** What was held back of its deltas, and its completion. */
  readonly events: readonly ReplyEvent[];
}

/**
 * Which delta belongs to which call. `index` is a label: it may begin at 1, be missing, or be the same for all
 * calls. A new id together with a name under a used index is a new call; empty, null or repeated ids and names
 * mean "unchanged". Nothing completes here before the reply has ended.
 */
export class ToolCallTable {
  readonly #options: TableOptions;
  readonly #calls: OpenCall[] = [];
  readonly #byLabel: Map<number, OpenCall> = new Map();
  readonly #ids: Set<string> = new Set();
  #problem: TableProblem | undefined;

  constructor(options: TableOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  get problem(): TableProblem | undefined {
    return this.#problem;
  }

  /** `tool_calls` of a delta or of a message. */
  read(deltas: readonly JsonValue[], out: ReplyEvent[]): void {
    for (const delta of deltas) {
      if (isRecord(delta)) this.#readOne(delta, out);
    }
  }

  settle(): readonly SettledCall[] {
    return this.#calls.map((call) => this.#settle(call));
  }

  #readOne(wire: JsonObject, out: ReplyEvent[]): void {
    const delta = readCallDelta(wire);
    if (delta === 'too_deep') {
      this.#problem = 'json_too_deep';
      return;
    }
    const call = this.#find(delta) ?? this.#open(delta, out);
    if (call === undefined) return;
    this.#learn(call, delta);
    if (delta.extra) readState(call, delta.extra, this.#options.vendor);
    const text = call.text.add(delta.piece);
    if (text !== '') out.push({ type: 'item.delta', item: call.item, text });
    if (call.text.chars > WIRE_LIMITS.argumentCharsMax) this.#problem = 'arguments_too_large';
  }

  #find({ label, id, name }: CallDelta): OpenCall | undefined {
    if (label === undefined) {
      if (name !== '') return undefined;
      return this.#calls.findLast((call) => id !== '' && call.wireId === id) ?? this.#calls.at(-1);
    }
    const call = this.#byLabel.get(label);
    const isNew = call !== undefined && id !== '' && name !== '' && call.wireId !== '' && call.wireId !== id;
    return isNew ? undefined : call;
  }

  /** Nothing opens on a delta that says nothing. */
  #open(first: CallDelta, out: ReplyEvent[]): OpenCall | undefined {
    if (first.id === '' && first.name === '' && first.piece === '') return undefined;
    if (this.#calls.length >= TOOL_CALLS_MAX) {
      this.#problem = 'too_many_tool_calls';
      return undefined;
    }
    const { item, position } = this.#options.places.take();
    const call: OpenCall = {
      item,
      position,
      wireId: '',
      callId: '',
      name: first.name,
      isCustom: first.isCustom,
      text: new ArgumentText(this.#options.snapshots),
      opaque: undefined,
    };
    this.#calls.push(call);
    if (first.label !== undefined) this.#byLabel.set(first.label, call);
    this.#learn(call, first);
    out.push({
      type: 'item.started',
      item,
      kind: 'tool_call',
      name: first.name === '' ? undefined : first.name,
      callId: call.callId === '' ? undefined : call.callId,
      inferred: false,
    });
    return call;
  }

  /** The first id and the first name count; an id that its reply has used before pairs nothing. */
  #learn(call: OpenCall, { id, name }: CallDelta): void {
    if (call.name === '') call.name = name;
    if (call.wireId !== '' || id === '') return;
    call.wireId = id;
    call.callId = this.#ids.has(id) ? madeCallId(call.item) : id;
    this.#ids.add(id);
  }

  #settle(call: OpenCall): SettledCall {
    const { isBare } = call.text;
    const held = call.text.settle();
    const input = call.isCustom ? ({ form: 'text', text: call.text.value } as const) : call.text.input();
    const callId = call.callId === '' ? madeCallId(call.item) : call.callId;
    const { item, position, name, opaque } = call;
    const content = { kind: 'tool_call', callId, idFromProvider: callId === call.wireId, name, input } as const;
    const events: ReplyEvent[] = held === '' ? [] : [{ type: 'item.delta', item, text: held }];
    events.push({ type: 'item.completed', item, result: { content, opaque } });
    return { position, name, input, isBare: isBare && !call.isCustom, events };
  }
}

interface OpenCall {
  readonly item: ItemId;
  readonly position: number;
  /** The provider's id; empty where none came. */
  wireId: string;
  callId: string;
  name: string;
  readonly isCustom: boolean;
  readonly text: ArgumentText;
  opaque: readonly OpaqueState[] | undefined;
}

/** A later delta may bring what the first had not; what came stays. */
function readState(call: OpenCall, extra: JsonValue, vendor: string): void {
  const states = opaqueOf(readExtraContent(extra), vendor) ?? [];
  const older = (call.opaque ?? []).filter((state) => !states.some(({ kind }) => kind === state.kind));
  if (states.length > 0) call.opaque = [...older, ...states];
}

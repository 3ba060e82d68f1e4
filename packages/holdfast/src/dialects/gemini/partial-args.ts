import type { JsonValue, ToolInput } from '../../turn/index.js';
import { depthWithin, isRecord, parseJson, WIRE_LIMITS } from '../../wire/index.js';
import type { ArgUpdate } from './wire.js';

/** Arguments that arrived whole; absent ones are an empty object. `undefined` where they pass the limits. */
export function wholeInput(args: JsonValue | undefined): ToolInput | undefined {
  const value = args ?? {};
  if (!depthWithin(value, WIRE_LIMITS.jsonDepthMax)) return undefined;
  const text = JSON.stringify(value);
  if (text.length > WIRE_LIMITS.argumentCharsMax) return undefined;
  return isRecord(value) ? { form: 'json', text, value } : { form: 'invalid', text };
}

/**
 * The arguments of one call that arrive as path updates (Vertex), put together. An update that makes no sense
 * spoils the call, never the reply: the call then completes as invalid.
 */
export class PartialArgs {
  readonly #root: Branch = new Map();
  readonly #openStrings: Set<string> = new Set();
  #chars = 0;
  #sound = true;

  /** Some hosts put values that do not stream beside those that do. */
  assign(args: JsonValue): void {
    if (!isRecord(args)) this.#sound = false;
    else
      for (const [name, value] of Object.entries(args)) if (value !== undefined) this.#root.set(name, { whole: value });
  }

  apply(update: ArgUpdate): void {
    const { path, value, willContinue } = update;
    const append = this.#openStrings.has(path);
    if (willContinue) this.#openStrings.add(path);
    else this.#openStrings.delete(path);
    if (value === undefined) return;
    this.#chars += (typeof value === 'string' ? value.length : 8) + (append ? 0 : path.length);
    if (this.isTooLarge) return;
    const segments = readPath(path);
    if (segments === undefined || !write(this.#root, segments, { value, append })) this.#sound = false;
  }

  /** The object so far, in the order in which its places were first named. `undefined` where it passes the limits. */
  close(): ToolInput | undefined {
    if (this.isTooLarge) return undefined;
    const input = wholeInput(plain(this.#root));
    return input === undefined || this.#sound ? input : { form: 'invalid', text: input.text };
  }

  get isTooLarge(): boolean {
    return this.#chars > WIRE_LIMITS.argumentCharsMax;
  }
}

type Segment = string | number;
type Scalar = string | number | boolean | null;
/** Maps and not objects: names come from the wire, and `__proto__` is a name like any other. */
type Branch = Map<string, Tree>;
type Tree = Scalar | Branch | Tree[] | Whole;

/** A value that came as JSON. */
interface Whole {
  readonly whole: JsonValue;
}

/** How far an index may be ahead of its array, which grows in order as a rule. More would cost memory for no text. */
const ARRAY_GAP_MAX = 16;

const SEGMENT = /\.([^.[\]]+)|\[(\d{1,7})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** A singular path of RFC 9535: dotted names, indexes, quoted names. `undefined` for anything else. */
function readPath(path: string): readonly Segment[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const segments: Segment[] = [];
  let at = 1;
  while (at < path.length) {
    SEGMENT.lastIndex = at;
    const match = SEGMENT.exec(path);
    const segment = match === null ? undefined : readSegment(match);
    if (segment === undefined || segments.length === WIRE_LIMITS.jsonDepthMax) return undefined;
    segments.push(segment);
    at = SEGMENT.lastIndex;
  }
  return segments.length === 0 ? undefined : segments;
}

function readSegment(match: RegExpExecArray): Segment | undefined {
  const [, name, index, single, double] = match;
  if (name !== undefined) return name;
  if (index !== undefined) return Number(index);
  if (double !== undefined) return unquote(double);
  // JSON knows no \' and wants " escaped.
  return single === undefined
    ? undefined
    : unquote(single.replace(/\\(.)|"/gs, (found, escaped) => requote(found, escaped)));
}

function requote(found: string, escaped: string | undefined): string {
  if (escaped === "'") return "'";
  return escaped === undefined ? '\\"' : found;
}

function unquote(quoted: string): string | undefined {
  const json = parseJson(`"${quoted}"`);
  return json.ok && typeof json.value === 'string' ? json.value : undefined;
}

interface Piece {
  readonly value: Scalar;
  /** The value goes on where an open string ended. */
  readonly append: boolean;
}

function write(root: Branch, segments: readonly Segment[], piece: Piece): boolean {
  let node: Tree = root;
  for (const [depth, key] of segments.entries()) {
    if (!fits(node, key)) return false;
    const old: Tree | undefined = get(node, key);
    const next = segments[depth + 1];
    if (next === undefined) {
      put(node, key, piece.append && typeof old === 'string' ? old + String(piece.value) : piece.value);
      return true;
    }
    const grown: Tree = isContainer(old) ? old : emptyFor(next);
    if (grown !== old) put(node, key, grown);
    node = grown;
  }
  return false;
}

function fits(node: Tree, key: Segment): boolean {
  if (Array.isArray(node)) return typeof key === 'number' && key <= node.length + ARRAY_GAP_MAX;
  return node instanceof Map && typeof key === 'string';
}

function get(node: Tree, key: Segment): Tree | undefined {
  if (Array.isArray(node)) return typeof key === 'number' ? node[key] : undefined;
  return node instanceof Map && typeof key === 'string' ? node.get(key) : undefined;
}

function put(node: Tree, key: Segment, value: Tree): void {
  if (Array.isArray(node) && typeof key === 'number') {
    while (node.length < key) node.push(null);
    node[key] = value;
  } else if (node instanceof Map && typeof key === 'string') {
    node.set(key, value);
  }
}

function isContainer(tree: Tree | undefined): tree is Branch | Tree[] {
  return Array.isArray(tree) || tree instanceof Map;
}

function emptyFor(key: Segment): Branch | Tree[] {
  return typeof key === 'number' ? [] : new Map<string, Tree>();
}

function plain(tree: Tree): JsonValue {
  if (Array.isArray(tree)) return tree.map(plain);
  if (typeof tree !== 'object' || tree === null) return tree;
  if (!(tree instanceof Map)) return tree.whole;
  return Object.fromEntries([...tree].map(([name, value]) => [name, plain(value)]));
}

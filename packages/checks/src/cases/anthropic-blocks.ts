import type { JsonObject } from 'holdfast/turn';
import { isObject, numberAt, objectAt, textAt } from '../data/json.js';
import type { WireDocument } from './wire-document.js';

const DELTAS_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ['text', ['text_delta', 'citations_delta']],
  ['thinking', ['thinking_delta', 'signature_delta']],
  ['tool_use', ['input_json_delta']],
]);

interface OpenBlock {
  readonly index: number;
  readonly type: string;
}

/**
 * What is wrong with the content blocks of a Messages stream: they start at 0, rise by one, are open one at a time,
 * and each start has one stop. `undefined` where nothing is.
 */
export function brokenBlocks(document: WireDocument): string | undefined {
  let blocks: Blocks = { open: undefined, next: 0, broken: undefined };
  for (const event of document.values.filter(isObject)) {
    blocks = step(blocks, event);
    if (blocks.broken !== undefined) return blocks.broken;
  }
  return blocks.open === undefined ? undefined : `block ${blocks.open.index} never stops`;
}

interface Blocks {
  readonly open: OpenBlock | undefined;
  readonly next: number;
  readonly broken: string | undefined;
}

function step(blocks: Blocks, event: JsonObject): Blocks {
  const index = numberAt(event, 'index') ?? -1;
  const type = textAt(event, 'type');
  if (type === 'content_block_start') return started(blocks, event, index);
  if (type === 'content_block_stop') {
    const broken = blocks.open?.index === index ? undefined : `block ${index} stops and is not open`;
    return { ...blocks, open: undefined, broken };
  }
  if (type !== 'content_block_delta' || fits(blocks.open, event)) return blocks;
  return { ...blocks, broken: `a ${textAt(objectAt(event, 'delta'), 'type')} of block ${index} has no place` };
}

function started({ open, next }: Blocks, event: JsonObject, index: number): Blocks {
  const whileOpen = open === undefined ? undefined : `block ${index} starts while ${open.index} is open`;
  const outOfTurn = index === next ? undefined : `block ${index} starts where ${next} was next`;
  const block = { index, type: textAt(objectAt(event, 'content_block'), 'type') ?? '' };
  return { open: block, next: next + 1, broken: whileOpen ?? outOfTurn };
}

function fits(open: OpenBlock | undefined, event: JsonObject): boolean {
  if (open === undefined || open.index !== numberAt(event, 'index')) return false;
  const kinds = DELTAS_OF.get(open.type);
  return kinds === undefined || kinds.includes(textAt(objectAt(event, 'delta'), 'type') ?? '');
}

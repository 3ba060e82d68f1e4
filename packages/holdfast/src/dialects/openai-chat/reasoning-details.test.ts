import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../turn/index.js';
import { ReasoningDetails } from './reasoning-details.js';

function join(...deltas: readonly (readonly JsonValue[])[]): readonly JsonValue[] {
  const details = new ReasoningDetails();
  for (const pieces of deltas) details.join(pieces);
  return details.value;
}

describe('pieces of reasoning_details', () => {
  it('with one index and one type are one entry, whose last signature counts', () => {
    expect(
      join(
        [{ type: 'reasoning.text', text: 'a', format: 'f', index: 0, signature: null }],
        [{ type: 'reasoning.text', text: 'b', format: 'g', index: 0, signature: 'one' }],
        [{ type: 'reasoning.text', text: '', index: 0, signature: 'two' }],
        [{ type: 'reasoning.text', index: 0, signature: null }],
        [{ type: 'reasoning.text', index: 0, signature: '' }],
      ),
    ).toEqual([{ type: 'reasoning.text', text: 'ab', format: 'f', index: 0, signature: 'two' }]);
  });

  it('of another index, another type or another id are other entries, in their order', () => {
    const pieces = [
      { type: 'reasoning.summary', summary: 'a', index: 0 },
      { type: 'reasoning.encrypted', data: 'b', index: 0, id: 'x' },
      { type: 'reasoning.encrypted', data: 'c', index: 0, id: 'y' },
      { type: 'reasoning.encrypted', data: 'd', index: 1, id: 'x' },
    ];
    expect(join(...pieces.map((piece) => [piece]))).toEqual(pieces);
  });

  it('of encrypted data are put together as well', () => {
    expect(
      join(
        [{ type: 'reasoning.encrypted', data: 'a', index: 0 }],
        [{ type: 'reasoning.encrypted', data: 'b', index: 0, id: 'x' }],
      ),
    ).toEqual([{ type: 'reasoning.encrypted', data: 'ab', index: 0, id: 'x' }]);
  });

  it('without an index go on with the last text, and never with an encrypted block', () => {
    expect(
      join(
        [{ type: 'reasoning.text', text: 'a' }],
        [{ type: 'reasoning.text', text: 'b' }],
        [{ type: 'reasoning.encrypted', data: 'c' }],
        [{ type: 'reasoning.encrypted', data: 'd' }],
      ),
    ).toEqual([
      { type: 'reasoning.text', text: 'ab' },
      { type: 'reasoning.encrypted', data: 'c' },
      { type: 'reasoning.encrypted', data: 'd' },
    ]);
  });

  it('that are no objects, or have no type, are kept as they are', () => {
    expect(join(['x', { index: 0, text: 'a' }], [{ index: 0, text: 'b' }])).toEqual([
      'x',
      { index: 0, text: 'a' },
      { index: 0, text: 'b' },
    ]);
  });

  it('keep an own "__proto__" as a field and make no prototype of it', () => {
    const [entry] = join(
      [JSON.parse('{"type":"reasoning.text","index":0}')],
      [JSON.parse('{"type":"reasoning.text","index":0,"__proto__":{"a":1}}')],
    );
    expect(JSON.stringify(entry)).toBe('{"type":"reasoning.text","index":0,"__proto__":{"a":1}}');
  });
});

import { describe, expect, it } from 'vitest';
import { TextPile } from './text-pile.js';

describe('a pile of many small pieces', () => {
  it('is the pieces with the separator between them, and counts its characters before it is read', () => {
    const pieces = Array.from({ length: 2_000 }, (_, i) => (i % 3 === 0 ? '' : `piece ${i}`));
    const pile = new TextPile('\n');
    for (const piece of pieces) pile.add(piece);
    const whole = pieces.join('\n');
    expect([pile.chars, pile.isEmpty, pile.take()]).toEqual([whole.length, false, whole]);
  });

  it('is empty once it was read', () => {
    const pile = new TextPile('');
    pile.add('a');
    pile.take();
    expect([pile.isEmpty, pile.chars, pile.take()]).toEqual([true, 0, '']);
  });
});

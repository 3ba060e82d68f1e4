import { describe, expect, it } from 'vitest';
import { safeText } from './safe-text.js';

describe('text of a model on its way to a terminal (S24)', () => {
  it('keeps letters of every script, line ends and tabs', () => {
    const text = 'Grüße\n\t日本語 עברית العربية 👩‍🚀';
    expect(safeText(text)).toBe(text);
  });

  it.each([
    ['a window title', '\u001b]0;owned\u0007', ']0;owned'],
    ['a title in one C1 character', '\u009d0;owned\u009c', '0;owned'],
    ['a colour and a cleared screen', '\u001b[31mred\u001b[2J', '[31mred[2J'],
    ['a line that is written over', 'safe\rrm -rf', 'saferm -rf'],
    ['backspaces and a null', 'a\b\b\u0000b\u007f', 'ab'],
    ['a reversed name', 'invoice\u202egnp.exe\u202c', 'invoicegnp.exe'],
    ['isolates and marks', '\u2066a\u2069\u200f\u061cb', 'ab'],
  ])('loses %s', (_what, text, left) => {
    expect(safeText(text)).toBe(left);
  });

  it('is as harmless when a sequence is cut in two', () => {
    expect(safeText('\u001b') + safeText(']52;c;aGk=\u0007')).toBe(']52;c;aGk=');
  });
});

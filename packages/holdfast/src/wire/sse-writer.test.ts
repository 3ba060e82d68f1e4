import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseReader } from './sse-reader.js';
import { writeSseEvent } from './sse-writer.js';

describe('an event that is written', () => {
  it.each([
    [{ data: '{"a":1}' }, 'data: {"a":1}\n\n'],
    [{ name: 'ping', data: '{}' }, 'event: ping\ndata: {}\n\n'],
    [{ name: '', data: 'x' }, 'data: x\n\n'],
    [{ data: 'a\nb\r\nc\rd' }, 'data: a\ndata: b\ndata: c\ndata: d\n\n'],
    [{ data: '' }, 'data: \n\n'],
  ])('has one field to a line: %j', (event, text) => {
    expect(writeSseEvent(event)).toBe(text);
  });

  it.each(['a\nb', 'a\rb', '\n'])('is refused where its name would forge a field: %j', (name) => {
    expect(() => writeSseEvent({ name, data: 'x' })).toThrow(TypeError);
  });

  it('is read back as it was, with LF for every line break', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\r', ':', '{', '\u2028', '🐢', '\uFEFF') });
    const name = fc.option(fc.stringMatching(/^[a-z_.]{1,20}$/u), { nil: undefined });
    fc.assert(
      fc.property(name, text, (eventName, data) => {
        const reader = new SseReader();
        const bytes = new TextEncoder().encode(writeSseEvent({ name: eventName, data }));
        const lines = data.replace(/\r\n|\r/gu, '\n');
        const expected = /^\n*$/u.test(lines) ? [] : [{ type: 'event', name: eventName, data: lines }];
        expect([...reader.push(bytes), ...reader.end()]).toEqual(expected);
      }),
    );
  });
});

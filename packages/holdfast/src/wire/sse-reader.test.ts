import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SseFrame } from './sse-frame.js';
import { SseReader } from './sse-reader.js';

const FIXTURES = new URL('../../../../../shared/fixtures/', import.meta.url);

function event(data: string, name?: string): SseFrame {
  return { type: 'event', name, data };
}

function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? new TextEncoder().encode(text) : text;
}

/** The frames of each push, then those of the end. */
function readPieces(pieces: readonly (string | Uint8Array)[], eventCharsMax?: number): SseFrame[][] {
  const reader = new SseReader(eventCharsMax === undefined ? {} : { eventCharsMax });
  return [...pieces.map((piece) => reader.push(bytesOf(piece))), reader.end()];
}

function readAll(body: string | Uint8Array, eventCharsMax?: number): SseFrame[] {
  return readPieces([body], eventCharsMax).flat();
}

function fixture(path: string): Uint8Array {
  return readFileSync(new URL(path, FIXTURES));
}

describe('a line end', () => {
  it.each([
    ['LF', '\n'],
    ['CR', '\r'],
    ['CRLF', '\r\n'],
  ])('is %s', (_, end) => {
    const body = ['event: x', 'data: a', 'data: b', '', 'data: c', '', ''].join(end);
    expect(readAll(body)).toEqual([event('a\nb', 'x'), event('c')]);
  });

  it('is seen before the next byte, and its LF may come later', () => {
    const pieces = ['data: Hello \r', '\n\r', '\n', 'data: there.\r\n\r\n'];
    expect(readPieces(pieces)).toEqual([[], [event('Hello ')], [], [event('there.')], []]);
  });

  it('is no separator of Unicode', () => {
    expect(readAll('data: a\u2028b\u0085c\u2029d\u000be\u000cf\n\n')).toEqual([
      event('a\u2028b\u0085c\u2029d\u000be\u000cf'),
    ]);
  });
});

describe('a field', () => {
  it.each([
    ['loses one space', 'data:  a\n\n', [event(' a')]],
    ['needs no space', 'data:a\n\n', [event('a')]],
    ['keeps a colon in its value', 'data: a: b:c\n\n', [event('a: b:c')]],
    ['keeps a NUL', 'data: a\u0000b\n\n', [event('a\u0000b')]],
    ['is case-sensitive', 'Data: no\nDATA: no\ndata: 1\n\n', [event('1')]],
    ['names one event only', 'event: x\ndata: 1\n\ndata: 2\n\n', [event('1', 'x'), event('2')]],
    ['is forgotten with an event that has no data', 'event: x\n\ndata: 2\n\n', [event('2')]],
    ['counts where it stands last', 'event: a\nevent: b\ndata: 1\n\n', [event('1', 'b')]],
    ['is skipped where it is unknown', 'id: 1\nretry: 5\nfoo\nbar: x\ndata: 1\n\n', [event('1')]],
    ['names nothing where it is longer than a name', `event: ${'x'.repeat(129)}\ndata: 1\n\n`, [event('1')]],
  ])('%s', (_, body, frames) => {
    expect(readAll(body)).toEqual(frames);
  });
});

describe('an event with an empty data field', () => {
  it.each(['data\n\n', 'data:\n\n', 'data: \n\n', 'data\ndata:\n\n'])('is nothing: %j', (body) => {
    expect(readAll(`${body}data: 1\n\n`)).toEqual([event('1')]);
  });
});

describe('a comment', () => {
  it('is a frame of its own, within an event and outside', () => {
    const comment: SseFrame = { type: 'comment' };
    expect(readAll(': PROCESSING\n\ndata: 1\n:\ndata: 2\n\n:')).toEqual([comment, comment, event('1\n2'), comment]);
  });
});

describe('a byte order mark', () => {
  it('is skipped once, at the start, even in pieces', () => {
    const pieces = [
      Uint8Array.of(0xef),
      Uint8Array.of(0xbb),
      Uint8Array.of(0xbf),
      'data: 1\n\n\uFEFFdata: 2\n\ndata: 3\n\n',
    ];
    expect(readPieces(pieces).flat()).toEqual([event('1'), event('3')]);
  });
});

describe('a body that ends in the middle', () => {
  it.each([
    ['without the blank line', 'data: [DONE]\n'],
    ['without any line end', 'data: [DONE]'],
    ['after the CR of a CRLF', 'data: [DONE]\r'],
  ])('gives its last event %s', (_, body) => {
    expect(readPieces([body])).toEqual([[], [event('[DONE]')]]);
  });

  it('ends inside a character with U+FFFD', () => {
    expect(readPieces(['data: a', Uint8Array.of(0xf0, 0x9f)])).toEqual([[], [], [event('a\uFFFD')]]);
  });

  it('gives nothing where nothing was begun', () => {
    expect(readPieces(['', 'data: 1\n\n', ''])).toEqual([[], [event('1')], [], []]);
  });
});

describe('JSON that is no event', () => {
  const error = '{\n  "error": {\n    "code": 503,\n\n    "data": "x"\n  }\n}';

  it('is gathered to the end, in whatever pieces it comes', () => {
    const pieces = ['data: 1\r\n\r\n', '{\n  "error": {\n', '    "code": 503,\n\n    "data": "x"\n', '  }\n}\n'];
    expect(readPieces(pieces)).toEqual([[event('1')], [], [], [], [{ type: 'stray', text: error }]]);
  });

  it('is a whole body, on one line or more, an array or after spaces', () => {
    for (const text of [error, '{"id":"x"}', '[{"error":{}}]', ' \t {"a":1}']) {
      expect(readAll(text)).toEqual([{ type: 'stray', text }]);
    }
  });

  it('ends where an event begins', () => {
    const body = '{"error":\n1}\n\nevent: x\ndata: 2\n\n[3]\ndata: 4\n\n';
    expect(readAll(body)).toEqual([
      { type: 'stray', text: '{"error":\n1}' },
      event('2', 'x'),
      { type: 'stray', text: '[3]' },
      event('4'),
    ]);
  });

  it('leaves comments what they are, and hands no name on to a later event', () => {
    expect(readAll('event: error\n{"a":1}\n: hi\n\ndata: 2\n\n')).toEqual([
      { type: 'comment' },
      { type: 'stray', text: '{"a":1}' },
      event('2'),
    ]);
  });

  it('is not seen inside an event, where it is an unknown field', () => {
    expect(readAll('data: 1\n{"a":1}\n\n')).toEqual([event('1')]);
  });

  it('is not any text', () => {
    expect(readAll('<html>\n{no}\n</html>\nupstream error\n')).toEqual([
      { type: 'stray', text: '{no}\n</html>\nupstream error' },
    ]);
    expect(readAll('<html></html>\nupstream error\n')).toEqual([]);
  });
});

describe('an event larger than the limit', () => {
  it('is told with its size, dropped, and read past', () => {
    const body = `data: ${'x'.repeat(11)}\n\ndata: ${'y'.repeat(10)}\n\n`;
    expect(readAll(body, 10)).toEqual([{ type: 'oversize', chars: 11 }, event('y'.repeat(10))]);
  });

  it('is measured over all its lines', () => {
    expect(readAll('data: 12345\ndata: 6789\n\n', 10)).toEqual([event('12345\n6789')]);
    expect(readAll('data: 12345\ndata: 67890\n: c\ndata: 1\n\ndata: 2\n\n', 10)).toEqual([
      { type: 'comment' },
      { type: 'oversize', chars: 13 },
      event('2'),
    ]);
  });

  it('is told alike where its line comes in pieces and is never held whole', () => {
    const piece = 'x'.repeat(1_000);
    const pieces = ['data: ', ...Array<string>(1_000).fill(piece), '\n\n', 'data: 1\n\n'];
    const frames: SseFrame[] = [{ type: 'oversize', chars: 1_000_000 }, event('1')];
    expect([readPieces(pieces, 5_000).flat(), readAll(pieces.join(''), 5_000)]).toEqual([frames, frames]);
  });

  it('may be stray text', () => {
    expect(readAll(`{\n${'x'.repeat(1_000)}\n}`, 100)).toEqual([{ type: 'oversize', chars: 1_004 }]);
  });

  it('is no comment and no unknown field, however long', () => {
    const pieces = [':', 'x'.repeat(5_000), '\n', `foo: ${'x'.repeat(5_000)}`, '\ndata: 1\n\n'];
    expect(readPieces(pieces, 100).flat()).toEqual([{ type: 'comment' }, event('1')]);
  });
});

describe('a long line in small pieces', () => {
  it('costs its length: eight times the length takes nowhere near sixty-four times the work', () => {
    const spent = (chars: number): number => {
      const reader = new SseReader();
      const piece = bytesOf('x'.repeat(1_024));
      const before = process.cpuUsage();
      reader.push(bytesOf('data: '));
      for (let sent = 0; sent < chars; sent += piece.length) reader.push(piece);
      expect(reader.push(bytesOf('\n\n'))).toEqual([event('x'.repeat(chars))]);
      return process.cpuUsage(before).user;
    };
    spent(1 << 20);
    const [small, large] = [spent(1 << 20), spent(1 << 23)];
    expect(large).toBeLessThan(Math.max(small, 20_000) * 40);
  });
});

describe('bytes that mean harm', () => {
  it.each([
    ['no line end in a megabyte', 'x'.repeat(1 << 20), []],
    ['a megabyte of line ends', '\r\n\r'.repeat(350_000), []],
    ['a megabyte of colons', ':'.repeat(1 << 20), [{ type: 'comment' }]],
    ['NULs', '\u0000'.repeat(100_000), []],
    ['a million empty data lines', 'data\n'.repeat(1_000_000), []],
    ['JSON that is 100,000 deep', '['.repeat(100_000), [{ type: 'stray', text: '['.repeat(100_000) }]],
  ])('are read to the end: %s', (_, body, frames) => {
    expect(readAll(body)).toEqual(frames);
  });

  it('are read to the end: every byte value, many times', () => {
    const body = Uint8Array.from({ length: 1 << 20 }, (_, i) => (i * 7919 + (i >> 8)) & 0xff);
    for (const frame of readAll(body)) expect(frame.type).toMatch(/^(?:event|comment|stray)$/u);
  });
});

describe.skipIf(!existsSync(FIXTURES))('a recorded body (shared/fixtures)', () => {
  it('gives its last event although the blank line is missing', () => {
    const last = ['openai-chat/xai-undispatched-tail.sse', 'gemini/prompt-blocked.sse'].map((path) =>
      readAll(fixture(path)).at(-1),
    );
    expect(last).toEqual([
      event('[DONE]'),
      { type: 'event', name: undefined, data: expect.stringContaining('blockReason') },
    ]);
  });

  it('gives the bare error object after its events', () => {
    const frames = readAll(fixture('gemini/error-mid-stream-raw-json.txt'));
    const stray = frames.at(-1);
    expect(frames.map((frame) => frame.type)).toEqual(['event', 'event', 'stray']);
    expect(stray?.type === 'stray' ? JSON.parse(stray.text) : undefined).toMatchObject({
      error: { code: 499, status: 'CANCELLED' },
    });
  });
});

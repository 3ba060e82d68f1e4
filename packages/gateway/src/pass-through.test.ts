import { describe, expect, it } from 'vitest';
import { PassThrough } from './pass-through.js';

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const textOf = (chunks: readonly Uint8Array[]): string => Buffer.concat(chunks).toString('utf8');

const STREAMS: Readonly<Record<string, string>> = {
  LF: 'data: {"a":1}\n\ndata: {"b":"é"}\n\ndata: [DONE]\n\n',
  CRLF: 'data: {"a":1}\r\n\r\ndata: {"b":"é"}\r\n\r\ndata: {"c":3}\r\n\r\n',
  CR: 'data: {"a":1}\r\rdata: {"b":"é"}\r\rdata: {"c":3}\r\r',
};
const WHOLE_EVENTS = /^(?:data: .*?(?:\r\n\r\n|\n\n|\r\r))*$/su;

describe('a stream that comes in pieces', () => {
  it.each(Object.keys(STREAMS))(
    'with %s lines goes out unchanged and only in whole events, wherever it is cut in two',
    (name) => {
      const bytes = bytesOf(STREAMS[name] ?? '');
      for (let cut = 1; cut < bytes.length; cut += 1) {
        const pass = new PassThrough(64 * 1024);
        const first = pass.take(bytes.subarray(0, cut));
        expect(textOf(first)).toMatch(WHOLE_EVENTS);
        const second = pass.take(bytes.subarray(cut));
        expect(textOf([...first, ...second])).toBe(STREAMS[name]);
      }
    },
  );

  it.each(Object.keys(STREAMS))(
    'with %s lines gives each event with its last byte when it comes byte by byte',
    (name) => {
      const bytes = bytesOf(STREAMS[name] ?? '');
      const pass = new PassThrough(64 * 1024);
      const released = [...bytes].map((byte) => textOf(pass.take(Uint8Array.of(byte)))).filter((text) => text !== '');
      expect(released.join('')).toBe(STREAMS[name]);
      expect(released.length).toBe(3);
    },
  );
});

describe('a stream that fails inside an event', () => {
  it('has shown nothing of that event', () => {
    const pass = new PassThrough(64 * 1024);
    expect(textOf(pass.take(bytesOf('data: 1\n\ndata: {"half')))).toBe('data: 1\n\n');
    expect(pass.isInsideEvent).toBe(false);
    pass.rest();
    expect(textOf(pass.take(bytesOf('data: 2\n\n')))).toBe('data: 2\n\n');
  });
});

describe('an event larger than the bound', () => {
  it('goes out as it comes, and the stream says that it is inside an event until that one ends', () => {
    const pass = new PassThrough(8);
    const steps = ['data: 12345', '6789', '\n', '\n'].map((piece) => [
      textOf(pass.take(bytesOf(piece))),
      pass.isInsideEvent,
    ]);
    expect(steps).toEqual([
      ['data: 12345', true],
      ['6789', true],
      ['\n', true],
      ['\n', false],
    ]);
  });
});

describe('a stream whose last event lacks its empty line', () => {
  it('still hands it over at the end', () => {
    const pass = new PassThrough(64);
    expect(textOf(pass.take(bytesOf('data: 1\n\ndata: [DONE]\n')))).toBe('data: 1\n\n');
    expect(textOf(pass.rest())).toBe('data: [DONE]\n');
  });
});

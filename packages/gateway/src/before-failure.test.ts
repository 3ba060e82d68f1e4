import { describe, expect, it } from 'vitest';
import { beforeFailure } from './before-failure.js';

const kept = (text: string): string => Buffer.from(beforeFailure(Buffer.from(text, 'utf8'))).toString('utf8');
const TEXT = 'data: {"choices":[{"delta":{"content":"Hé"},"finish_reason":null}]}\n\n';

describe('the bytes of an arrival in which a reply failed', () => {
  it.each([
    ["the provider's error chunk", 'data: {"error":{"message":"busy"}}\n\n'],
    ["the provider's error event", 'event: error\ndata: {"message":"busy"}\n\n'],
    ['a bare error object', '{"error":{"code":503}}\n\n'],
    ['an event that is no JSON', 'data: {"choices":[\n\n'],
    ['a finish reason', 'data: {"choices":[{"delta":{},"finish_reason":"length"}]}\n\n'],
    ['a Gemini finish reason', 'data: {"candidates":[{"finishReason":"MAX_TOKENS"}]}\n\n'],
    ['the end mark', 'data: [DONE]\n\n'],
    ['an event without its end', 'data: {"choices":[]}'],
  ])('are kept up to %s', (_what, failed) => {
    expect(kept(`: comment\n\n${TEXT}${failed}${TEXT}`)).toBe(`: comment\n\n${TEXT}`);
  });

  it('are kept whole where nothing in them is wrong', () => {
    const stream = `${TEXT}data: {"error":null,"choices":[]}\r\n\r\n${TEXT}`;
    expect(kept(stream)).toBe(stream);
  });
});

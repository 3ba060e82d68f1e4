import { describe, expect, it } from 'vitest';
import { UNKNOWN_PRODUCER } from '../../turn/index.js';
import type { JsonObject } from '../../turn/index.js';
import type { Amendment, WireRequest } from '../dialect.js';
import { GEMINI } from './index.js';

const BODY: JsonObject = {
  newer: { z: 1 },
  generationConfig: { topK: 1, maxOutputTokens: 10, x: true },
  contents: [{ role: 'user', parts: [{ text: 'go', odd: 1 }] }],
  safetySettings: [],
};

function amend(body: JsonObject, amendment: Partial<Amendment>, stream = true): WireRequest {
  const client = { path: '/v1beta/models/main:streamGenerateContent', query: {}, headers: {}, body };
  return GEMINI.amendRequest(
    client,
    { model: 'gemini-x', maxOutputTokens: undefined, notes: [], ...amendment },
    { vendor: 'google', stream, quirks: {}, capabilities: UNKNOWN_PRODUCER },
  );
}

describe('a client body that passes through', () => {
  it('goes to the model that the upstream knows, and is otherwise the same text', () => {
    const wire = amend(BODY, {});
    expect(wire.path).toBe('/models/gemini-x:streamGenerateContent?alt=sse');
    expect(JSON.stringify(wire.body)).toBe(JSON.stringify(BODY));
    expect(amend(BODY, {}, false).path).toBe('/models/gemini-x:generateContent');
  });

  it('with another cap differs in the cap alone', () => {
    const wire = amend(BODY, { maxOutputTokens: 40 });
    expect(JSON.stringify(wire.body)).toBe(
      JSON.stringify(BODY).replace('"maxOutputTokens":10', '"maxOutputTokens":40'),
    );
  });

  it.each([
    [{ contents: [] }, { contents: [], generationConfig: { maxOutputTokens: 40 } }],
    [
      { generation_config: { max_output_tokens: 1 }, contents: [] },
      { generation_config: { max_output_tokens: 40 }, contents: [] },
    ],
    [
      { generationConfig: null, contents: [] },
      { generationConfig: { maxOutputTokens: 40 }, contents: [] },
    ],
  ])('gets its cap once, in the spelling of %o', (body, wanted) => {
    expect(JSON.stringify(amend(body, { maxOutputTokens: 40 }).body)).toBe(JSON.stringify(wanted));
  });

  it('with notes has them as contents at its end, and everything before unchanged', () => {
    const { contents, ...rest } = amend(BODY, { notes: ['one', 'two'] }).body;
    const { contents: before, ...others } = BODY;
    expect(JSON.stringify(contents)).toBe(
      `${JSON.stringify(before).slice(0, -1)},{"role":"user","parts":[{"text":"one"}]},{"role":"user","parts":[{"text":"two"}]}]`,
    );
    expect(rest).toEqual(others);
  });

  it('that names its model in the body as well names the new one', () => {
    expect(amend({ model: 'models/main', contents: [] }, {}).body).toEqual({ model: 'models/gemini-x', contents: [] });
  });
});

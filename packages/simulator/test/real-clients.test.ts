import { GoogleGenAI } from '@google/genai';
import type { Content, Part } from '@google/genai';
import { startSimulator } from '@holdfast/simulator';
import type { Simulator } from '@holdfast/simulator';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOL } from './ask.js';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ timeScale: 0 });
});
afterAll(() => simulator.close());

const DONE = 'Done after 3 rounds with 4 results.';

describe('the official SDK of OpenAI', () => {
  const client = (): OpenAI => new OpenAI({ apiKey: 'any', baseURL: `${simulator.url}/v1`, maxRetries: 0 });
  const tools = [{ type: 'function' as const, function: { ...TOOL, parameters: { ...TOOL.parameters } } }];

  it.each([true, false])('plays the signed tool loop to its end (streamed: %s)', async (stream) => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Save four notes.' }];
    for (let n = 0; n < 10; n += 1) {
      const body = { model: 'sim-tool-loop', messages, tools };
      const message = stream
        ? await client().chat.completions.stream(body).finalMessage()
        : (await client().chat.completions.create(body)).choices[0]?.message;
      if (message?.tool_calls === undefined) {
        expect(message?.content).toBe(DONE);
        return;
      }
      messages.push(message);
      for (const call of message.tool_calls) messages.push({ role: 'tool', tool_call_id: call.id, content: 'saved' });
    }
    expect.unreachable('The loop has no end.');
  });

  it.each([
    ['sim-bad-key', OpenAI.AuthenticationError],
    ['sim-rate-limited-long', OpenAI.RateLimitError],
    ['sim-unknown-model', OpenAI.NotFoundError],
    ['sim-overloaded', OpenAI.InternalServerError],
    ['sim-context-overflow', OpenAI.BadRequestError],
    ['sim-error-in-200', OpenAI.APIError],
  ])('reads %s as its own error', async (model, kind) => {
    const asked = client().chat.completions.stream({ model, messages: [{ role: 'user', content: 'Go.' }] });
    await expect(asked.finalMessage()).rejects.toBeInstanceOf(kind);
  });
});

describe('the official SDK of Google', () => {
  const client = (): GoogleGenAI => new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: simulator.url } });
  const tools = [{ functionDeclarations: [{ name: TOOL.name, parametersJsonSchema: TOOL.parameters }] }];

  it('plays the signed tool loop to its end, every chunk a content of its own', async () => {
    const contents: Content[] = [{ role: 'user', parts: [{ text: 'Save four notes.' }] }];
    for (let n = 0; n < 10; n += 1) {
      const parts: Part[] = [];
      const replies = await client().models.generateContentStream({
        model: 'sim-tool-loop',
        contents,
        config: { tools },
      });
      for await (const reply of replies) {
        const content = reply.candidates?.[0]?.content;
        if (content === undefined) continue;
        contents.push(content);
        parts.push(...(content.parts ?? []));
      }
      const calls = parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]));
      if (calls.length === 0) {
        expect(parts.map(({ text, thought }) => (thought === true ? '' : (text ?? ''))).join('')).toBe(DONE);
        return;
      }
      const results = calls.map(({ name = '' }) => ({ functionResponse: { name, response: { output: 'saved' } } }));
      contents.push({ role: 'user', parts: results });
    }
    expect.unreachable('The loop has no end.');
  });

  it.each([
    ['sim-bad-key', 400],
    ['sim-rate-limited-long', 429],
    ['sim-unknown-model', 404],
    ['sim-overloaded', 503],
  ])('reads %s as an error with status %i', async (model, status) => {
    const asked = client().models.generateContentStream({ model, contents: 'Go.' });
    await expect(asked).rejects.toMatchObject({ status });
  });
});

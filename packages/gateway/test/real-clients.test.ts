import { GoogleGenAI, ApiError } from '@google/genai';
import type { Content, FunctionCall, Part } from '@google/genai';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { startSimulator } from '@holdfast/simulator';
import type { Simulator } from '@holdfast/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { geminiHop, openGateway } from './open-gateway.js';
import type { Opened } from './open-gateway.js';

const MODEL = 'sim-tool-loop';
const PROMPT = 'Look into the two files and write down what they say.';
const ANSWER = /^Done after 3 rounds with 4 results\.$/;

let simulator: Simulator;
let opened: Opened;
let seenBefore = 0;

beforeAll(async () => {
  simulator = await startSimulator({ timeScale: 0 });
});
afterAll(() => simulator.close());
afterEach(() => opened.close());

/** The upstream is the simulator's Gemini, which validates signatures as the provider does. */
async function open(): Promise<Opened> {
  const hop = geminiHop(simulator.url, { model: MODEL });
  opened = await openGateway({ [MODEL]: { chain: [hop] } });
  seenBefore = simulator.requests.length;
  return opened;
}

const upstreamStatuses = (): readonly unknown[] =>
  simulator.requests.slice(seenBefore).map(({ dialect, status }) => `${dialect} ${status}`);

interface Loop {
  readonly rounds: number;
  readonly text: string;
  readonly hasThought: boolean;
}

describe('the openai SDK before a Gemini provider', () => {
  const tools: ChatCompletionTool[] = [
    {
      type: 'function',
      function: {
        name: 'write_file',
        description: 'Writes a file.',
        parameters: {
          type: 'object',
          properties: { path: { type: 'string' }, content: { type: 'string' } },
          required: ['path', 'content'],
        },
      },
    },
  ];

  type Message = OpenAI.Chat.Completions.ChatCompletionMessage;

  async function loop(
    ask: (client: OpenAI, messages: ChatCompletionMessageParam[]) => Promise<Message>,
    keep: (message: Message) => Message,
  ): Promise<Loop> {
    const client = new OpenAI({ baseURL: `${opened.gateway.url}/v1`, apiKey: 'any' });
    const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: PROMPT }];
    let hasThought = false;
    for (let rounds = 0; rounds < 8; rounds += 1) {
      const message = await ask(client, messages);
      hasThought ||= 'reasoning_content' in message;
      const calls = message.tool_calls ?? [];
      if (calls.length === 0) return { rounds, text: message.content ?? '', hasThought };
      messages.push(
        keep(message),
        ...calls.map((call) => ({ role: 'tool' as const, tool_call_id: call.id, content: 'ok' })),
      );
    }
    throw new Error('The loop did not end.');
  }

  const asStream = async (client: OpenAI, messages: ChatCompletionMessageParam[]): Promise<Message> => {
    const completion = await client.chat.completions
      .stream({ model: MODEL, messages, tools, stream_options: { include_usage: true } })
      .finalChatCompletion();
    expect(completion.usage?.completion_tokens).toBeGreaterThan(0);
    return messageOf(completion);
  };
  const whole = async (client: OpenAI, messages: ChatCompletionMessageParam[]): Promise<Message> =>
    messageOf(await client.chat.completions.create({ model: MODEL, messages, tools }));

  it.each([
    ['streaming', asStream],
    ['whole', whole],
  ])('%s finishes a loop of three rounds with thinking', async (_how, ask) => {
    await open();
    const result = await loop(ask, (message) => message);
    expect(result).toEqual({ rounds: 3, text: expect.stringMatching(ANSWER) as string, hasThought: true });
    expect(upstreamStatuses()).toEqual(['gemini 200', 'gemini 200', 'gemini 200', 'gemini 200']);
  });

  it('that drops the signature gets one 400 that names it, from one upstream request', async () => {
    await open();
    const failure: unknown = await loop(asStream, withoutSignatures).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OpenAI.APIError);
    const { status, code, message } = failure as InstanceType<typeof OpenAI.APIError>;
    expect([status, code]).toEqual([400, 'upstream_request_invalid']);
    expect(message).toContain('missing a thought_signature');
    expect(message).toContain('gemini-provider');
    expect(upstreamStatuses()).toEqual(['gemini 200', 'gemini 400']);
  });
});

/** What several clients do: they keep the fields that OpenAI documents, and no others. */
function withoutSignatures(
  message: OpenAI.Chat.Completions.ChatCompletionMessage,
): OpenAI.Chat.Completions.ChatCompletionMessage {
  const calls = message.tool_calls?.flatMap((call) =>
    call.type === 'function' ? [{ id: call.id, type: call.type, function: call.function }] : [],
  );
  const { role, content, refusal } = message;
  return { role, content, refusal, ...(calls === undefined ? {} : { tool_calls: calls }) };
}

function messageOf(completion: OpenAI.Chat.Completions.ChatCompletion): OpenAI.Chat.Completions.ChatCompletionMessage {
  const message = completion.choices[0]?.message;
  if (message === undefined) throw new Error('The completion has no choice.');
  return message;
}

describe('the @google/genai SDK before a Gemini provider', () => {
  const config = {
    thinkingConfig: { includeThoughts: true },
    tools: [
      {
        functionDeclarations: [
          {
            name: 'write_file',
            description: 'Writes a file.',
            parametersJsonSchema: {
              type: 'object',
              properties: { path: { type: 'string' }, content: { type: 'string' } },
              required: ['path', 'content'],
            },
          },
        ],
      },
    ],
  };

  const clientOf = (): GoogleGenAI => new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: opened.gateway.url } });

  async function loop(
    ask: (client: GoogleGenAI, contents: Content[]) => Promise<Part[]>,
    keep: (part: Part) => Part,
  ): Promise<Loop> {
    const client = clientOf();
    const contents: Content[] = [{ role: 'user', parts: [{ text: PROMPT }] }];
    let hasThought = false;
    for (let rounds = 0; rounds < 8; rounds += 1) {
      const parts = await ask(client, contents);
      hasThought ||= parts.some((part) => part.thought === true);
      const calls = parts.flatMap((part) => part.functionCall ?? []);
      const text = parts
        .filter((part) => part.thought !== true)
        .map((part) => part.text ?? '')
        .join('');
      if (calls.length === 0) return { rounds, text, hasThought };
      const kept = parts
        .filter((part) => part.thought !== true && (part.text !== '' || part.thoughtSignature !== undefined))
        .map(keep);
      contents.push({ role: 'model', parts: kept }, { role: 'user', parts: calls.map(answerOf) });
    }
    throw new Error('The loop did not end.');
  }

  const answerOf = ({ id, name }: FunctionCall): Part => ({
    functionResponse: { ...(id === undefined ? {} : { id }), name: name ?? '', response: { output: 'ok' } },
  });

  const asStream = async (client: GoogleGenAI, contents: Content[]): Promise<Part[]> => {
    const parts: Part[] = [];
    for await (const chunk of await client.models.generateContentStream({ model: MODEL, contents, config })) {
      parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
    }
    return parts;
  };
  const whole = async (client: GoogleGenAI, contents: Content[]): Promise<Part[]> => {
    const reply = await client.models.generateContent({ model: MODEL, contents, config });
    return reply.candidates?.[0]?.content?.parts ?? [];
  };

  it.each([
    ['streaming', asStream],
    ['whole', whole],
  ])('%s finishes a loop of three rounds with thinking', async (_how, ask) => {
    await open();
    const result = await loop(ask, (part) => part);
    expect(result).toEqual({ rounds: 3, text: expect.stringMatching(ANSWER) as string, hasThought: true });
    expect(upstreamStatuses()).toEqual(['gemini 200', 'gemini 200', 'gemini 200', 'gemini 200']);
  });

  it('that drops the signature gets one 400 that names it, from one upstream request', async () => {
    await open();
    const failure: unknown = await loop(asStream, ({ thoughtSignature: _dropped, ...part }) => part).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(ApiError);
    const { status, message } = failure as ApiError;
    expect(status).toBe(400);
    expect(message).toContain('missing a thought_signature');
    expect(message).toContain('gemini-provider');
    expect(upstreamStatuses()).toEqual(['gemini 200', 'gemini 400']);
  });

  it('lists the models', async () => {
    await open();
    const names: (string | undefined)[] = [];
    for await (const model of await clientOf().models.list()) names.push(model.name);
    expect(names).toEqual([`models/${MODEL}`]);
  });
});

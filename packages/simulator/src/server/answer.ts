import type { JsonValue } from 'holdfast/turn';
import { composeReply } from '../reply/compose-reply.js';
import { renderStream, renderWhole } from '../reply/render-reply.js';
import type { Performance } from '../reply/render-reply.js';
import { chooseRound } from '../scenario/choose-round.js';
import type { Answer, BodyAnswer, ErrorAnswer, ReplyAnswer } from '../scenario/scenario.js';
import { digest, token } from '../seed.js';
import { providerError } from '../strict/provider-errors.js';
import type { Refusal } from '../strict/refusal.js';
import type { Admitted } from './admit.js';

/** A whole HTTP answer, its bytes and their times included. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined`: they never come. */
  readonly headersAfterMs: number | undefined;
  readonly performance: Performance;
}

export interface AnswerOptions {
  readonly seed: number;
  /** The n-th request of the scenario, from 1. */
  readonly answer: number;
}

/** What the scenario says to this request. Equal requests of equal number and seed get equal answers. */
export function answerOf(admitted: Admitted, options: AnswerOptions): HttpAnswer {
  const { scenario, standing, read, dialect } = admitted;
  const { answer } = chooseRound(scenario, {
    round: standing.round,
    request: options.answer,
    cap: read.request.maxOutputTokens,
    dialect: dialect.name,
    stream: read.stream,
  });
  const plain = kindOf(answer, admitted, options);
  return {
    ...plain,
    headers: { ...providerHeaders(admitted, options), ...plain.headers, ...answer.headers },
    headersAfterMs:
      plain.headersAfterMs === undefined ? undefined : plain.headersAfterMs + (answer.headersAfterMs ?? 0),
  };
}

/** A refusal, or any body, in one piece. */
export function wholeAnswer(refusal: Refusal): HttpAnswer {
  const bytes = Buffer.from(textOfBody(refusal.body));
  const headers = {
    'content-type': typeof refusal.body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    'content-length': String(bytes.length),
    ...refusal.headers,
  };
  const performance: Performance = { writes: [{ afterMs: 0, bytes }], end: { afterMs: 0, how: 'close' } };
  return { status: refusal.status, headers, headersAfterMs: 0, performance };
}

function kindOf(answer: Answer, admitted: Admitted, options: AnswerOptions): HttpAnswer {
  if ('steps' in answer) return replyAnswer(answer, admitted, options);
  return 'error' in answer ? errorAnswer(answer, admitted) : bodyAnswer(answer);
}

function replyAnswer(answer: ReplyAnswer, admitted: Admitted, { seed, answer: n }: AnswerOptions): HttpAnswer {
  const { scenario, standing, read, dialect, errors, inputTokens } = admitted;
  const place = [seed, scenario.name, standing.conversation, standing.turn, standing.round, n];
  const beats = composeReply({
    scenario,
    steps: answer.steps,
    request: read.request,
    standing,
    dialect: dialect.name,
    seed,
    answer: n,
    inputTokens,
  });
  const options = {
    dialect,
    writer: {
      replyId: `${dialect.name === 'gemini' ? '' : 'chatcmpl-'}${token(place, 24)}`,
      model: errors.model,
      createdAtSeconds: CREATED_AT_SECONDS + (digest(place).readUInt32LE(0) % 1_000_000),
      framing: read.framing,
      wantsUsage: read.wantsUsage,
    },
    errorOf: ({ error }: { readonly error: ErrorAnswer['error'] }): Refusal => providerError(error, errors),
  };
  const isSse = read.stream && read.framing === 'sse';
  const rendered = read.stream ? renderStream(beats, options, answer.delivery) : renderWhole(beats, options);
  return { status: 200, headers: isSse ? SSE_HEADERS : JSON_HEADERS, ...rendered };
}

/** Replies count their seconds from here and never from a clock, so that equal requests give equal bytes. */
const CREATED_AT_SECONDS = 1_790_000_000;

const SSE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
};
const JSON_HEADERS: Readonly<Record<string, string>> = { 'content-type': 'application/json; charset=utf-8' };

function errorAnswer({ error, retryAfterSeconds }: ErrorAnswer, { errors }: Admitted): HttpAnswer {
  return wholeAnswer(providerError(error, { ...errors, retryAfterSeconds }));
}

function bodyAnswer({ status, body }: BodyAnswer): HttpAnswer {
  return wholeAnswer({ status, headers: {}, body });
}

/** OpenAI names every request and tells what is left of the rate limit; Google does neither. */
function providerHeaders(
  { scenario, dialect, standing }: Admitted,
  { seed, answer }: AnswerOptions,
): Readonly<Record<string, string>> {
  if (dialect.name === 'gemini') return {};
  const id = token(['request', seed, scenario.name, standing.conversation, standing.turn, standing.round, answer], 24);
  return {
    'x-request-id': `req_${id}`,
    'x-ratelimit-limit-requests': '500',
    'x-ratelimit-remaining-requests': '499',
    'x-ratelimit-reset-requests': '120ms',
  };
}

function textOfBody(body: JsonValue): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

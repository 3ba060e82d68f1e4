import { startGateway } from '@holdfast/gateway';
import type { JsonObject } from 'holdfast/turn';
import { listAt } from '../data/json.js';
import type { Case, ClientRequestScript } from './case-file.js';
import type { ClientReply } from './client-reply.js';
import { CLIENT_DIALECTS, readClientReply } from './client-reply.js';
import type { ReceivedAnswer } from './gateway-client.js';
import { GatewayClient } from './gateway-client.js';
import { HeardCalls, OverheardEngine } from './heard-calls.js';
import type { Outcome, SeenFailure } from './outcome.js';
import { seenFailure } from './outcome.js';
import { ProcessWarnings } from './process-warnings.js';
import { dialectNamed, runtimeSettings } from './runtime-settings.js';
import { TIME_SLACK } from './scene.js';
import { storyOf } from './story.js';
import type { Stage, Surface } from './surface.js';
import type { WireDocument } from './wire-document.js';
import { bodyDocument, streamDocument } from './wire-document.js';

/** Rounds of a client that echoes tool results: a script that never ends is no reason to go on. */
const ROUNDS_MAX = 10;

/** The HTTP server, as an SDK client meets it. */
export const GATEWAY: Surface = {
  name: 'gateway',

  lacks({ client, actions }) {
    if (client === undefined) return 'no client_request is given';
    if (dialectNamed(client.dialect) === undefined || !CLIENT_DIALECTS.includes(client.dialect))
      return `client dialect ${client.dialect}`;
    const strange = actions.find((action) => action.do !== 'client_disconnect' && action.do !== 'stop');
    return strange === undefined ? undefined : `the gateway knows no ${strange.do}`;
  },

  async play(played, stage) {
    const { client } = played;
    if (client === undefined) throw new Error('A case for the gateway needs a client_request.');
    const heard = new HeardCalls(stage.cues);
    const engine = new OverheardEngine(heard);
    const warnings = new ProcessWarnings();
    const gateway = await startGateway({ ...gatewayOptions(played, stage), engine });
    try {
      const visit = await visitGateway(new GatewayClient(gateway.url, client, TIME_SLACK), played, stage);
      return { ...outcomeOf(visit, client, heard), warnings: warnings.end() };
    } finally {
      warnings.end();
      await gateway.close();
      await engine.close();
    }
  },
};

function gatewayOptions(played: Case, stage: Stage): Parameters<typeof startGateway>[0] {
  const settings = runtimeSettings(played, (party) => stage.provider.urlOf(party));
  const { clientKeepAliveMs } = played.runtime;
  return {
    port: 0,
    routes: { resolve: () => settings, list: () => [] },
    ...(clientKeepAliveMs === undefined ? {} : { keepAliveMs: clientKeepAliveMs }),
    limits: { drainMs: 1_000 },
  };
}

interface Visit {
  readonly startedAt: number;
  readonly answers: readonly ReceivedAnswer[];
  readonly disconnected: boolean;
}

async function visitGateway(client: GatewayClient, played: Case, stage: Stage): Promise<Visit> {
  const script = played.client;
  const answers: ReceivedAnswer[] = [];
  const startedAt = performance.now();
  stage.cues.begin(() => client.disconnect());
  let body: JsonObject | undefined = script?.body;
  while (body !== undefined && answers.length < ROUNDS_MAX) {
    const answer = await client.send(body);
    answers.push(answer);
    body = script === undefined || client.isGone ? undefined : nextBody(body, answer, { script, played });
  }
  return { startedAt, answers, disconnected: client.isGone };
}

/** What a client that loops over tools sends next: its messages, the reply as it came, a result for each call. */
function nextBody(
  body: JsonObject,
  answer: ReceivedAnswer,
  how: { readonly script: ClientRequestScript; readonly played: Case },
): JsonObject | undefined {
  const reply = readClientReply(documentOf(answer, how.script.dialect));
  if (how.script.goesOn !== 'echo_assistant_and_tool_results' || reply === undefined || reply.calls.length === 0)
    return undefined;
  const key = how.script.dialect === 'gemini' ? 'contents' : 'messages';
  const resultOf = (name: string): string => how.played.tools.find((tool) => tool.name === name)?.result ?? 'ok';
  return { ...body, [key]: [...listAt(body, key), ...reply.echo(resultOf)] };
}

function documentOf(answer: ReceivedAnswer, dialect: string): WireDocument {
  return answer.isStream ? streamDocument(dialect, answer.raw, answer.gapMs) : bodyDocument(dialect, answer.raw);
}

function outcomeOf(visit: Visit, script: ClientRequestScript, heard: HeardCalls): Outcome {
  const documents = visit.answers.map((answer) => documentOf(answer, script.dialect));
  const last = visit.answers.at(-1);
  const document = documents.at(-1);
  const reply = document === undefined ? undefined : readClientReply(document);
  if (last === undefined || document === undefined || reply === undefined)
    throw new Error('The client received nothing.');
  const failure = failureOf(last, reply, heard);
  return {
    outcome: visit.disconnected ? 'stopped' : failure === undefined ? 'ok' : 'error',
    startedAt: visit.startedAt,
    endedAt: last.endedAt,
    text: reply.text,
    toolCalls: reply.calls,
    finish: reply.finish,
    incomplete: reply.finish !== 'stop' && reply.finish !== 'tool_calls',
    usage: reply.usage,
    failure,
    attempts: storyOf(heard.events).attempts,
    events: heard.events,
    client: {
      status: last.status,
      headers: last.headers,
      document: joined(documents, Math.max(...visit.answers.map((answer) => answer.gapMs))),
      lastBody: document,
      gaveUp: last.gaveUp,
    },
    warnings: [],
  };
}

/** What the client was told, with what the engine knew of it where the client's wire has no field. */
function failureOf(answer: ReceivedAnswer, reply: ClientReply, heard: HeardCalls): SeenFailure | undefined {
  if (isFine(answer, reply)) return undefined;
  const known = storyOf(heard.events).end?.failure;
  const told = reply.error;
  if (told === undefined)
    return untold(
      answer.gaveUp ? 'the client gave up waiting' : 'the answer ended without an end and without an error',
    );
  if (known === undefined) return { ...untold(told.message), code: told.code };
  return { ...seenFailure(known), code: told.code, message: told.message };
}

function isFine(answer: ReceivedAnswer, reply: ClientReply): boolean {
  return answer.status < 400 && reply.error === undefined && reply.isWhole && !answer.isCut && !answer.gaveUp;
}

/** A failure of which only this much is known: nobody named its cause. */
function untold(message: string): SeenFailure {
  return {
    code: undefined,
    kind: undefined,
    retryable: undefined,
    upstreamStatus: undefined,
    message,
    failure: undefined,
  };
}

function joined(documents: readonly WireDocument[], gapMs: number): WireDocument {
  return {
    dialect: documents[0]?.dialect ?? '',
    raw: documents.map((document) => document.raw).join(''),
    values: documents.flatMap((document) => document.values),
    events: documents.flatMap((document) => document.events),
    previous: undefined,
    gapMs,
  };
}

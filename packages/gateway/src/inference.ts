import type { ClientRequest, ReadRequest, WriterOptions } from 'holdfast/dialects';
import type { Call, Hop } from 'holdfast/run';
import { MisuseError } from 'holdfast/turn';
import type { Failure } from 'holdfast/turn';
import { CallFacts } from './call-facts.js';
import { clientRequest } from './client-request.js';
import { wallMs } from './clock.js';
import { closestName } from './closest-name.js';
import { checkContentType } from './content-type.js';
import type { Exchange } from './exchange.js';
import type { House } from './house.js';
import { isGone } from './is-gone.js';
import type { Outcome } from './outcome.js';
import { readBody } from './read-body.js';
import { readJson } from './read-json.js';
import { Refusal } from './refusal.js';
import type { Route } from './route-table.js';
import { sendFailure, sendRefusal } from './send.js';
import { streamReply } from './stream-reply.js';
import { wholeReply } from './whole-reply.js';

/** One request of a client as one call of the engine, and the reply in the client's dialect. */
export async function infer(exchange: Exchange, house: House): Promise<Outcome> {
  const { response, dialect, holder } = exchange;
  if (!house.slots.take(holder)) {
    const { streamsPerKeyMax } = house.limits;
    return sendRefusal(
      response,
      dialect,
      new Refusal(
        'rate_limited',
        `${streamsPerKeyMax} requests are already running under this key. Wait until one has ended.`,
      ),
    );
  }
  try {
    const asked = await readAsked(exchange, house);
    if (asked instanceof Refusal) return sendRefusal(response, dialect, asked);
    if (!('route' in asked)) return sendFailure(response, dialect, { failure: asked });
    return await answer(asked, exchange, house);
  } finally {
    house.slots.giveBack(holder);
  }
}

interface Asked {
  readonly client: ClientRequest;
  readonly read: ReadRequest;
  readonly route: Route;
}

async function readAsked(exchange: Exchange, house: House): Promise<Asked | Refusal | Failure> {
  const { request, dialect, overhead } = exchange;
  const wrongType = checkContentType(request.headers['content-type']);
  if (wrongType !== undefined) return wrongType;
  overhead.leave();
  const bytes = await readBody(request, house.limits);
  overhead.back();
  if (bytes instanceof Refusal) return bytes;
  const body = readJson(bytes);
  if (body instanceof Refusal) return body;
  const client = clientRequest(exchange, body);
  try {
    const read = dialect.readRequest(client);
    const route = house.routes.resolve(read.request.model);
    return route === undefined ? unknownModel(read.request.model, house) : { client, read, route };
  } catch (error) {
    if (!(error instanceof MisuseError)) throw error;
    return { code: error.code, kind: 'request', retryable: false, atFault: 'caller', message: error.message };
  }
}

function unknownModel(model: string, house: House): Refusal {
  const shown = model.length > 200 ? `${model.slice(0, 200)}…` : model;
  const closest = closestName(
    model,
    house.routes.list().map(({ id }) => id),
  );
  const hint = closest === undefined ? '' : ` Did you mean "${closest}"?`;
  return new Refusal(
    'model_not_found',
    `The model "${shown}" is none of this gateway's.${hint} GET /v1/models lists them all.`,
  );
}

async function answer(asked: Asked, exchange: Exchange, house: House): Promise<Outcome> {
  const { read, route } = asked;
  const { response, dialect } = exchange;
  const speaksClients = dialectCheck(route.chain, exchange);
  const stream = read.stream || route.chain[0].provider.dialect !== dialect.name;
  const call = startCall({ asked, exchange, house, stream });
  const running = house.running.begin(call);
  const onClose = (): void => {
    if (!response.writableFinished) call.stop();
  };
  // A pipelined answer that waits for its turn has no connection of its own that could tell it of the end.
  const { socket } = exchange.request;
  response.once('close', onClose);
  socket.once('close', onClose);
  if (isGone(response)) call.stop();
  try {
    const writerOptions = writerOptionsOf(call, read);
    const facts = new CallFacts(call.id, read.request.model);
    if (read.stream) {
      const writer = dialect.newReplyWriter(writerOptions);
      return await streamReply({ call, running, facts, exchange, house, read, speaksClients, writer });
    }
    const isClients = (provider: string, model: string): boolean => !stream && speaksClients(provider, model);
    return await wholeReply({ call, running, facts, exchange, house, writerOptions, isClients });
  } finally {
    house.running.over(running);
    response.off('close', onClose);
    socket.off('close', onClose);
  }
}

interface CallStart {
  readonly asked: Asked;
  readonly exchange: Exchange;
  readonly house: House;
  readonly stream: boolean;
}

function startCall({ asked, exchange, house, stream }: CallStart): Call {
  const { route, read, client } = asked;
  return house.engine.call({
    chain: route.chain,
    request: read.request,
    original: { dialect: exchange.dialect.name, client },
    stream,
    // What a client has shown to a person or handed to a tool cannot be taken back over these wires.
    canRetract: !read.stream,
    deadlines: { ...house.deadlines, ...route.deadlines },
    limits: { ...house.retryLimits, ...route.limits },
  });
}

/** Whether the attempts of a provider and model speak the client's own dialect. */
function dialectCheck(chain: readonly Hop[], exchange: Exchange): (provider: string, model: string) => boolean {
  return (provider, model) =>
    chain.some(
      (hop) => hop.provider.name === provider && hop.model === model && hop.provider.dialect === exchange.dialect.name,
    );
}

function writerOptionsOf(call: Call, read: ReadRequest): WriterOptions {
  return {
    replyId: call.id,
    model: read.request.model,
    createdAtSeconds: Math.floor(wallMs() / 1_000),
    framing: read.framing,
    wantsUsage: read.wantsUsage,
  };
}

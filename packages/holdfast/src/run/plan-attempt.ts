import { DIALECTS } from '../dialects/index.js';
import type { ClientRequest, Dialect, Target, WireRequest } from '../dialects/index.js';
import { fingerprint } from '../policy/index.js';
import { attemptId, MisuseError } from '../turn/index.js';
import type { CallId, Capabilities, ModelRequest } from '../turn/index.js';
import type { Deadlines, Pace } from '../watch/index.js';
import type { AttemptPlan } from './attempt-pump.js';
import type { CallOptions } from './call-options.js';
import type { Hop } from './hop.js';

/** What changed since the request was first written, and what the attempt may still use. */
export interface Amendments {
  readonly number: number;
  readonly numberMax: number;
  readonly notes: readonly string[];
  readonly raisedCap: number | undefined;
  readonly deadlines: Deadlines;
  readonly turnEndsAt: number;
}

export interface PlannedAttempt {
  readonly plan: AttemptPlan;
  readonly fingerprint: string;
  readonly notices: readonly string[];
}

/** One attempt at a hop, written down completely before anything is sent. */
export function planAttempt(
  call: { readonly id: CallId; readonly options: CallOptions; readonly pace: Pace },
  hop: Hop,
  amend: Amendments,
): PlannedAttempt {
  const { options } = call;
  const dialect = dialectOf(hop);
  const stream = options.stream ?? true;
  const cap = raisedFor(hop, amend) ?? options.request.maxOutputTokens ?? hop.maxOutputTokens;
  const capabilities = shownBy(hop, options);
  const target: Target = { vendor: hop.provider.vendor, stream, quirks: hop.provider.quirks, capabilities };
  const wire = writeWire({ options, dialect, hop, amend, cap, target });
  const body = JSON.stringify(wire.body);
  const print = fingerprint(hop.provider.name, hop.model, body);
  return {
    fingerprint: print,
    notices: wire.notices,
    plan: {
      id: attemptId(call.id, amend.number),
      hop,
      dialect,
      wire,
      body,
      stream,
      maxOutputTokens: cap,
      rules: {
        deadlines: amend.deadlines,
        capabilities,
        slowPace: call.pace.slowPace(producerName(hop)),
        maxOutputTokens: cap ?? hop.outputLimit,
        promptTokens: Math.ceil(body.length / 4),
        streamed: stream,
        offersTools: (options.request.tools?.length ?? 0) > 0,
        turnEndsAt: amend.turnEndsAt,
      },
      started: {
        type: 'attempt.started',
        provider: hop.provider.name,
        vendor: hop.provider.vendor,
        model: hop.model,
        maxOutputTokens: cap,
        capabilities,
        fingerprint: print,
        number: amend.number,
        numberMax: amend.numberMax,
      },
    },
  };
}

/**
 * What the producer will show of this request. A client's own body is not made to ask for streamed arguments, so
 * where a vendor streams them only on request, calls arrive whole.
 */
function shownBy(hop: Hop, options: CallOptions): Capabilities {
  const whole = hop.provider.quirks.streamFunctionCallArguments === true && forwarded(hop, options) !== undefined;
  return whole ? { ...hop.capabilities, itemStart: 'with_completion', argumentDeltas: false } : hop.capabilities;
}

/**
 * The client's own body, where it may go on as it came: the wire is the same, and so is the vendor that the client's
 * history belongs to. A fallback to another vendor is written anew, since state of the first must not reach it.
 */
function forwarded(hop: Hop, options: CallOptions): ClientRequest | undefined {
  const { original, chain } = options;
  const same = original?.dialect === hop.provider.dialect && hop.provider.vendor === chain[0].provider.vendor;
  return same ? original.client : undefined;
}

/** A cap that was raised at an earlier hop goes no further than this hop's model can write. */
function raisedFor(hop: Hop, { raisedCap }: Amendments): number | undefined {
  return raisedCap === undefined ? undefined : Math.min(raisedCap, hop.outputLimit ?? Infinity);
}

/** Under which name the pace of a producer is remembered. */
export function producerName(hop: Hop): string {
  return `${hop.provider.name}/${hop.model}`;
}

function dialectOf(hop: Hop): Dialect {
  const dialect = DIALECTS[hop.provider.dialect];
  if (dialect !== undefined) return dialect;
  throw new MisuseError(
    'dialect_unknown',
    `Provider "${hop.provider.name}" is set to the dialect "${hop.provider.dialect}", which this version does not speak. It speaks ${Object.keys(DIALECTS).join(', ')}.`,
  );
}

interface Writing {
  readonly options: CallOptions;
  readonly dialect: Dialect;
  readonly hop: Hop;
  readonly amend: Amendments;
  readonly cap: number | undefined;
  readonly target: Target;
}

function writeWire(writing: Writing): WireRequest {
  const { options, dialect, hop, amend, cap, target } = writing;
  const client = forwarded(hop, options);
  if (client !== undefined) {
    const needed =
      raisedFor(hop, amend) ?? (options.request.maxOutputTokens === undefined ? hop.maxOutputTokens : undefined);
    return dialect.amendRequest(client, { model: hop.model, maxOutputTokens: needed, notes: amend.notes }, target);
  }
  const messages = [...options.request.messages, ...amend.notes.map((text) => ({ role: 'system', text }) as const)];
  const request: ModelRequest = {
    ...options.request,
    model: hop.model,
    messages,
    ...(cap === undefined ? {} : { maxOutputTokens: cap }),
  };
  return dialect.writeRequest(request, target);
}

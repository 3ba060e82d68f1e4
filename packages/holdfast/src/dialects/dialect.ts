import type {
  AttemptId,
  Capabilities,
  Failure,
  JsonObject,
  ModelRequest,
  ReplyEvent,
  TurnEvent,
} from '../turn/index.js';
import type { SseFrame } from '../wire/index.js';

/** A wire format: pure codecs in both directions. The client half talks to providers, the server half to clients. */
export interface Dialect {
  readonly name: DialectName;

  /** Our request as this wire's HTTP request. Deterministic: equal input, equal bytes. */
  writeRequest(request: ModelRequest, target: Target): WireRequest;
  /**
   * A client's own body of this wire with only what must change: the model, the cap, notes at the tail.
   * Everything else stays as it came, key order and unknown fields included.
   */
  amendRequest(client: ClientRequest, amendment: Amendment, target: Target): WireRequest;
  /** Reads a streamed reply. One reader per attempt. */
  newReplyReader(options: ReaderOptions): ReplyReader;
  /** Reads a whole reply body (not streamed) into the same events. */
  readReplyBody(body: string, options: ReaderOptions): readonly ReplyEvent[];
  /** An HTTP answer that is an error, or a 200 that is no reply, as a failure. Total: it names something for any body. */
  readFailure(answer: ErrorAnswer): Failure;

  /** A client's HTTP request in this wire, as our request. Throws `MisuseError` naming the field that is wrong. */
  readRequest(wire: ClientRequest): ReadRequest;
  /** Writes a streamed reply to a client. One writer per reply. */
  newReplyWriter(options: WriterOptions): ReplyWriter;
  /** A whole reply body for a client that did not ask for a stream. */
  writeReplyBody(events: readonly TurnEvent[], options: WriterOptions): JsonObject;
  /** A failure before the first byte, as this wire's HTTP error. */
  writeFailure(failure: Failure): WireError;
}

export type DialectName = 'gemini' | 'anthropic' | 'openai-chat' | 'openai-responses';

/** Where a request goes, and the habits of who serves it. Data of `vendors/`; no code. */
export interface Target {
  /** The company whose model answers: opaque state of others is not sent to it. */
  readonly vendor: string;
  readonly stream: boolean;
  readonly quirks: Quirks;
  readonly capabilities: Capabilities;
}

/** Where a vendor's wire differs from its dialect's norm. Absent means the norm. */
export interface Quirks {
  /** Chat: the field that caps output. */
  readonly capField?: 'max_tokens' | 'max_completion_tokens';
  /** Chat: the role of instructions. */
  readonly instructionsRole?: 'system' | 'developer';
  /** Chat: whether `stream_options.include_usage` may be sent. */
  readonly streamUsage?: boolean;
  /** Chat: arguments arrive as growing snapshots instead of pieces. */
  readonly argumentSnapshots?: boolean;
  /** Chat: streams of this server never name a finish reason. */
  readonly noFinishReason?: boolean;
  /** Gemini: ask for streamed arguments (Vertex). */
  readonly streamFunctionCallArguments?: boolean;
}

export interface Amendment {
  /** The name the upstream knows. */
  readonly model: string;
  /** Absent: the client's own cap stays. */
  readonly maxOutputTokens: number | undefined;
  /** Said to the model after the last message, in order. */
  readonly notes: readonly string[];
}

export interface WireRequest {
  readonly method: 'POST';
  /** Relative to the base URL, query included, such as `/chat/completions`. */
  readonly path: string;
  /** Dialect headers; credentials and content type are the transport's. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** What was left out because the target cannot take it and its absence changes nothing. */
  readonly notices: readonly string[];
}

export interface ReaderOptions {
  readonly attempt: AttemptId;
  readonly vendor: string;
  /** As written in failures: the provider's name in our configuration, and the model that was asked. */
  readonly provider: string;
  readonly model?: string;
  /** The cap that was sent, to tell a cut call from a malformed one. */
  readonly maxOutputTokens: number | undefined;
  readonly quirks: Quirks;
}

export interface ReplyReader {
  /** A frame it does not know is `wire.kept_alive`, never an error. */
  push(frame: SseFrame): readonly ReplyEvent[];
  /** The body ended cleanly. Says `reply.finished` if that is how this wire ends, and nothing otherwise. */
  end(): readonly ReplyEvent[];
}

export interface ErrorAnswer {
  readonly provider: string;
  readonly model: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** As much of the body as was read, at most 64 KiB. */
  readonly body: string;
  /** Milliseconds since the epoch, for `retry-after` dates. */
  readonly at: number;
}

export interface ClientRequest {
  /** The URL's path, such as `/v1beta/models/x:streamGenerateContent`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: JsonObject;
}

export interface ReadRequest {
  readonly request: ModelRequest;
  readonly stream: boolean;
  /** Gemini without `alt=sse`: the stream is one growing JSON array. */
  readonly framing: 'sse' | 'json_array';
  /** Chat: the client asked for a usage chunk. */
  readonly wantsUsage: boolean;
}

export interface WriterOptions {
  /** Ids in the reply are made from it. */
  readonly replyId: string;
  /** The model name that the client asked for. */
  readonly model: string;
  /** Seconds since the epoch. */
  readonly createdAtSeconds: number;
  readonly framing: 'sse' | 'json_array';
  readonly wantsUsage: boolean;
}

export interface ReplyWriter {
  /** The bytes, as text, that this event is worth on this wire; empty where it is worth none. */
  write(event: TurnEvent): string;
  /** What is held back for the next event, when none comes with this arrival. */
  flush?(): string;
  /** The empty event of this wire: it claims nothing and keeps clients' timers from firing. */
  keepAlive(): string;
  /** The failure as this wire's in-band error, and whatever this wire ends with. Never a clean end. */
  fail(failure: Failure): string;
}

export interface WireError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

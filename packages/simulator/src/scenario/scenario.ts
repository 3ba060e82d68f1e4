import type { DialectName } from 'holdfast/dialects';
import type { JsonObject, JsonValue } from 'holdfast/turn';

/** How a provider behaves, as data. The format is described in README.md and in scenario.schema.json. */
export interface Scenario {
  /** Lower-case words with hyphens. Model `sim-<name>` answers with it. */
  readonly name: string;
  /** One sentence for a list. */
  readonly about: string;
  /**
   * Whether calls of the running turn must come back with their signatures. Absent: always on the Gemini dialect,
   * and on the Chat dialect where the scenario signs a call.
   */
  readonly signatures?: 'required' | 'none';
  readonly pace?: Partial<Pace>;
  /** The first round whose `when` holds answers. The last has none, so that every request has an answer. */
  readonly rounds: readonly Round[];
}

/** How fast the model writes. Waits that a step names are not touched by it. */
export interface Pace {
  readonly tokensPerSecond: number;
  /** 0.3: each piece takes between 70 % and 130 % of its time, by seed. */
  readonly jitter: number;
  /** From the headers to the first piece. */
  readonly prefillMs: number;
}

export const PACE: Pace = { tokensPerSecond: 50, jitter: 0.3, prefillMs: 300 };

export interface Round {
  readonly when?: When;
  readonly answer: Answer;
}

/** All of what is named must hold. */
export interface When {
  /** Steps of tool calls answered in the running turn: 0 before the first result. */
  readonly round?: Count;
  /** The n-th request that this scenario answers in this simulator, from 1. */
  readonly request?: Count;
  /** The output cap of the request. A request without one is above every number. */
  readonly cap?: Count;
  readonly dialect?: DialectName;
  readonly stream?: boolean;
}

/** An exact number, or a range with both ends included. */
export type Count = number | { readonly from?: number; readonly to?: number };

export type Answer = ReplyAnswer | ErrorAnswer | BodyAnswer;

interface AnswerHeaders {
  readonly headers?: Readonly<Record<string, string>>;
  /** Silence before the status line. Absent: headers at once. */
  readonly headersAfterMs?: number;
}

/** A reply of the model, streamed or whole as the client asks. */
export interface ReplyAnswer extends AnswerHeaders {
  readonly steps: readonly Step[];
  readonly delivery?: Delivery;
}

/** An HTTP error in the provider's own shape and words. */
export interface ErrorAnswer extends AnswerHeaders {
  readonly error: ErrorSpec;
  readonly retryAfterSeconds?: number;
}

/** Anything else: HTML, a wrong content type, a proxy's own error. */
export interface BodyAnswer extends AnswerHeaders {
  readonly status: number;
  /** A string goes out as it is, another value as JSON. */
  readonly body: JsonValue;
}

/** What happens to the bytes of a stream after they are written. */
export interface Delivery {
  /** Cuts everything into writes of so many bytes, through characters too. */
  readonly bytesPerWrite?: number;
  /** Between those writes. */
  readonly everyMs?: number;
  readonly lineEnd?: 'lf' | 'crlf' | 'cr';
  readonly byteOrderMark?: boolean;
}

export type ErrorSpec = ErrorName | { readonly status: number; readonly code: string; readonly message: string };

/** Failures whose real words are known for each dialect. */
export const ERROR_NAMES = [
  'signature_missing',
  'signature_invalid',
  'bad_key',
  'forbidden',
  'billing',
  'model_unknown',
  'too_large',
  'context_overflow',
  'timeout',
  'rate_limited',
  'quota_exhausted',
  'internal',
  'bad_gateway',
  'overloaded',
  'gateway_timeout',
] as const;
export type ErrorName = (typeof ERROR_NAMES)[number];

/** One thing that the model or its wire does. The key names it. */
export type Step =
  | ThinkStep
  | SayStep
  | RefuseStep
  | CallStep
  | { readonly wait: number }
  /** So many comments of the wire. */
  | { readonly ping: number }
  /** Replaces counts of the usage that is reported at the end. */
  | { readonly usage: UsageCounts }
  | FinishStep
  /** The provider's error inside the stream, and the end of it. */
  | { readonly error: ErrorSpec }
  /** Bytes as they are; an object names them per dialect, and a dialect without any sends none. */
  | { readonly raw: string | Readonly<Partial<Record<DialectName, string>>> }
  | CutStep;

export interface ThinkStep {
  readonly think: string;
  readonly chunks?: number;
  /** What it costs, where the shown text is a summary of more. */
  readonly tokens?: number;
}

/** `{{rounds}}`, `{{results}}` and `{{model}}` stand for what the request holds. */
export interface SayStep {
  readonly say: string;
  readonly chunks?: number;
  readonly tokens?: number;
  readonly signature?: Signature;
}

export interface RefuseStep {
  readonly refuse: string;
}

export interface CallStep {
  readonly call: Call;
}

export interface Call {
  /** Absent: the tool that the request forces, else its first, else `write_file`. */
  readonly tool?: string;
  /** Absent: required fields are filled by the tool's JSON schema. */
  readonly arguments?: JsonObject;
  /** The text of the arguments as it is, well-formed or not. Chat only; other wires carry objects. */
  readonly text?: string;
  /** Grows one text field until the arguments have about so many characters. */
  readonly chars?: number;
  /** Absent: an id of the wire's own kind. Null: no id. */
  readonly id?: string | null;
  /** Buffered: the start where the wire has one, so many milliseconds of nothing, then everything. */
  readonly silent?: number;
  /** Pieces of the arguments. */
  readonly deltas?: number;
  /** How far the call gets. Absent: to its end. */
  readonly until?: 'start' | 'half';
  /** Absent: signed on the Gemini dialect if it is the first call of its reply, and unsigned elsewhere. */
  readonly signature?: Signature;
}

/** True signs with the usual length, a number with so many bytes. */
export type Signature = boolean | number;

export interface UsageCounts {
  readonly inputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly outputTokens?: number;
  readonly reasoningTokens?: number;
}

export interface FinishStep {
  readonly finish: 'stop' | 'tool_calls' | 'length' | 'content_filter';
}

export interface CutStep {
  /** `close` ends the body cleanly, `reset` breaks the connection, `hang` leaves it open in silence. */
  readonly cut: 'close' | 'reset' | 'hang';
  /** Holds back the second half of the last event. */
  readonly midEvent?: boolean;
}

/** Bounds of a scenario. */
export const SCENARIO_LIMITS = {
  rounds: 64,
  steps: 1_000,
  textChars: 4_000_000,
  pieces: 50_000,
  waitMs: 86_400_000,
} as const;

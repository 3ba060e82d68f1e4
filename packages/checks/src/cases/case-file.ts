import type { JsonObject } from 'holdfast/turn';

/** One failure that agents have met: a script for a provider, and what must come of it. */
export interface Case {
  readonly id: string;
  readonly class: string;
  readonly title: string;
  readonly dialect: string;
  readonly surface: string;
  readonly slow: boolean;
  readonly runtime: RuntimeKeys;
  readonly input: readonly string[];
  readonly tools: readonly CaseTool[];
  readonly requests: readonly ScriptedRequest[];
  readonly client: ClientRequestScript | undefined;
  readonly actions: readonly CaseAction[];
  /** Kept as it is written: each of its keys has a check of its own. */
  readonly expect: JsonObject;
}

/** Neutral settings. What a file leaves out is off, and its budgets are far above the file's own delays. */
export interface RuntimeKeys {
  readonly prefillMs: number | undefined;
  readonly stallMs: number | undefined;
  readonly openItemMs: number | undefined;
  readonly terminalMs: number | undefined;
  readonly bytesIdleMs: number | undefined;
  readonly maxRetries: number | undefined;
  readonly retryBackoffMs: number | undefined;
  readonly maxInlineWaitMs: number | undefined;
  readonly maxOutputTokens: number | undefined;
  readonly contextWindow: number | undefined;
  readonly configEntry: string | undefined;
  readonly clientKeepAliveMs: number | undefined;
  readonly fallback: readonly FallbackHop[];
  readonly compat: JsonObject;
  /** Keys that this harness cannot set: they are named beside the case. */
  readonly unknown: readonly string[];
}

export interface FallbackHop {
  readonly provider: string;
  readonly vendor: string;
  readonly dialect: string;
}

export interface CaseTool {
  readonly name: string;
  readonly result: string | undefined;
}

/** What the fake provider answers to the n-th request, and which party must have sent it. */
export interface ScriptedRequest {
  readonly provider: string | undefined;
  readonly role: string | undefined;
  readonly dialect: string | undefined;
  /** Rules about the request's body. */
  readonly expectRequest: readonly JsonObject[];
  readonly respond: ScriptedAnswer;
}

export interface ScriptedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly headersDelayMs: number;
  readonly flushes: readonly Flush[];
  /** `close` ends the body cleanly, `reset` destroys the connection, `hang` keeps it open in silence. */
  readonly end: 'close' | 'reset' | 'hang';
}

/** Written as one piece, `delayMs` after the one before. */
export interface Flush {
  readonly delayMs: number;
  readonly bytes: Buffer;
}

export interface ClientRequestScript {
  readonly dialect: string;
  readonly method: string;
  readonly path: string;
  readonly body: JsonObject;
  /** What the client does after the first answer. */
  readonly goesOn: string | undefined;
  /** The client gives up after a silence of this length. */
  readonly idleLimitMs: number | undefined;
}

/** Something done from outside: at a time, or when all of its events have happened. */
export interface CaseAction {
  readonly do: string;
  readonly atMs: number | undefined;
  readonly when: readonly string[];
  readonly delayMs: number;
}

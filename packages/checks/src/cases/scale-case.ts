import type { Case, RuntimeKeys, ScriptedRequest } from './case-file.js';

/** The case with all of its times multiplied. Times inside headers and bodies stay: they are the provider's words. */
export function scaleCase(played: Case, factor: number): Case {
  if (factor === 1) return played;
  const { client } = played;
  return {
    ...played,
    runtime: scaleRuntime(played.runtime, factor),
    requests: played.requests.map((request) => scaleRequest(request, factor)),
    client: client === undefined ? undefined : { ...client, idleLimitMs: scaled(client.idleLimitMs, factor) },
    actions: played.actions.map((action) => ({
      ...action,
      atMs: scaled(action.atMs, factor),
      delayMs: action.delayMs * factor,
    })),
  };
}

function scaleRuntime(runtime: RuntimeKeys, factor: number): RuntimeKeys {
  return {
    ...runtime,
    prefillMs: scaled(runtime.prefillMs, factor),
    stallMs: scaled(runtime.stallMs, factor),
    openItemMs: scaled(runtime.openItemMs, factor),
    terminalMs: scaled(runtime.terminalMs, factor),
    bytesIdleMs: scaled(runtime.bytesIdleMs, factor),
    retryBackoffMs: scaled(runtime.retryBackoffMs, factor),
    maxInlineWaitMs: scaled(runtime.maxInlineWaitMs, factor),
    clientKeepAliveMs: scaled(runtime.clientKeepAliveMs, factor),
  };
}

function scaleRequest(request: ScriptedRequest, factor: number): ScriptedRequest {
  const { respond } = request;
  return {
    ...request,
    respond: {
      ...respond,
      headersDelayMs: respond.headersDelayMs * factor,
      flushes: respond.flushes.map((flush) => ({ ...flush, delayMs: flush.delayMs * factor })),
    },
  };
}

function scaled(ms: number | undefined, factor: number): number | undefined {
  return ms === undefined ? undefined : ms * factor;
}

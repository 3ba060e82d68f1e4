import type { JsonObject, Usage } from '../../turn/index.js';
import { countOf, isRecord } from '../../wire/index.js';

/**
 * This wire counts cached tokens inside the prompt and thinking inside the completion. Several servers report more
 * thinking than completion, so it is clamped.
 */
export function readUsage(usage: JsonObject): Usage {
  const prompt = isRecord(usage.prompt_tokens_details) ? usage.prompt_tokens_details : NONE;
  const completion = isRecord(usage.completion_tokens_details) ? usage.completion_tokens_details : NONE;
  // Kimi counts cached tokens beside the prompt's details, DeepSeek under a name of its own.
  const cacheReadTokens =
    countOf(prompt.cached_tokens) ?? countOf(usage.prompt_cache_hit_tokens) ?? countOf(usage.cached_tokens);
  const cacheWriteTokens = countOf(prompt.cache_write_tokens);
  const promptTokens = countOf(usage.prompt_tokens);
  const outputTokens = countOf(usage.completion_tokens);
  return {
    inputTokens:
      promptTokens === undefined
        ? undefined
        : Math.max(0, promptTokens - (cacheReadTokens ?? 0) - (cacheWriteTokens ?? 0)),
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens,
    reasoningTokens: clamp(countOf(completion.reasoning_tokens), outputTokens),
  };
}

/** `undefined` where nothing is known: absent counts are left out, and never 0. */
export function writeUsage(usage: Usage): JsonObject | undefined {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  const prompt = sum(inputTokens, cacheReadTokens, cacheWriteTokens);
  if (prompt === undefined && outputTokens === undefined) return undefined;
  const cached = {
    ...(cacheReadTokens === undefined ? {} : { cached_tokens: cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cache_write_tokens: cacheWriteTokens }),
  };
  return {
    ...(prompt === undefined ? {} : { prompt_tokens: prompt }),
    ...(outputTokens === undefined ? {} : { completion_tokens: outputTokens }),
    ...(prompt === undefined || outputTokens === undefined ? {} : { total_tokens: prompt + outputTokens }),
    ...(Object.keys(cached).length === 0 ? {} : { prompt_tokens_details: cached }),
    ...(reasoningTokens === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}

export function sameUsage(a: Usage, b: Usage): boolean {
  return (
    a.inputTokens === b.inputTokens &&
    a.cacheReadTokens === b.cacheReadTokens &&
    a.cacheWriteTokens === b.cacheWriteTokens &&
    a.outputTokens === b.outputTokens &&
    a.reasoningTokens === b.reasoningTokens
  );
}

const NONE: JsonObject = {};

function clamp(count: number | undefined, max: number | undefined): number | undefined {
  return count === undefined || max === undefined ? count : Math.min(count, max);
}

function sum(...counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, count) => total + count, 0);
}

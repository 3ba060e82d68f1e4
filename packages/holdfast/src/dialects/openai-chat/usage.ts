import type { JsonObject, Usage } from '../../turn/index.js';
import { countOf, isRecord } from '../../wire/index.js';

/** This wire counts cached tokens inside the prompt and, as a rule, thinking inside the completion. */
export function readUsage(usage: JsonObject): Usage {
  const prompt = isRecord(usage.prompt_tokens_details) ? usage.prompt_tokens_details : NONE;
  // Kimi counts cached tokens beside the prompt's details, DeepSeek under a name of its own.
  const cacheReadTokens =
    countOf(prompt.cached_tokens) ?? countOf(usage.prompt_cache_hit_tokens) ?? countOf(usage.cached_tokens);
  const cacheWriteTokens = countOf(prompt.cache_write_tokens);
  const promptTokens = countOf(usage.prompt_tokens);
  return {
    inputTokens:
      promptTokens === undefined
        ? undefined
        : Math.max(0, promptTokens - (cacheReadTokens ?? 0) - (cacheWriteTokens ?? 0)),
    cacheReadTokens,
    cacheWriteTokens,
    ...readOutput(usage),
  };
}

/**
 * xAI counts thinking beside the completion, which its total shows. Where the total does not, a server that reports
 * more thinking than completion has miscounted, and its thinking is clamped.
 */
function readOutput(usage: JsonObject): Pick<Usage, 'outputTokens' | 'reasoningTokens'> {
  const details = isRecord(usage.completion_tokens_details) ? usage.completion_tokens_details : NONE;
  const reasoning = countOf(details.reasoning_tokens);
  const completion = countOf(usage.completion_tokens);
  if (reasoning === undefined || completion === undefined) {
    return { outputTokens: completion, reasoningTokens: reasoning };
  }
  const isBeside = reasoning > 0 && usage.total_tokens === sum(countOf(usage.prompt_tokens), completion, reasoning);
  if (isBeside) return { outputTokens: completion + reasoning, reasoningTokens: reasoning };
  return { outputTokens: completion, reasoningTokens: Math.min(reasoning, completion) };
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

const NONE: JsonObject = {};

function sum(...counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, count) => total + count, 0);
}

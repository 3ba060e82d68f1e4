import type { JsonObject, Usage } from '../../turn/index.js';
import type { WireUsage } from './wire.js';

export const NO_COUNTS: WireUsage = {
  prompt: undefined,
  cached: undefined,
  candidates: undefined,
  thoughts: undefined,
  toolPrompt: undefined,
};

/** Counts are cumulative and middle chunks hold fewer of them: the last value of each field is the true one. */
export function mergeCounts(older: WireUsage, newer: WireUsage): WireUsage {
  return {
    prompt: newer.prompt ?? older.prompt,
    cached: newer.cached ?? older.cached,
    candidates: newer.candidates ?? older.candidates,
    thoughts: newer.thoughts ?? older.thoughts,
    toolPrompt: newer.toolPrompt ?? older.toolPrompt,
  };
}

/** This wire counts cached tokens within the prompt, and thoughts beside the candidates. */
export function readUsage(counts: WireUsage): Usage {
  const { prompt, cached, candidates, thoughts, toolPrompt } = counts;
  const input = sum(prompt, toolPrompt);
  return {
    inputTokens: input === undefined ? undefined : Math.max(0, input - (cached ?? 0)),
    cacheReadTokens: cached,
    cacheWriteTokens: undefined,
    outputTokens: sum(candidates, thoughts),
    reasoningTokens: thoughts,
  };
}

/** `undefined` where nothing is known: an absent object, not a row of zeros. */
export function writeUsage(usage: Usage): JsonObject | undefined {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  const prompt = inputTokens === undefined ? undefined : inputTokens + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  const candidates = outputTokens === undefined ? undefined : Math.max(0, outputTokens - (reasoningTokens ?? 0));
  const total = sum(sum(prompt, candidates), reasoningTokens);
  const counts: JsonObject = {
    ...(prompt === undefined ? {} : { promptTokenCount: prompt }),
    ...(cacheReadTokens === undefined ? {} : { cachedContentTokenCount: cacheReadTokens }),
    ...(candidates === undefined ? {} : { candidatesTokenCount: candidates }),
    ...(reasoningTokens === undefined ? {} : { thoughtsTokenCount: reasoningTokens }),
    ...(total === undefined ? {} : { totalTokenCount: total }),
  };
  return Object.keys(counts).length === 0 ? undefined : counts;
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : a + b;
}

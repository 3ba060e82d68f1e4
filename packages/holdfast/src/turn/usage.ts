/**
 * Token counts of one attempt. A count that the provider did not report is `undefined`, never 0.
 * Later reports of the same attempt replace earlier ones field by field; they are never added up.
 */
export interface Usage {
  /** Prompt tokens neither read from nor written to a cache. */
  readonly inputTokens: number | undefined;
  readonly cacheReadTokens: number | undefined;
  readonly cacheWriteTokens: number | undefined;
  /** Everything the model produced, thinking included. */
  readonly outputTokens: number | undefined;
  /** The part of `outputTokens` that was thinking. */
  readonly reasoningTokens: number | undefined;
}

export const NO_USAGE: Usage = {
  inputTokens: undefined,
  cacheReadTokens: undefined,
  cacheWriteTokens: undefined,
  outputTokens: undefined,
  reasoningTokens: undefined,
};

/** The newer report wins wherever it says something. */
export function mergeUsage(older: Usage, newer: Usage): Usage {
  return {
    inputTokens: newer.inputTokens ?? older.inputTokens,
    cacheReadTokens: newer.cacheReadTokens ?? older.cacheReadTokens,
    cacheWriteTokens: newer.cacheWriteTokens ?? older.cacheWriteTokens,
    outputTokens: newer.outputTokens ?? older.outputTokens,
    reasoningTokens: newer.reasoningTokens ?? older.reasoningTokens,
  };
}

/** The bill of several attempts: what is known of each is added, what nobody reported stays unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: add(a.inputTokens, b.inputTokens),
    cacheReadTokens: add(a.cacheReadTokens, b.cacheReadTokens),
    cacheWriteTokens: add(a.cacheWriteTokens, b.cacheWriteTokens),
    outputTokens: add(a.outputTokens, b.outputTokens),
    reasoningTokens: add(a.reasoningTokens, b.reasoningTokens),
  };
}

function add(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : a + b;
}

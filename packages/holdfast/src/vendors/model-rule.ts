import { UNKNOWN_PRODUCER } from '../turn/index.js';
import type { ModelRule, Vendor } from './vendor.js';

const NOTHING_KNOWN: ModelRule = {
  pattern: '*',
  capabilities: UNKNOWN_PRODUCER,
  contextWindow: undefined,
  outputLimit: undefined,
};

/** What is known of a model at a vendor; the most careful assumptions where nothing is. */
export function modelRule(vendor: Vendor, model: string): ModelRule {
  return vendor.models.find((rule) => matches(rule.pattern, model)) ?? NOTHING_KNOWN;
}

/** `*` matches any text; everything else matches itself. Linear in both lengths. */
export function matches(pattern: string, model: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return head === model;
  if (!model.startsWith(head)) return false;
  let at = head.length;
  const tail = rest.pop() ?? '';
  for (const part of rest) {
    const found = model.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return model.length - at >= tail.length && model.endsWith(tail);
}

import type { LogLine } from '@holdfast/gateway';
import { durationWords } from 'holdfast/watch';
import { safeText } from './safe-text.js';

/** One request in the terminal: when, how it ended, what it was, how long it took. Names come from clients, so they are only words. */
export function logWords(line: LogLine): string {
  const time = new Date(line.at).toISOString().slice(11, 19);
  const upstream = line.provider === undefined ? undefined : `${line.provider}/${line.upstreamModel ?? ''}`;
  const attempts = line.attempts === undefined || line.attempts < 2 ? undefined : `${line.attempts} attempts`;
  const model = line.model === undefined || upstream === undefined ? line.model : `${line.model} -> ${upstream}`;
  const words = [
    time,
    String(line.status),
    line.route,
    model,
    durationWords(line.durationMs),
    attempts,
    line.code,
    line.call,
  ];
  return safeText(words.filter((word) => word !== undefined).join('  ')).replaceAll('\n', ' ');
}

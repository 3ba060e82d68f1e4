import type { LogLine } from './log-line.js';

/** What a handler tells the log. */
export type Outcome = Omit<LogLine, 'at' | 'route' | 'durationMs' | 'dialect'>;

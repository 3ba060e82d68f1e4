import type { Dialect, DialectName } from './dialect.js';
import { GEMINI } from './gemini/index.js';
import { OPENAI_CHAT } from './openai-chat/index.js';

export * from './dialect.js';

/** Every wire format of the house. A new one is a folder and a line here. */
export const DIALECTS: Readonly<Partial<Record<DialectName, Dialect>>> = {
  gemini: GEMINI,
  'openai-chat': OPENAI_CHAT,
};

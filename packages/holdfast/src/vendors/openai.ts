import type { Capabilities } from '../turn/index.js';
import type { Vendor } from './vendor.js';

/** Calls are announced and stream. Thinking is hidden on this dialect, so none is ever open. */
const CHAT: Capabilities = {
  itemStart: 'before_arguments',
  argumentDeltas: true,
  reasoningDeltas: true,
  pings: false,
  resume: false,
  usageMidstream: false,
};

export const OPENAI: Vendor = {
  name: 'openai',
  dialect: 'openai-chat',
  baseUrl: 'https://api.openai.com/v1',
  auth: 'bearer',
  keyVariables: ['OPENAI_API_KEY'],
  quirks: { capField: 'max_completion_tokens', instructionsRole: 'developer' },
  models: [
    { pattern: 'gpt-*', capabilities: CHAT, contextWindow: undefined, outputLimit: undefined },
    { pattern: 'o*', capabilities: CHAT, contextWindow: undefined, outputLimit: undefined },
    { pattern: 'chatgpt-*', capabilities: CHAT, contextWindow: undefined, outputLimit: undefined },
  ],
};

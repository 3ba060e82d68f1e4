import type { Capabilities } from '../turn/index.js';
import type { Vendor } from './vendor.js';

/** Calls arrive whole; nothing is sent while one is written; there is no keep-alive of any kind. */
const AI_STUDIO: Capabilities = {
  itemStart: 'with_completion',
  argumentDeltas: false,
  reasoningDeltas: true,
  pings: false,
  resume: false,
  usageMidstream: true,
};

export const GOOGLE: Vendor = {
  name: 'google',
  dialect: 'gemini',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  auth: 'x-goog-api-key',
  keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  quirks: {},
  models: [{ pattern: 'gemini-*', capabilities: AI_STUDIO, contextWindow: 1_048_576, outputLimit: 65_536 }],
};

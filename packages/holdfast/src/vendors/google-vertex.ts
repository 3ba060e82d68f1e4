import type { Capabilities } from '../turn/index.js';
import type { Vendor } from './vendor.js';

/** With the opt-in that `quirks` asks for, calls are announced and their arguments stream. */
const VERTEX: Capabilities = {
  itemStart: 'before_arguments',
  argumentDeltas: true,
  reasoningDeltas: true,
  pings: false,
  resume: false,
  usageMidstream: true,
};

/** `baseUrl` holds project and location, so configuration must name it. */
export const GOOGLE_VERTEX: Vendor = {
  name: 'google',
  dialect: 'gemini',
  baseUrl: 'https://aiplatform.googleapis.com/v1/publishers/google',
  auth: 'bearer',
  keyVariables: ['VERTEX_ACCESS_TOKEN'],
  quirks: { streamFunctionCallArguments: true },
  models: [{ pattern: 'gemini-*', capabilities: VERTEX, contextWindow: 1_048_576, outputLimit: 65_536 }],
};

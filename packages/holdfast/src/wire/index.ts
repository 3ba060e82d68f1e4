export * from './json.js';
export * from './limits.js';
export * from './sse-frame.js';
export * from './sse-reader.js';
export * from './sse-writer.js';
export * from './http-status.js';
export * from './retry-after.js';
export * from './redact.js';

export * from './limits.js';
export * from './spent.js';
export * from './backoff.js';
export * from './cap.js';
export * from './fingerprint.js';
export * from './cause-key.js';
export * from './tell-model.js';
export * from './decide.js';

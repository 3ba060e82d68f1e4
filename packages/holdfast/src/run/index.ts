export * from './hop.js';
export * from './hop-to.js';
export * from './call-options.js';
export * from './clock.js';
export * from './holdfast-error.js';
export * from './engine.js';

export * from './start-gateway.js';
export * from './options.js';
export * from './limits.js';
export * from './log-line.js';
export * from './route-table.js';

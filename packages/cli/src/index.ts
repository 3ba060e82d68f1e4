export { EXIT_CODES, exitCodeOf } from './exit-code.js';
export { main } from './main.js';
export type { World } from './world.js';

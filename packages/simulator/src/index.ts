export { startSimulator } from './server/start-simulator.js';
export type { Simulator } from './server/start-simulator.js';
export type { SimulatorOptions } from './server/options.js';
export type { SeenRequest } from './server/seen-request.js';
export { SCENARIOS } from './scenarios/scenarios.js';
export { readScenario } from './scenario/read-scenario.js';
export * from './scenario/scenario.js';

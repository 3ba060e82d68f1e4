import type { Scenario } from '../scenario/scenario.js';
import { ANSWERS } from './answers.js';
import { REFUSED } from './refused.js';
import { SILENCES } from './silences.js';
import { TOOLS } from './tools.js';
import { BROKEN } from './broken.js';

/** The built-in scenarios. Each is data in the documented format. */
export const SCENARIOS: readonly Scenario[] = [...ANSWERS, ...TOOLS, ...SILENCES, ...BROKEN, ...REFUSED];

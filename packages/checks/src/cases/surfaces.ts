import { GATEWAY } from './gateway-surface.js';
import { LIBRARY } from './library-surface.js';
import type { Surface } from './surface.js';

/** Every surface that the product has so far. */
export const SURFACES: readonly Surface[] = [LIBRARY, GATEWAY];

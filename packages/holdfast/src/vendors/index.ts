import { GOOGLE } from './google.js';
import { GOOGLE_VERTEX } from './google-vertex.js';
import { OPENAI } from './openai.js';
import type { Vendor } from './vendor.js';

export * from './vendor.js';
export * from './model-rule.js';

export type VendorName = 'google' | 'google-vertex' | 'openai';

/** Endpoints that the product knows by name. */
export const VENDORS: Readonly<Record<VendorName, Vendor>> = {
  google: GOOGLE,
  'google-vertex': GOOGLE_VERTEX,
  openai: OPENAI,
};

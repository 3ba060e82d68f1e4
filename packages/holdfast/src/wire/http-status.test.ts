import { describe, expect, it } from 'vitest';
import { statusCategory } from './http-status.js';

describe('a bare status', () => {
  it.each([
    ['fine', [200, 201, 204, 299]],
    ['redirect', [300, 301, 302, 303, 304, 307, 308]],
    ['request', [400, 404, 405, 406, 409, 411, 413, 415, 422]],
    ['auth', [401, 403]],
    ['billing', [402]],
    ['transient', [408, 425, 429, 499, 500, 502, 503, 504, 529]],
  ])('is %s', (category, statuses) => {
    expect(statuses.map(statusCategory)).toEqual(statuses.map(() => category));
  });

  it('is a refusal where it is an unknown 4xx, and a trouble that passes where it is anything else', () => {
    expect([418, 451, 498].map(statusCategory)).toEqual(['request', 'request', 'request']);
    expect([501, 520, 599, 600, 0, -1, Number.NaN].map(statusCategory)).toEqual(Array(7).fill('transient'));
  });
});

/** What a bare status means, where nothing in the body says it better. */
export type StatusCategory =
  /** 2xx. */
  | 'fine'
  /** 3xx. Redirects are refused: credentials go to the configured host and to no other. */
  | 'redirect'
  /** The same request fails again. */
  | 'request'
  | 'auth'
  | 'billing'
  /** A later try can work. */
  | 'transient';

/** Unknown 4xx are `request`; 5xx and everything that is no HTTP status are `transient`. */
export function statusCategory(status: number): StatusCategory {
  const listed = LISTED.get(status);
  if (listed !== undefined) return listed;
  if (status >= 200 && status < 300) return 'fine';
  if (status >= 300 && status < 400) return 'redirect';
  return status >= 400 && status < 500 ? 'request' : 'transient';
}

const LISTED: ReadonlyMap<number, StatusCategory> = new Map([
  [400, 'request'],
  [401, 'auth'],
  [402, 'billing'],
  [403, 'auth'],
  [404, 'request'],
  [405, 'request'],
  [406, 'request'],
  [408, 'transient'],
  [409, 'request'],
  [411, 'request'],
  [413, 'request'],
  [415, 'request'],
  [422, 'request'],
  [425, 'transient'],
  [429, 'transient'],
  // Not in any standard: proxies and Google say it when the request was cancelled on the way.
  [499, 'transient'],
  [500, 'transient'],
  [502, 'transient'],
  [503, 'transient'],
  [504, 'transient'],
  // Anthropic's overload.
  [529, 'transient'],
]);

/**
 * One thing that a judge has to say of a case. `unasserted` is a statement that nobody here can check; `allowed` is a
 * behaviour other than the expected one that the case's notes call right.
 */
export interface Finding {
  readonly type: 'differs' | 'unasserted' | 'allowed';
  readonly text: string;
}

export function differs(text: string): Finding {
  return { type: 'differs', text };
}

export function unasserted(text: string): Finding {
  return { type: 'unasserted', text };
}

export function allowed(text: string): Finding {
  return { type: 'allowed', text };
}

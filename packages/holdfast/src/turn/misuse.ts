/** What our caller does wrong. Thrown at once; `code` is stable and documented. */
export class MisuseError extends Error {
  override readonly name = 'MisuseError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

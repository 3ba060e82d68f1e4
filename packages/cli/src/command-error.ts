/** Why a command ends before it has begun: one sentence that names the thing, then the cure. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

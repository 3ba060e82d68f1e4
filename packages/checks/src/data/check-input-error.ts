/** A folder, file or flag that a check cannot work with. Its message is one sentence for a person. */
export class CheckInputError extends Error {
  override readonly name = 'CheckInputError';
}

import { MisuseError } from '../turn/index.js';

/** A client's request that cannot be read. The message names the field and says what to send. */
export function requestInvalid(message: string): MisuseError {
  return new MisuseError('request_invalid', message);
}

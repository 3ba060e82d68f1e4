import type { Failure } from '../turn/index.js';
import type { Auth } from './hop.js';

/** A shorter key would be found in ordinary words. */
const KEY_CHARS_MIN = 8;

/** Text of a provider without the key that it was sent, whatever that looks like: some echo it. */
export function textWithoutKey(text: string, auth: Auth | undefined): string {
  const key = auth?.value.replace(/^bearer\s+/i, '') ?? '';
  return key.length < KEY_CHARS_MIN ? text : text.replaceAll(key, '[redacted]');
}

/** The same of a failure that was read out of such text. */
export function withoutKey(failure: Failure, auth: Auth | undefined): Failure {
  const { upstream } = failure;
  const clean = (text: string): string => textWithoutKey(text, auth);
  const word = (text: string | undefined): string | undefined => (text === undefined ? undefined : clean(text));
  return {
    ...failure,
    message: clean(failure.message),
    ...(upstream === undefined
      ? {}
      : {
          upstream: {
            ...upstream,
            code: word(upstream.code),
            type: word(upstream.type),
            message: word(upstream.message),
          },
        }),
  };
}

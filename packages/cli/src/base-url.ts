import { CommandError } from './command-error.js';

/** A base URL as the engine wants it. `source` is the flag or variable that a refusal names. */
export function baseUrl(source: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new CommandError(`${source} is "${text}". Give a whole address, such as https://api.example.com/v1.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new CommandError(`${source} holds a user name or password. Leave it out: keys come from the environment.`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new CommandError(`${source} is "${text}". Give it without "?" and "#": requests add their own path.`);
  }
  return url.href.replace(/\/+$/, '');
}

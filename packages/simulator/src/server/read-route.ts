import type { DialectName } from 'holdfast/dialects';

export type Route =
  | {
      readonly type: 'reply';
      readonly dialect: DialectName;
      readonly modelInPath: string | undefined;
      readonly apiVersion: string;
    }
  | { readonly type: 'models'; readonly dialect: DialectName }
  | { readonly type: 'unknown'; readonly dialect: DialectName };

/** The path as one of the providers' routes. Both APIs list models under `/v1/models`; Google's key tells them apart. */
export function readRoute(method: string, path: string, hasGoogleKey: boolean): Route {
  if (method === 'POST' && path === '/v1/chat/completions') {
    return { type: 'reply', dialect: 'openai-chat', modelInPath: undefined, apiVersion: 'v1' };
  }
  const generate = GENERATE.exec(path);
  if (method === 'POST' && generate !== null) {
    const [, apiVersion = '', model = ''] = generate;
    return { type: 'reply', dialect: 'gemini', modelInPath: decode(model), apiVersion };
  }
  const dialect = isGoogle(path, hasGoogleKey) ? 'gemini' : 'openai-chat';
  return method === 'GET' && LISTS.includes(path) ? { type: 'models', dialect } : { type: 'unknown', dialect };
}

const GENERATE = /^\/(v1|v1beta)\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;
const LISTS = ['/v1/models', '/v1beta/models'];

function isGoogle(path: string, hasGoogleKey: boolean): boolean {
  return path.startsWith('/v1beta/') || (path.startsWith('/v1/models') && (hasGoogleKey || path.includes(':')));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

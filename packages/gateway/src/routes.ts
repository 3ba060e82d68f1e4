import type { House } from './house.js';
import { infer } from './inference.js';
import { listModels, showModel } from './models.js';
import { after, exactly } from './router.js';
import type { RouteEntry } from './router.js';

/** Everything this gateway answers. */
export function routesOf(house: House): readonly RouteEntry[] {
  return [
    {
      name: 'health',
      method: 'GET',
      scope: 'public',
      dialect: 'openai-chat',
      match: exactly('/healthz'),
      handle: async ({ response }) => {
        response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': 3 }).end('ok\n');
        return { status: 200 };
      },
    },
    {
      name: 'chat.completions',
      method: 'POST',
      scope: 'inference',
      dialect: 'openai-chat',
      match: exactly('/v1/chat/completions'),
      handle: (exchange) => infer(exchange, house),
    },
    ...['/v1beta/models', '/v1/models'].flatMap((base) => modelRoutes(base, house)),
  ];
}

function modelRoutes(base: string, house: House): readonly RouteEntry[] {
  const dialect = base.startsWith('/v1beta') ? 'gemini' : 'openai-chat';
  return [
    {
      name: 'models.list',
      method: 'GET',
      scope: 'models',
      dialect,
      match: exactly(base),
      handle: (exchange) => listModels(exchange, house),
    },
    {
      name: 'models.show',
      method: 'GET',
      scope: 'models',
      dialect,
      match: (path) => (isMethodCall(path) ? undefined : after(`${base}/`)(path)),
      handle: (exchange, id) => showModel(exchange, house, id),
    },
    {
      name: 'gemini.generate',
      method: 'POST',
      scope: 'inference',
      dialect: 'gemini',
      match: (path) => (SERVED_METHODS.test(path) ? after(`${base}/`)(path) : undefined),
      handle: (exchange) => infer(exchange, house),
    },
  ];
}

const SERVED_METHODS = /:(?:generateContent|streamGenerateContent)$/;

/** Model names may hold colons of their own, so only the methods that Google has are told from names. */
function isMethodCall(path: string): boolean {
  return (
    /:(?:[a-z]+GenerateContent|generate[A-Z]\w*|countTokens|(?:batch|asyncBatch)?[eE]mbedContents?|predict\w*)$/.test(
      path,
    ) || SERVED_METHODS.test(path)
  );
}

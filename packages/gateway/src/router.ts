import { MisuseError } from 'holdfast/turn';
import type { DialectName } from 'holdfast/dialects';
import type { Exchange } from './exchange.js';
import type { Outcome } from './outcome.js';

/** What a route gives access to. `public` needs no key; the others need one where keys exist. */
export type Scope = 'public' | 'models' | 'inference';

export interface RouteEntry {
  /** As written in the log. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly scope: Scope;
  /** In whose shape its errors are written. */
  readonly dialect: DialectName;
  /** What the path names beyond the route, such as a model; `undefined` where the path is not this route's. */
  match(path: string): string | undefined;
  handle(exchange: Exchange, rest: string): Promise<Outcome>;
}

export type Found =
  | { readonly type: 'route'; readonly entry: RouteEntry; readonly rest: string }
  | { readonly type: 'method'; readonly allow: string; readonly dialect: DialectName }
  | { readonly type: 'none'; readonly dialect: DialectName };

const SCOPES: ReadonlySet<string> = new Set<Scope>(['public', 'models', 'inference']);

/** The one table of routes. It refuses to exist while a route does not say what it gives access to. */
export class Router {
  readonly #entries: readonly RouteEntry[];

  constructor(entries: readonly RouteEntry[]) {
    for (const entry of entries) {
      if (SCOPES.has(entry.scope)) continue;
      throw new MisuseError(
        'route_without_scope',
        `The route ${entry.name} declares no scope. Give it one of ${[...SCOPES].join(', ')}.`,
      );
    }
    this.#entries = entries;
  }

  find(method: string, path: string): Found {
    const wanted = method === 'HEAD' ? 'GET' : method;
    const methods: string[] = [];
    let dialect: DialectName | undefined;
    for (const entry of this.#entries) {
      const rest = entry.match(path);
      if (rest === undefined) continue;
      if (entry.method === wanted) return { type: 'route', entry, rest };
      methods.push(entry.method === 'GET' ? 'GET, HEAD' : entry.method);
      dialect = entry.dialect;
    }
    if (dialect === undefined) return { type: 'none', dialect: nearestDialect(path) };
    return { type: 'method', allow: [...methods, 'OPTIONS'].join(', '), dialect };
  }
}

/** A path that is nobody's still comes from a client with a dialect of its own. */
function nearestDialect(path: string): DialectName {
  return path.startsWith('/v1beta') || path.includes(':') ? 'gemini' : 'openai-chat';
}

export function exactly(wanted: string): (path: string) => string | undefined {
  return (path) => (path === wanted ? '' : undefined);
}

/** What follows the prefix, decoded; it may hold slashes, since model names do. */
export function after(prefix: string): (path: string) => string | undefined {
  return (path) => {
    if (!path.startsWith(prefix) || path.length === prefix.length) return undefined;
    try {
      return decodeURIComponent(path.slice(prefix.length));
    } catch {
      return undefined;
    }
  };
}

import type { IncomingMessage } from 'node:http';
import { headerValues } from './header-values.js';
import { Refusal } from './refusal.js';

export interface GuardOptions {
  readonly publicHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

/**
 * Who may talk to us at all, before routing: `Host` against DNS rebinding, `Origin` and `Sec-Fetch-Site` against
 * web pages. Neither header gives a right or builds an address; both can only refuse.
 */
export class Guard {
  readonly #hosts: Set<string>;
  readonly #origins: ReadonlySet<string>;

  constructor(options: GuardOptions) {
    this.#hosts = new Set(options.publicHosts.map((host) => host.toLowerCase()));
    this.#origins = new Set(options.allowedOrigins);
  }

  /** The port is known only once the server listens; until then no loopback name is good. */
  answerTo(port: number): void {
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      this.#hosts.add(`${host}:${port}`);
      if (port === 80) this.#hosts.add(host);
    }
  }

  check(request: IncomingMessage): Refusal | undefined {
    return this.#checkHost(request) ?? this.#checkOrigin(request);
  }

  /** The origin of an allowed page, which may then read the answer; `undefined` for everyone else. */
  allowedOrigin(request: IncomingMessage): string | undefined {
    const { origin } = request.headers;
    return origin !== undefined && this.#origins.has(origin) ? origin : undefined;
  }

  #checkHost(request: IncomingMessage): Refusal | undefined {
    const hosts = headerValues(request, 'host');
    const host = hosts[0]?.toLowerCase();
    if (hosts.length === 1 && host !== undefined && this.#hosts.has(host)) return undefined;
    return new Refusal(
      'forbidden',
      `The host ${quote(host)} is not one that this gateway answers to. Use its own address, or add the host to the public hosts.`,
    );
  }

  #checkOrigin(request: IncomingMessage): Refusal | undefined {
    const { origin } = request.headers;
    if (origin !== undefined) {
      if (this.#origins.has(origin) || this.#isSameOrigin(request, origin)) return undefined;
      return new Refusal(
        'forbidden',
        `Pages of ${quote(origin)} may not call this gateway. Add exactly this origin to the allowed origins if they should.`,
      );
    }
    const site = headerValues(request, 'sec-fetch-site')[0];
    if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
    return new Refusal(
      'forbidden',
      `A page of another site (sec-fetch-site: ${quote(site)}) may not call this gateway. Call it from a program, or allow the origin of the page.`,
    );
  }

  #isSameOrigin(request: IncomingMessage, origin: string): boolean {
    const host = request.headers.host?.toLowerCase();
    if (host === undefined) return false;
    const seen = origin.toLowerCase();
    return seen === `http://${host}` || seen === `https://${host}`;
  }
}

/** A caller's own word, short enough for one sentence. */
function quote(word: string | undefined): string {
  if (word === undefined || word === '') return '(none)';
  return `"${word.length > 100 ? `${word.slice(0, 100)}…` : word}"`;
}

import { MisuseError } from 'holdfast/turn';
import { describe, expect, it } from 'vitest';
import { after, exactly, Router } from './router.js';
import type { RouteEntry } from './router.js';

const handle = async (): Promise<{ status: number }> => ({ status: 200 });
const GOOD: RouteEntry = {
  name: 'good',
  method: 'GET',
  scope: 'models',
  dialect: 'openai-chat',
  match: exactly('/good'),
  handle,
};

describe('a route that does not say what it gives access to (S9)', () => {
  it('keeps the gateway from starting', () => {
    const { scope: _scope, ...bare } = GOOD;
    const entries = JSON.parse(JSON.stringify([bare])) as RouteEntry[];
    expect(() => new Router(entries)).toThrow(
      new MisuseError(
        'route_without_scope',
        'The route good declares no scope. Give it one of public, models, inference.',
      ),
    );
  });
});

describe('a path', () => {
  const router = new Router([GOOD, { ...GOOD, name: 'named', method: 'POST', match: after('/named/') }]);

  it('finds its route, and HEAD is a GET', () => {
    expect(router.find('HEAD', '/good')).toEqual({ type: 'route', entry: GOOD, rest: '' });
  });

  it('gives what it names, decoded', () => {
    expect(router.find('POST', '/named/a%2Fb/c')).toMatchObject({ type: 'route', rest: 'a/b/c' });
  });

  it('that exists for other methods names them', () => {
    expect(router.find('PUT', '/good')).toEqual({
      type: 'method',
      allow: 'GET, HEAD, OPTIONS',
      dialect: 'openai-chat',
    });
  });

  it.each([
    ['/v1beta/nothing', 'gemini'],
    ['/v1/nothing', 'openai-chat'],
    ['/named/%E0%A4%A', 'openai-chat'],
  ])("%s that is nobody's is answered in the dialect %s", (path, dialect) => {
    expect(router.find('POST', path)).toEqual({ type: 'none', dialect });
  });
});

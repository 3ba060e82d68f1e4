import { afterEach, describe, expect, it } from 'vitest';
import { openUpstreams } from './upstreams.js';
import type { UpstreamFlags, Upstreams } from './upstreams.js';

const NONE: UpstreamFlags = { baseUrl: [], provider: [], alias: [], simulator: false };
const open: Upstreams[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((upstreams) => upstreams.close()));
});

async function upstreamsOf(
  flags: Partial<UpstreamFlags>,
  env: Readonly<Record<string, string>> = {},
): Promise<Upstreams> {
  const upstreams = await openUpstreams({ ...NONE, ...flags }, env);
  open.push(upstreams);
  return upstreams;
}

/** Where a model name leads: provider, model, address, credential. */
function lead(upstreams: Upstreams, model: string): readonly unknown[] | undefined {
  return upstreams.routes
    .resolve(model)
    ?.chain.map(({ provider, model: name }) => [provider.name, name, provider.baseUrl, provider.auth?.value]);
}

describe('no key at all', () => {
  it('makes the simulator the upstream, by both dialects, with nothing else beside it', async () => {
    const upstreams = await upstreamsOf({});
    expect(upstreams.isSimulated).toBe(true);
    expect(upstreams.endpoints.map(({ provider }) => [provider.name, provider.dialect])).toEqual([
      ['simulator', 'gemini'],
      ['simulator-chat', 'openai-chat'],
    ]);
    expect(upstreams.routes.resolve('sim-plain')?.chain[0].provider.dialect).toBe('gemini');
    expect(upstreams.routes.resolve('simulator-chat/sim-plain')?.chain[0].provider.dialect).toBe('openai-chat');
    expect(upstreams.defaultModel).toBe('sim-plain');
  });

  it('gives the simulator the habits of the vendor whose place it takes', async () => {
    const { routes } = await upstreamsOf({});
    expect(routes.resolve('sim-plain')?.chain[0].capabilities.itemStart).toBe('with_completion');
    expect(routes.resolve('simulator-chat/sim-plain')?.chain[0].capabilities.itemStart).toBe('before_arguments');
  });

  it('knows no model that the simulator does not have', async () => {
    const { routes } = await upstreamsOf({});
    expect(
      ['sim-nothing', 'gpt-5', 'simulator/gpt-5', 'google/gemini-x', ''].map((name) => routes.resolve(name)),
    ).toEqual(Array.from({ length: 5 }, () => undefined));
  });

  it('lists each model of the simulator once, and the aliases first', async () => {
    const { routes } = await upstreamsOf({ alias: ['main=sim-plain'] });
    const ids = routes.list().map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual(['main', 'sim-plain']);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('keys in the environment', () => {
  const KEYS = { GEMINI_API_KEY: 'g-key', OPENAI_API_KEY: 'o-key' };

  it('make providers that bare names and full names lead to', async () => {
    const upstreams = await upstreamsOf({}, KEYS);
    expect(upstreams.isSimulated).toBe(false);
    const google = 'https://generativelanguage.googleapis.com/v1beta';
    expect(lead(upstreams, 'gemini-9')).toEqual([['google', 'gemini-9', google, 'g-key']]);
    expect(lead(upstreams, 'google/anything')).toEqual([['google', 'anything', google, 'g-key']]);
    expect(lead(upstreams, 'gpt-9')).toEqual([['openai', 'gpt-9', 'https://api.openai.com/v1', 'Bearer o-key']]);
    expect(lead(upstreams, 'sim-plain')).toBeUndefined();
    expect(lead(upstreams, 'mistral-9')).toBeUndefined();
  });

  it('are found under the second name, and an empty one is none', async () => {
    const upstreams = await upstreamsOf({}, { GEMINI_API_KEY: '', GOOGLE_API_KEY: 'second', OPENAI_API_KEY: '' });
    expect(upstreams.endpoints.map(({ provider }) => [provider.name, provider.auth?.value])).toEqual([
      ['google', 'second'],
    ]);
  });

  it('go to the address of the environment, and rather to that of the flag', async () => {
    const env = { ...KEYS, GEMINI_BASE_URL: 'http://127.0.0.1:1/v1beta/', OPENAI_BASE_URL: 'http://127.0.0.1:2/v1' };
    const upstreams = await upstreamsOf({ baseUrl: ['openai=http://127.0.0.1:3/v1'] }, env);
    expect(upstreams.endpoints.map(({ provider }) => provider.baseUrl)).toEqual([
      'http://127.0.0.1:1/v1beta',
      'http://127.0.0.1:3/v1',
    ]);
  });

  it('stay unused where the simulator is asked for', async () => {
    const upstreams = await upstreamsOf({ simulator: true }, KEYS);
    expect(upstreams.endpoints.map(({ provider }) => provider.name)).toEqual(['simulator', 'simulator-chat']);
  });

  it('invent no models for the list', async () => {
    const { routes } = await upstreamsOf({}, KEYS);
    expect(routes.list()).toEqual([]);
  });
});

describe('a key that a file or a shell has dressed up', () => {
  it('is taken without its line end, and is none where nothing else is there', async () => {
    const upstreams = await upstreamsOf({}, { OPENAI_API_KEY: 'o-key\n', GEMINI_API_KEY: ' ' });
    expect(lead(upstreams, 'gpt-9')?.[0]).toEqual(['openai', 'gpt-9', 'https://api.openai.com/v1', 'Bearer o-key']);
    expect(upstreams.endpoints.map(({ provider }) => provider.name)).toEqual(['openai']);
  });

  it('is refused by the name of its variable, before a header breaks on it and the network gets the blame', async () => {
    await expect(upstreamsOf({}, { OPENAI_API_KEY: 'o-key\nsecond' })).rejects.toThrow(
      'OPENAI_API_KEY holds a space, a line break or a letter that no key can have. Set it again, to the key alone.',
    );
  });
});

describe('an address in the environment without a key', () => {
  it('makes no provider, since it may be the address of this very gateway', async () => {
    expect((await upstreamsOf({}, { OPENAI_BASE_URL: 'http://127.0.0.1:4141/v1' })).isSimulated).toBe(true);
  });
});

describe('a server named with --provider', () => {
  it('is reached by its full names, with the key from its variable', async () => {
    const provider = ['name=local,url=http://127.0.0.1:8080/v1,key-env=LOCAL_KEY'];
    const upstreams = await upstreamsOf({ provider }, { LOCAL_KEY: 'l-key' });
    expect(lead(upstreams, 'local/org/llama')).toEqual([
      ['local', 'org/llama', 'http://127.0.0.1:8080/v1', 'Bearer l-key'],
    ]);
    expect(lead(upstreams, 'llama')).toBeUndefined();
  });

  it('has the habits of the vendor it names, and the most careful ones without', async () => {
    const provider = ['name=a,url=http://127.0.0.1:1,vendor=google', 'name=b,url=http://127.0.0.1:2'];
    const upstreams = await upstreamsOf({ provider });
    expect(upstreams.endpoints.map(({ provider: { vendor, dialect, auth } }) => [vendor, dialect, auth])).toEqual([
      ['google', 'gemini', undefined],
      ['b', 'openai-chat', undefined],
    ]);
    expect(upstreams.routes.resolve('a/gemini-9')?.chain[0].capabilities.reasoningDeltas).toBe(true);
    expect(upstreams.routes.resolve('b/gemini-9')?.chain[0].capabilities.reasoningDeltas).toBe(false);
  });
});

describe('an alias', () => {
  it('can be a chain whose first fallback changes the vendor', async () => {
    const upstreams = await upstreamsOf({ alias: ['main=sim-overloaded,simulator-chat/sim-plain'] });
    expect(upstreams.routes.resolve('main')?.chain.map(({ provider }) => provider.vendor)).toEqual([
      'google',
      'openai',
    ]);
  });
});

describe('bad values', () => {
  it.each<[string, Partial<UpstreamFlags>, Readonly<Record<string, string>>]>([
    [
      '--base-url "x=http://h" names no provider. Write NAME=URL with one of google, openai',
      { baseUrl: ['x=http://h'] },
      {},
    ],
    ['--base-url google is "ftp://h". Give a whole address', { baseUrl: ['google=ftp://h'] }, {}],
    ['--base-url google holds a user name or password.', { baseUrl: ['google=http://u:p@h'] }, {}],
    ['--base-url google is "http://h/?k=1". Give it without', { baseUrl: ['google=http://h/?k=1'] }, {}],
    ['GEMINI_BASE_URL is "h". Give a whole address', {}, { GEMINI_API_KEY: 'k', GEMINI_BASE_URL: 'h' }],
    ['--provider has the part "nme=a". Write NAME=VALUE', { provider: ['nme=a'] }, {}],
    ['--provider "url=http://h" has no name', { provider: ['url=http://h'] }, {}],
    ['--provider a has no url.', { provider: ['name=a'] }, {}],
    ['--provider a has the dialect "soap". Choose one of', { provider: ['name=a,url=http://h,dialect=soap'] }, {}],
    [
      '--provider a has the vendor "constructor". Choose one of',
      { provider: ['name=a,url=http://h,vendor=constructor'] },
      {},
    ],
    [
      '--provider a takes its key from A_KEY, which is not set.',
      { provider: ['name=a,url=http://h,key-env=A_KEY'] },
      {},
    ],
    ['There are two providers named "google".', { provider: ['name=google,url=http://h'] }, { GEMINI_API_KEY: 'k' }],
    ['--alias "sim-plain" has no name.', { alias: ['sim-plain'] }, {}],
    ['--alias a names the model "gpt-5", which no provider here has.', { alias: ['a=gpt-5'] }, {}],
    ['The first fallback of --alias a stays with google', { alias: ['a=sim-plain,sim-thinking'] }, {}],
    [
      'The first fallback of --alias a stays with google',
      { alias: ['a=google/m,mirror/m'], provider: ['name=mirror,url=http://h,vendor=google'] },
      { GEMINI_API_KEY: 'k' },
    ],
  ])('end in a sentence: %s', async (sentence, flags, env) => {
    await expect(upstreamsOf(flags, env)).rejects.toThrow(sentence);
  });
});

import { keyVariables } from './known-providers.js';
import type { Upstreams } from './upstreams.js';

export interface StartupFacts {
  readonly url: string;
  readonly upstreams: Upstreams;
  readonly needsKey: boolean;
}

/** What `serve` says once it listens: where, what is upstream, two snippets that work when pasted, how to stop. */
export function startupText({ url, upstreams, needsKey }: StartupFacts): string {
  const model =
    upstreams.defaultModel ??
    upstreams.routes.list()[0]?.id ??
    `${upstreams.endpoints[0]?.provider.name ?? 'PROVIDER'}/MODEL`;
  return [
    `Holdfast is listening on ${url}`,
    ...upstreamLines(upstreams),
    '',
    'Try it:',
    '',
    ...curlLines({ url, model, needsKey }),
    '',
    'With the OpenAI SDK (npm install openai), as a file ending in .mjs:',
    '',
    ...sdkLines({ url, model, needsKey }),
    '',
    ...(needsKey ? ['HOLDFAST_KEY stands for one of the keys that this gateway was started with.'] : []),
    'Stop it with Ctrl+C.',
    '',
  ].join('\n');
}

function upstreamLines(upstreams: Upstreams): readonly string[] {
  if (upstreams.isSimulated) {
    return [
      'Upstream: the embedded simulator. Its answers are scripts, not a model.',
      `For a real model, set ${keyVariables().join(' or ')} and start again.`,
    ];
  }
  return upstreams.endpoints.map(({ provider }) => `Upstream: ${provider.name} at ${provider.baseUrl}`);
}

interface Snippet {
  readonly url: string;
  readonly model: string;
  readonly needsKey: boolean;
}

function curlLines({ url, model, needsKey }: Snippet): readonly string[] {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Say hello.' }] });
  return [
    `  curl ${url}/v1/chat/completions \\`,
    "    -H 'content-type: application/json' \\",
    ...(needsKey ? ['    -H "authorization: Bearer $HOLDFAST_KEY" \\'] : []),
    `    -d '${body}'`,
  ];
}

function sdkLines({ url, model, needsKey }: Snippet): readonly string[] {
  return [
    "  import OpenAI from 'openai';",
    `  const client = new OpenAI({ baseURL: '${url}/v1', apiKey: ${needsKey ? 'process.env.HOLDFAST_KEY' : "'none'"} });`,
    '  const stream = await client.chat.completions.create({',
    `    model: '${model}',`,
    "    messages: [{ role: 'user', content: 'Say hello.' }],",
    '    stream: true,',
    '  });',
    "  for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta?.content ?? '');",
  ];
}

import { describe, expect, it } from 'vitest';
import { clientRequest } from './client-request.js';

describe('a request that carries a key in every place it can', () => {
  it('shows none of them to a codec, and the rest as it came', () => {
    const headers = {
      authorization: 'Bearer secret',
      'x-api-key': 'secret',
      'x-goog-api-key': 'secret',
      cookie: 'a=secret',
      'proxy-authorization': 'secret',
      host: 'localhost',
      'content-type': 'application/json',
      'x-beta': 'one',
    };
    const read = clientRequest(
      { path: '/v1/x', query: new URLSearchParams('key=secret&alt=sse&alt=json'), request: { headers } },
      { model: 'm' },
    );
    expect(read).toEqual({
      path: '/v1/x',
      query: { alt: 'sse' },
      headers: { 'content-type': 'application/json', 'x-beta': 'one' },
      body: { model: 'm' },
    });
  });
});

import type { Failure } from '../turn/index.js';

/** The wire itself broke its promises. `what` names the thing that came. */
export function brokenReply(code: string, provider: string, what: string): Failure {
  return {
    code,
    kind: 'protocol',
    retryable: true,
    atFault: 'provider',
    message: `${provider} sent ${what} inside its reply.`,
    advice: 'Nothing of an unfinished call ran. Ask again; if it stays, the provider or a proxy before it is broken.',
  };
}

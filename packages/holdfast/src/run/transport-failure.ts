import type { Failure } from '../turn/index.js';
import { STOPPED } from './stopped.js';

/** Where the connection broke, for the words. */
export interface Breakage {
  readonly provider: string;
  readonly host: string;
  /** The status of the answer under way; `undefined` before headers. */
  readonly answered: boolean;
  readonly error: unknown;
}

/** A connection that could not be made or did not last. Never dressed up as an HTTP status. */
export function transportFailure(breakage: Breakage): Failure {
  const code = errorCode(breakage.error);
  // Ours, by `Engine.close()`: whatever is under way has been stopped.
  if (code === 'UND_ERR_DESTROYED') return STOPPED;
  const base = { kind: 'transient', retryable: true, atFault: 'network' } as const;
  if (breakage.answered) {
    return {
      ...base,
      code: 'stream_dropped',
      message: `The connection to ${breakage.provider} broke in the middle of its answer (${code}).`,
    };
  }
  switch (code) {
    case 'UND_ERR_INVALID_ARG':
      return {
        code: 'request_unsendable',
        kind: 'request',
        retryable: false,
        atFault: 'operator',
        message: `The request to ${breakage.provider} could not be put into HTTP: its base URL is no http or https address, or its key holds characters that no header can carry.`,
        advice:
          'Set the base URL to an address such as https://api.example/v1, and check the key for line breaks and other invisible characters.',
      };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        ...base,
        code: 'dns_failed',
        message: `The name ${breakage.host} of ${breakage.provider} could not be resolved (${code}).`,
        advice: 'Check the base URL and the network.',
      };
    case 'ECONNREFUSED':
      return {
        ...base,
        code: 'connection_refused',
        message: `${breakage.host} of ${breakage.provider} refused the connection.`,
        advice: 'Check that the server runs and that the base URL names its port.',
      };
    default:
      return isCertificate(code)
        ? {
            ...base,
            code: 'tls_failed',
            message: `The certificate of ${breakage.host} was not accepted (${code}).`,
            advice: 'Check the clock, the proxy, and the certificate of that host.',
          }
        : {
            ...base,
            code: 'connection_lost',
            message: `The connection to ${breakage.provider} was lost before it answered (${code}).`,
          };
  }
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  if ('code' in error && typeof error.code === 'string') {
    const inner = error.cause instanceof Error && 'code' in error.cause ? error.cause.code : undefined;
    return typeof inner === 'string' ? inner : error.code;
  }
  return error.name;
}

function isCertificate(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|SSL|TLS/.test(code);
}

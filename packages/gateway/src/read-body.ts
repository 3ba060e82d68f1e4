import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Alarm } from './clock.js';
import type { GatewayLimits } from './limits.js';
import { Refusal } from './refusal.js';

/** Below this size a high compression ratio is no attack. */
const INFLATION_FREE_BYTES = 1024 * 1024;

/** The whole body, decompressed, within its bounds. */
export function readBody(request: IncomingMessage, limits: GatewayLimits): Promise<Buffer | Refusal> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limits.bodyBytesMax) return Promise.resolve(tooLarge(limits));
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return new BodyReader(request, undefined, limits).read();
  const inflater = inflaterOf(encoding);
  if (inflater !== undefined) return new BodyReader(request, inflater, limits).read();
  const sentence = `The body is encoded as "${encoding.slice(0, 60)}". Send it plain or as gzip, br or deflate.`;
  return Promise.resolve(new Refusal('unsupported_media_type', sentence, { 'accept-encoding': 'gzip, br, deflate' }));
}

function inflaterOf(encoding: string): Transform | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    default:
      return undefined;
  }
}

function tooLarge(limits: GatewayLimits): Refusal {
  return new Refusal(
    'body_too_large',
    `The body is larger than ${limits.bodyBytesMax} bytes. Send less, or raise the gateway's body limit.`,
  );
}

/** Counts both sides of the decompressor, so that neither a long body nor a short bomb is kept. */
class BodyReader {
  readonly #request: IncomingMessage;
  readonly #inflater: Transform | undefined;
  readonly #source: Readable;
  readonly #limits: GatewayLimits;
  readonly #alarm: Alarm = new Alarm(() => this.#finish(this.#tooSlow()));
  #resolve: (result: Buffer | Refusal) => void = () => {};
  #chunks: Buffer[] = [];
  #wireBytes = 0;
  #bytes = 0;

  constructor(request: IncomingMessage, inflater: Transform | undefined, limits: GatewayLimits) {
    this.#request = request;
    this.#inflater = inflater;
    this.#source = inflater ?? request;
    this.#limits = limits;
  }

  read(): Promise<Buffer | Refusal> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#alarm.set(this.#limits.bodyMs);
      this.#request.on('close', this.#onCut).on('error', this.#onCut);
      this.#source.on('data', this.#onData).on('end', this.#onEnd);
      if (this.#inflater === undefined) return;
      this.#inflater.on('error', this.#onCorrupt);
      this.#request.on('data', this.#onWireData).pipe(this.#inflater);
    });
  }

  readonly #onWireData = (chunk: Buffer): void => {
    this.#wireBytes += chunk.length;
  };

  readonly #onData = (chunk: Buffer): void => {
    this.#bytes += chunk.length;
    if (this.#isOver()) this.#finish(tooLarge(this.#limits));
    else this.#chunks.push(chunk);
  };

  readonly #onEnd = (): void => {
    const [first] = this.#chunks;
    this.#finish(first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks, this.#bytes));
  };

  readonly #onCut = (): void => {
    // A decompressor may still be at work when its whole input has come.
    if (this.#request.complete && this.#inflater !== undefined) return;
    this.#finish(
      new Refusal('request_invalid', 'The connection ended before the body was whole. Send the request again.'),
    );
  };

  readonly #onCorrupt = (): void => {
    this.#finish(
      new Refusal(
        'request_invalid',
        'The compressed body cannot be decompressed. Send it whole, in the encoding that content-encoding names.',
      ),
    );
  };

  #isOver(): boolean {
    if (this.#bytes > this.#limits.bodyBytesMax) return true;
    if (this.#inflater === undefined || this.#bytes <= INFLATION_FREE_BYTES) return false;
    return this.#bytes > this.#wireBytes * this.#limits.inflationMax;
  }

  #tooSlow(): Refusal {
    return new Refusal(
      'request_timeout',
      `The body did not arrive within ${this.#limits.bodyMs / 1000} s. Send the request again.`,
    );
  }

  /** What still comes is read and dropped by the server, so that the client gets to read our answer. */
  #finish(result: Buffer | Refusal): void {
    this.#alarm.clear();
    this.#chunks = [];
    this.#request.off('close', this.#onCut).off('error', this.#onCut).off('data', this.#onWireData);
    this.#source.off('data', this.#onData).off('end', this.#onEnd);
    if (this.#inflater !== undefined) {
      this.#request.unpipe(this.#inflater);
      this.#inflater.destroy();
    }
    this.#resolve(result);
  }
}

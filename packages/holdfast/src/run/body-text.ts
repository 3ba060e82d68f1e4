import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** Text of an error that is kept, compressed or not. */
const TEXT_BYTES_MAX = 64 * 1024;

/**
 * The text of a body that was read whole. No compression is asked for; a server or proxy that compresses its errors all
 * the same is understood as far as the bound, and a body that cannot be read is empty.
 */
export function bodyText(pieces: readonly Uint8Array[], encoding: string | undefined): string {
  const [first] = pieces;
  const whole =
    first !== undefined && pieces.length === 1
      ? Buffer.from(first.buffer, first.byteOffset, first.length)
      : Buffer.concat(pieces);
  return isEncoded(encoding) ? decoded(whole, encoding) : whole.toString('utf8');
}

export function isEncoded(encoding: string | undefined): encoding is string {
  return encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity';
}

function decoded(bytes: Buffer, encoding: string): string {
  const bound = { maxOutputLength: TEXT_BYTES_MAX };
  try {
    switch (encoding.toLowerCase()) {
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(bytes, bound).toString('utf8');
      case 'br':
        return brotliDecompressSync(bytes, bound).toString('utf8');
      case 'deflate':
        return inflateSync(bytes, bound).toString('utf8');
      default:
        return '';
    }
  } catch {
    return ''; // Corrupt, cut or beyond the bound: the status alone has to tell.
  }
}

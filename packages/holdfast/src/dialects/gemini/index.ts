import type { ReplyEvent } from '../../turn/index.js';
import type { Dialect, ReaderOptions, ReplyReader, ReplyWriter, WriterOptions } from '../dialect.js';
import { amendRequest } from './amend-request.js';
import { readFailure, writeFailure } from './failures.js';
import { GeminiReplyReader } from './read-reply.js';
import { readRequest } from './read-request.js';
import { GeminiReplyWriter, writeReplyBody } from './write-reply.js';
import { writeRequest } from './write-request.js';

/** Google's `generateContent` and `streamGenerateContent`, of AI Studio and of Vertex. */
export const GEMINI: Dialect = {
  name: 'gemini',
  writeRequest,
  amendRequest,
  newReplyReader: (options: ReaderOptions): ReplyReader => new GeminiReplyReader(options),
  readReplyBody,
  readFailure,
  readRequest,
  newReplyWriter: (options: WriterOptions): ReplyWriter => new GeminiReplyWriter(options),
  writeReplyBody,
  writeFailure,
};

/** A whole body is one chunk, or the array of chunks that a stream without `alt=sse` is. */
function readReplyBody(body: string, options: ReaderOptions): readonly ReplyEvent[] {
  const reader = new GeminiReplyReader(options);
  return [...reader.readText(body), ...reader.end()];
}

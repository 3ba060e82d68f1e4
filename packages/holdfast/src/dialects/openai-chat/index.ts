import type { Dialect, ReplyReader, ReplyWriter, ReaderOptions, WriterOptions } from '../dialect.js';
import { amendRequest } from './amend-request.js';
import { readFailure, writeFailure } from './failures.js';
import { ChatReplyReader } from './read-reply.js';
import { readRequest } from './read-request.js';
import { writeReplyBody } from './write-reply-body.js';
import { ChatReplyWriter } from './write-reply.js';
import { writeRequest } from './write-request.js';

/** Chat Completions and its many compatible servers. */
export const OPENAI_CHAT: Dialect = {
  name: 'openai-chat',
  writeRequest,
  amendRequest,
  newReplyReader: (options: ReaderOptions): ReplyReader => new ChatReplyReader(options),
  readReplyBody: (body, options) => new ChatReplyReader(options).readBody(body),
  readFailure,
  readRequest,
  newReplyWriter: (options: WriterOptions): ReplyWriter => new ChatReplyWriter(options),
  writeReplyBody,
  writeFailure,
};

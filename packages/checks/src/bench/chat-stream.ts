/** A Chat stream of so many text chunks, as one provider frames it: about 220 bytes a chunk. */
export function chatTextStream(chunks: number): string[] {
  const frames: string[] = [chatChunk({ role: 'assistant', content: '' })];
  for (let n = 0; n < chunks; n += 1) frames.push(chatChunk({ content: ` word${n % 97}` }));
  return [...frames, ...ending('stop')];
}

/** One tool call whose arguments come in so many pieces. */
export function chatCallStream(deltas: number): string[] {
  const open = {
    tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: { name: 'write_file', arguments: '' } }],
  };
  const piece = (text: string): string => chatChunk({ tool_calls: [{ index: 0, function: { arguments: text } }] });
  const frames: string[] = [chatChunk(open), piece('{"text":"')];
  for (let n = 0; n < deltas; n += 1) frames.push(piece('lorem ipsum '));
  return [...frames, piece('"}'), ...ending('tool_calls')];
}

function ending(reason: string): string[] {
  const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
  return [
    chatChunk({}, reason),
    `data: ${JSON.stringify({ ...ENVELOPE, choices: [], usage })}\n\n`,
    'data: [DONE]\n\n',
  ];
}

const ENVELOPE = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'bench-1' };

function chatChunk(delta: object, reason: string | null = null): string {
  return `data: ${JSON.stringify({ ...ENVELOPE, choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }] })}\n\n`;
}

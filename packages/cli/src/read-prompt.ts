import { CommandError } from './command-error.js';
import type { InputStream } from './world.js';

const CHARS_MAX = 16 * 1024 * 1024;

/** The prompt as given, or all of standard input for `-`. */
export async function readPrompt(given: string | undefined, stdin: InputStream): Promise<string> {
  if (given === undefined) {
    throw new CommandError(
      'There is no prompt. Write it in quotes, as in holdfast run "Say hello.", or give - to read it from standard input.',
    );
  }
  const prompt = given === '-' ? await readAll(stdin) : given;
  if (prompt.trim() === '') throw new CommandError('The prompt is empty. Write what the model should do.');
  return prompt;
}

async function readAll(stdin: InputStream): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stdin) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > CHARS_MAX)
      throw new CommandError(
        `The prompt on standard input is longer than ${CHARS_MAX / 1024 / 1024} MiB. Give a shorter one.`,
      );
  }
  return text + decoder.decode();
}

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { UpstreamWords } from '../src/dialects/classify.js';
import { classify } from '../src/dialects/classify.js';
import { isRecord, listOf, numberOf, parseJson, stringOf } from '../src/wire/index.js';
import { words } from './upstream-words.js';

const FIXTURES = new URL('../../../../shared/fixtures/', import.meta.url);

describe.skipIf(!existsSync(FIXTURES))('a recorded error (shared/fixtures)', () => {
  const KINDS: ReadonlyMap<string, string> = new Map([
    ['anthropic/constructed-error-400-thinking-bound.json', 'request'],
    ['anthropic/constructed-error-413.json', 'request'],
    ['anthropic/constructed-error-429-retry-after.json', 'transient'],
    ['anthropic/constructed-error-529.json', 'transient'],
    ['anthropic/constructed-error-mid-stream-overloaded.sse', 'transient'],
    ['anthropic/count-tokens-404.json', 'model_unknown'],
    ['anthropic/error-400-effort.json', 'request'],
    ['anthropic/error-400-prompt-too-long.json', 'context_overflow'],
    ['anthropic/error-401.json', 'auth'],
    ['anthropic/error-404-model.json', 'model_unknown'],
    ['bedrock-converse/error-400-model.json', 'model_unknown'],
    ['bedrock-converse/error-403.json', 'auth'],
    ['gemini/constructed-error-400-missing-signature.json', 'request'],
    ['gemini/constructed-error-400-signature-invalid.json', 'request'],
    ['gemini/constructed-error-503-overloaded.json', 'transient'],
    ['gemini/error-400-api-key-invalid.json', 'auth'],
    ['gemini/error-400-api-key-vertex.json', 'auth'],
    ['gemini/error-400-context-length.json', 'context_overflow'],
    ['gemini/error-403-iam.json', 'auth'],
    ['gemini/error-404-model.json', 'model_unknown'],
    ['gemini/error-429-quota-details.json', 'transient'],
    ['gemini/error-429-vertex-quota.json', 'transient'],
    ['gemini/error-mid-stream-raw-json.txt', 'transient'],
    ['openai-chat/azure-error-401.json', 'auth'],
    ['openai-chat/azure-error-404-deployment.json', 'model_unknown'],
    ['openai-chat/azure-error-429.json', 'transient'],
    ['openai-chat/azure-error-in-200-body.json', 'content'],
    ['openai-chat/constructed-deepseek-error-400-reasoning-missing.json', 'request'],
    ['openai-chat/constructed-error-mid-stream-no-choices.sse', 'transient'],
    ['openai-chat/constructed-gemini-compat-error-array.json', 'request'],
    ['openai-chat/constructed-openai-error-429-quota.json', 'billing'],
    ['openai-chat/constructed-relay-signature-error-as-500.json', 'request'],
    ['openai-chat/deepseek-error-400-model.json', 'model_unknown'],
    ['openai-chat/deepseek-error-400-tool-choice.json', 'request'],
    ['openai-chat/deepseek-error-401.json', 'auth'],
    ['openai-chat/doubleword-error-400-flat.json', 'request'],
    ['openai-chat/groq-error-400-tool-use-failed.json', 'protocol'],
    ['openai-chat/groq-tool-error-event.sse', 'protocol'],
    ['openai-chat/llamacpp-error-context.json', 'context_overflow'],
    ['openai-chat/mistral-error-400-flat.json', 'model_unknown'],
    ['openai-chat/mistral-error-401-detail.json', 'auth'],
    ['openai-chat/openai-error-400-max-tokens-param.json', 'request'],
    ['openai-chat/openai-error-404-model.json', 'model_unknown'],
    ['openai-chat/openrouter-error-400-context.json', 'context_overflow'],
    ['openai-chat/openrouter-error-401.json', 'auth'],
    ['openai-chat/openrouter-error-429.json', 'transient'],
    ['openai-chat/openrouter-error-mid-stream.sse', 'request'],
    ['openai-chat/venice-error-404-string.json', 'model_unknown'],
    ['openai-responses/constructed-error-400-encrypted-content.json', 'request'],
    ['openai-responses/constructed-error-event-flat.sse', 'transient'],
    ['openai-responses/error-400-context.json', 'context_overflow'],
    ['openai-responses/error-400-deepseek-history.json', 'request'],
    ['openai-responses/error-400-key-xai.json', 'auth'],
    ['openai-responses/error-400-model.json', 'model_unknown'],
    ['openai-responses/error-400-previous-response.json', 'request'],
    ['openai-responses/error-400-reasoning-without-item.json', 'request'],
    ['openai-responses/error-401.json', 'auth'],
    ['openai-responses/openai-error-then-failed-quota.sse', 'billing'],
    ['openai-responses/openai-error-then-failed.sse', 'request'],
  ]);

  function wordsOfEntry(entry: unknown): readonly [string, UpstreamWords] | undefined {
    if (!isRecord(entry) || !isRecord(entry['expect']) || !isRecord(entry['expect']['error'])) return undefined;
    const { code, type, status, message } = entry['expect']['error'];
    const http = isRecord(entry['http']) ? numberOf(entry['http']['status']) : undefined;
    const part = {
      status: numberOf(status) ?? (http === 200 ? undefined : http),
      code: typeof code === 'number' ? String(code) : stringOf(code),
      type: stringOf(type) ?? stringOf(status),
      message: stringOf(message),
    };
    return [stringOf(entry['file']) ?? '', words(part)];
  }

  it('has the kind that its providers page gives it, from code, type, message and status alone', () => {
    const manifest = parseJson(readFileSync(new URL('MANIFEST.json', FIXTURES), 'utf8'));
    const entries = listOf(manifest.ok ? manifest.value : undefined)
      .map(wordsOfEntry)
      .filter((entry) => entry !== undefined);
    const kinds = entries.map(([file, said]) => [file, classify(said).kind]);
    expect(kinds.length).toBeGreaterThan(0);
    expect(kinds.filter(([file]) => KINDS.has(file ?? ''))).toEqual([...KINDS]);
  });
});

import type { DialectName } from 'holdfast/dialects';
import { providerError } from '../strict/provider-errors.js';
import { googleRefusal, openAiRefusal } from '../strict/refusal.js';
import type { Refusal } from '../strict/refusal.js';

/** What the providers say of requests that never reach a model. */

export function keyMissing(dialect: DialectName): Refusal {
  if (dialect === 'gemini') {
    return googleRefusal(
      403,
      'PERMISSION_DENIED',
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    );
  }
  return openAiRefusal(401, {
    message:
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth " +
      '(i.e. Authorization: Bearer YOUR_KEY). You can obtain an API key from https://platform.openai.com/account/api-keys.',
  });
}

export function jsonInvalid(dialect: DialectName): Refusal {
  if (dialect === 'gemini') {
    return googleRefusal(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received. Expected an object key or }.');
  }
  return openAiRefusal(400, {
    message:
      "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library " +
      'correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)',
  });
}

export function bodyTooLarge(dialect: DialectName): Refusal {
  return providerError('too_large', { dialect, model: '', apiVersion: '', retryAfterSeconds: undefined });
}

export function routeUnknown(dialect: DialectName, method: string, path: string): Refusal {
  if (dialect === 'gemini')
    return googleRefusal(404, 'NOT_FOUND', `The requested URL ${path} was not found on this server.`);
  return openAiRefusal(404, { message: `Invalid URL (${method} ${path})` });
}

export function requestInvalid(dialect: DialectName, message: string): Refusal {
  return dialect === 'gemini' ? googleRefusal(400, 'INVALID_ARGUMENT', message) : openAiRefusal(400, { message });
}

export function broken(dialect: DialectName): Refusal {
  const message = 'The simulator failed inside while it answered this request. Please report it with the request.';
  return dialect === 'gemini'
    ? googleRefusal(500, 'INTERNAL', message)
    : openAiRefusal(500, { message, type: 'server_error' });
}

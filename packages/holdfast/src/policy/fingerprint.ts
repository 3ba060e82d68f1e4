import { hash } from 'node:crypto';

/** Equal for equal requests: same provider, same model, same body. The body holds nothing volatile. */
export function fingerprint(provider: string, model: string, body: string): string {
  return hash('sha256', `${provider}\n${model}\n${body}`, 'hex').slice(0, 32);
}

import { createHash } from 'node:crypto';

/** Equal for equal requests: same provider, same model, same body. The body holds nothing volatile. */
export function fingerprint(provider: string, model: string, body: string): string {
  return createHash('sha256').update(`${provider}\n${model}\n`).update(body).digest('hex').slice(0, 32);
}

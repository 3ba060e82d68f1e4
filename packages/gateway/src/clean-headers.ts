/** Header values as a wire can carry them: provider and model names come from configuration and may be anything. */
export function cleanHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    clean[name] = isClean(value) ? value : value.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 1_000);
  }
  return clean;
}

function isClean(value: string): boolean {
  return value.length <= 1_000 && !/[^\x20-\x7e]/.test(value);
}

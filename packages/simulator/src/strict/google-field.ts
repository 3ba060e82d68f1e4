import type { JsonObject, JsonValue } from 'holdfast/turn';

/** Google's wire takes a field in camelCase and in snake_case. */
export function googleField(object: JsonObject, camel: string): JsonValue | undefined {
  return object[camel] ?? object[snakeCase(camel)];
}

export function snakeCase(camel: string): string {
  return camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

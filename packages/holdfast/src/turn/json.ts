/** Any JSON value, read-only. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object, read-only. A missing key is `undefined`; a key never holds `undefined` when written. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

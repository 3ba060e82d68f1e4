/** What a line-based event stream can hold, whatever provider wrote it. */
export type SseFrame =
  /** `name` is the `event:` field, `undefined` where there was none. `data` joins its lines with LF. */
  | { readonly type: 'event'; readonly name: string | undefined; readonly data: string }
  | { readonly type: 'comment' }
  /** Text outside of any event that starts like JSON: a bare error object, or a body that is no stream at all. */
  | { readonly type: 'stray'; readonly text: string }
  /** An event larger than the limit. Its text is dropped; the stream is no longer whole. */
  | { readonly type: 'oversize'; readonly chars: number };

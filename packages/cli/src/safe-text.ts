/**
 * Text of a model as a terminal may see it: without control characters but line ends and tabs, and without the marks
 * that turn the direction of writing. What is left of an escape sequence stays readable, since hiding text is what such
 * sequences are abused for. It keeps no state, so a sequence that is cut in two is as harmless as a whole one.
 */
export function safeText(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '');
}

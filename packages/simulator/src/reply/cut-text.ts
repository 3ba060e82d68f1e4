/** About equal pieces, none of which splits a character. Fewer than asked for where the text is short. */
export function cutText(text: string, count: number): readonly string[] {
  const size = Math.max(1, Math.ceil(text.length / count));
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const to = safeEnd(text, from + size);
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

/** At most so many characters from the start. */
export function headOf(text: string, chars: number): string {
  const end = safeEnd(text, chars);
  return text.slice(0, end > chars ? end - 2 : end);
}

function safeEnd(text: string, end: number): number {
  const before = text.charCodeAt(end - 1);
  return before >= 0xd800 && before <= 0xdbff ? end + 1 : end;
}

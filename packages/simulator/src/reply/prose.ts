const SENTENCES = [
  'The tide turns twice a day, and the harbour keeps its own time.',
  'A rope that holds is one that nobody has to think about.',
  'Each line was checked against the one before it.',
  'When the wind drops, the quiet is not the end of the journey.',
  'Whoever waits should know what he is waiting for.',
];

/** Plain text of exactly so many characters that needs no escape in JSON. */
export function proseOf(chars: number): string {
  const text = SENTENCES.join(' ');
  return `${text} `.repeat(Math.ceil(chars / (text.length + 1))).slice(0, chars);
}

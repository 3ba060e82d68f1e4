/** A duration as people read it: `40 ms`, `0.4 s`, `12 s`, `3:05`, `1:02:09`. */
export function durationWords(ms: number): string {
  if (ms < 100) return ms <= 0 ? '0 s' : `${Math.ceil(ms)} ms`;
  if (ms < 10_000) return `${Math.round(ms / 100) / 10} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const two = (n: number): string => String(n).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

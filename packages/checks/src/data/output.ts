/** Where a check prints: `line` is its report, `complaint` what was wrong with how it was called. */
export interface Output {
  line(text: string): void;
  complaint(text: string): void;
}

import type { ItemId, StampedEvent } from 'holdfast/turn';
import type { Activity } from './activity.js';
import type { Colours } from './colours.js';
import { eventWords } from './event-words.js';
import { print } from './print.js';
import { safeText } from './safe-text.js';
import { StatusLine } from './status-line.js';
import type { OutputStream } from './world.js';

export interface RunScreenOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly colours: Colours;
  readonly activity: Activity;
}

/** Quiet for this long, the activity line comes back. */
const LINE_AFTER_MS = 1_000;
/** Off a terminal, silence is told once in this time. */
const PLAIN_EVERY_MS = 30_000;
const SEPARATOR = '----------------------------------------';

/** A call as a person sees it: the answer on standard output, everything about it on standard error. */
export class RunScreen {
  readonly #options: RunScreenOptions;
  readonly #status: StatusLine;
  /** Characters shown of each message of the attempt under way. */
  readonly #messages: Map<ItemId, number> = new Map();
  #shown = 0;
  #isMidLine = false;
  /** The text above is withdrawn, and what comes next is another answer. */
  #mustSeparate = false;
  #plainAtQuietMs = PLAIN_EVERY_MS;

  constructor(options: RunScreenOptions) {
    this.#options = options;
    this.#status = new StatusLine(options.stderr);
  }

  async record(event: StampedEvent): Promise<void> {
    this.#options.activity.record(event);
    if (event.type !== 'wire.kept_alive') this.#plainAtQuietMs = PLAIN_EVERY_MS;
    if (event.type === 'attempt.started') this.#forget();
    if (event.type === 'item.started' && event.kind === 'message') this.#messages.set(event.item, 0);
    if (event.type === 'item.delta') await this.#answer(event.item, event.text);
    if (event.type === 'item.completed' && event.result.content.kind === 'message') {
      await this.#answer(event.item, event.result.content.text.slice(this.#messages.get(event.item) ?? 0));
    }
    if (event.type === 'attempt.retracted') await this.#retract(event.reason);
    const words = eventWords(event);
    if (words !== undefined) await this.say(this.#options.colours.dim(this.#safe(words)));
  }

  /** Time went by. On a terminal the line is kept current; elsewhere long silence is told now and then. */
  tick(now: number): void {
    const { activity, stderr, stdout, colours } = this.#options;
    const line = activity.line(now);
    const quietMs = activity.quietMs(now);
    if (line === undefined) return;
    if (stderr.isTTY === true) {
      if (quietMs >= LINE_AFTER_MS || this.#shown === 0)
        this.#status.show(line, { below: stdout.isTTY === true && this.#isMidLine });
      return;
    }
    if (quietMs < this.#plainAtQuietMs) return;
    this.#plainAtQuietMs += PLAIN_EVERY_MS;
    stderr.write(`${colours.dim(line)}\n`);
  }

  /** A lasting line beside the answer. */
  async say(text: string): Promise<void> {
    this.#status.clear();
    const { stdout, stderr } = this.#options;
    const isOneScreen = stdout.isTTY === true && stderr.isTTY === true;
    await print(stderr, this.#isMidLine && isOneScreen ? `\n${text}\n` : `${text}\n`);
    if (isOneScreen) this.#isMidLine = false;
  }

  /** Ends the answer's last line and takes the activity line away. */
  async end(): Promise<void> {
    this.#status.clear();
    if (this.#isMidLine) await this.#write('\n');
  }

  async #answer(item: ItemId, text: string): Promise<void> {
    const before = this.#messages.get(item);
    if (before === undefined || text === '') return;
    this.#messages.set(item, before + text.length);
    this.#shown += text.length;
    if (this.#mustSeparate) await this.#write(`${SEPARATOR}\n`);
    this.#mustSeparate = false;
    await this.#write(this.#options.stdout.isTTY === true ? safeText(text) : text);
  }

  /** Only a terminal gets here with text shown: what went into a pipe or a file can't be withdrawn. */
  async #retract(reason: string): Promise<void> {
    if (this.#shown === 0) return;
    await this.end();
    await this.say(
      this.#options.colours.yellow(`The text above is withdrawn (${reason}). The answer of the next attempt follows.`),
    );
    this.#mustSeparate = true;
    this.#forget();
  }

  #forget(): void {
    this.#messages.clear();
    this.#shown = 0;
  }

  async #write(text: string): Promise<void> {
    this.#status.clear();
    await print(this.#options.stdout, text);
    if (text !== '') this.#isMidLine = !text.endsWith('\n');
  }

  #safe(words: string): string {
    return this.#options.stderr.isTTY === true ? safeText(words) : words;
  }
}

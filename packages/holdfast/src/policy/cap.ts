/** What bounds the cap of one more attempt, all in tokens. */
export interface CapRoom {
  readonly cap: number | undefined;
  readonly contextWindow: number | undefined;
  readonly promptTokens: number;
  readonly outputLimit: number | undefined;
}

const RAISED_CAP = 32_768;

/** The cap to ask with after one was spent thinking; `undefined` where less than twice the old one is to be had. */
export function raisedCap(room: CapRoom): number | undefined {
  const { cap } = room;
  if (cap === undefined || cap <= 0) return undefined;
  const inWindow = room.contextWindow === undefined ? Infinity : room.contextWindow - room.promptTokens;
  const raised = Math.min(4 * cap, Math.max(RAISED_CAP, cap), inWindow, room.outputLimit ?? Infinity);
  return raised >= 2 * cap ? Math.floor(raised) : undefined;
}

/** How fast lines are pushed: "numeric values of the rate limits: not shown", so as most services take it, and more slowly where one does not. */

/** Log services are usually set to take four megabytes a second, and six at once, of bodies that are larger than their lines. */
const USUAL_RATE = 3_145_728;
const USUAL_BURST = 3_145_728;

/** What was taken within so long tells whether a rate limit was met for volume, ms. */
const RECENT_MS = 2_000;

/** Pushes of no more bytes are many and small, and do not wait behind large ones. */
const SMALL_BYTES = 65_536;

/** Bytes of lines a second at the least. */
const LEAST_RATE = 262_144;

/** A push that was taken. */
interface Taken {
  readonly atMs: number;
  readonly bytes: number;
}

/** Pushes of one run. After much volume is answered 429 there are no bursts, and half the pace or what was taken, after each such answer. */
export class PushPace {
  #bytesPerSecond = USUAL_RATE;
  #burst = USUAL_BURST;
  /** When everything that was let go would have been pushed at this pace, ms. */
  #doneAtMs = 0;
  /** Pushes of late, in the order in which they were taken. */
  #recent: readonly Taken[] = [];

  /** Notes that so many bytes were taken. */
  taken(bytes: number, nowMs: number): void {
    this.#recent = [...this.#since(nowMs), { atMs: nowMs, bytes }];
  }

  /** Notes that a push was answered 429: where little was taken before it, that was not for volume. */
  limited(nowMs: number): void {
    const bytes = this.#since(nowMs).reduce((sum, one) => sum + one.bytes, 0);
    const taken = (bytes * 1_000) / RECENT_MS;
    if (taken < LEAST_RATE) return;
    this.#bytesPerSecond = Math.max(LEAST_RATE, Math.min(this.#bytesPerSecond / 2, taken));
    this.#burst = 0;
  }

  #since(nowMs: number): readonly Taken[] {
    return this.#recent.filter(({ atMs }) => atMs >= nowMs - RECENT_MS);
  }

  /** How long a push of so many bytes is to wait for those before it, ms; it is taken to follow then. */
  waitMs(bytes: number, nowMs: number): number {
    const startMs = Math.max(nowMs, this.#doneAtMs);
    this.#doneAtMs = startMs + (bytes * 1_000) / this.#bytesPerSecond;
    return bytes <= SMALL_BYTES ? 0 : Math.max(0, startMs - nowMs - (this.#burst * 1_000) / this.#bytesPerSecond);
  }
}

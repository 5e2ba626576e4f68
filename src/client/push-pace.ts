/** How fast lines are pushed: "numeric values of the rate limits: not shown", so as most services take it, and more slowly where one does not. */

/** Log services are usually set to take four megabytes a second, and six at once. */
const USUAL_RATE = 3_145_728;
const USUAL_BURST = 4_194_304;

/** A rate limit met after fewer bytes of a set than this was not met for their volume alone. */
const MUCH_BYTES = 1_048_576;

/** Pushes of no more bytes are many and small, and do not wait behind large ones. */
const SMALL_BYTES = 65_536;

/** Bytes of lines a second at the least. */
const LEAST_RATE = 262_144;

/** Pushes of one run. After a set of much volume is answered 429 there are no bursts, and half the pace after each such answer. */
export class PushPace {
  #bytesPerSecond = USUAL_RATE;
  #burst = USUAL_BURST;
  /** When everything that was let go would have been pushed at this pace, ms. */
  #doneAtMs = 0;

  /** Notes that a set was answered 429 after so many bytes of it. */
  limitedAfter(bytes: number): void {
    if (bytes < MUCH_BYTES) return;
    this.#bytesPerSecond = Math.max(LEAST_RATE, this.#bytesPerSecond / 2);
    this.#burst = 0;
  }

  /** How long a push of so many bytes is to wait for those before it, ms; it is taken to follow then. */
  waitMs(bytes: number, nowMs: number): number {
    const startMs = Math.max(nowMs, this.#doneAtMs);
    this.#doneAtMs = startMs + (bytes * 1_000) / this.#bytesPerSecond;
    return bytes <= SMALL_BYTES ? 0 : Math.max(0, startMs - nowMs - (this.#burst * 1_000) / this.#bytesPerSecond);
  }
}

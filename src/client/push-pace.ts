/** How fast lines are pushed, as learned from a target that limits its rate by volume: "numeric values of the rate limits: not shown". */

/** A rate limit met after fewer bytes than this was not met for their volume alone. */
const MUCH_BYTES = 1_048_576;

/** Bytes of lines a second, after the first such answer and at the least: half of what services are usually set to take, and an eighth of that. */
const FIRST_RATE = 2_097_152;
const LEAST_RATE = 262_144;

/** Pushes of one run: at any pace until a set of much volume is answered 429, then at half the pace after each such answer. */
export class PushPace {
  #bytesPerSecond = Number.POSITIVE_INFINITY;
  #freeAtMs = 0;

  /** Notes that a set was answered 429 after so many bytes of it. */
  limitedAfter(bytes: number): void {
    if (bytes >= MUCH_BYTES) this.#bytesPerSecond = Math.max(LEAST_RATE, Math.min(FIRST_RATE, this.#bytesPerSecond / 2));
  }

  /** How long a push of so many bytes is to wait for those before it, ms; it is taken to follow then. */
  waitMs(bytes: number, nowMs: number): number {
    const startMs = Math.max(nowMs, this.#freeAtMs);
    this.#freeAtMs = startMs + (bytes * 1_000) / this.#bytesPerSecond;
    return startMs - nowMs;
  }
}

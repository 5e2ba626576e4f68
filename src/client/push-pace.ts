/** Limits the bytes per second of pushes. A run begins with a pace that most services accept, and slows down after a 429. */

/** The first pace in bytes of log lines per second. Log services usually accept 4 MB per second, and bursts of 6 MB. */
const USUAL_RATE = 3_145_728;
const USUAL_BURST = 3_145_728;

/** The length in ms of the period before a 429. The bytes that were accepted in it show whether too many bytes caused the 429. */
const RECENT_MS = 2_000;

/** Pushes of at most this many bytes do not wait for large pushes, because a run has many small pushes. */
const SMALL_BYTES = 65_536;

/** The slowest pace, in bytes of log lines per second. */
const LEAST_RATE = 65_536;

interface Taken {
  readonly atMs: number;
  readonly bytes: number;
}

/**
 * Decides when pushes may be sent. After a 429 with many accepted bytes, the run sends no more bursts.
 * The new pace is half of the present pace or the accepted rate, whichever is lower.
 */
export class PushPace {
  #bytesPerSecond = USUAL_RATE;
  #burst = USUAL_BURST;
  /** The time in ms at which all pushes so far would have been sent at the present pace. */
  #doneAtMs = 0;
  /** The latest accepted pushes, in the order of their acceptance. */
  #recent: readonly Taken[] = [];

  /** Records that a push of this many bytes was accepted. */
  taken(bytes: number, nowMs: number): void {
    this.#recent = [...this.#since(nowMs), { atMs: nowMs, bytes }];
  }

  /** Records a 429. If few bytes were accepted shortly before, the reason was not the number of bytes. */
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

  /** Returns how many ms a push must wait for earlier pushes. After the wait, the caller must send it. */
  waitMs(bytes: number, nowMs: number): number {
    const startMs = Math.max(nowMs, this.#doneAtMs);
    this.#doneAtMs = startMs + (bytes * 1_000) / this.#bytesPerSecond;
    return bytes <= SMALL_BYTES ? 0 : Math.max(0, startMs - nowMs - (this.#burst * 1_000) / this.#bytesPerSecond);
  }
}

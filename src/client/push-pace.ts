/**
 * Limits the bytes per second of pushes. The document does not show the rate limits, so the initial pace suits most services and falls
 * after a 429.
 */

/** The initial pace, in bytes of lines per second. Log services usually accept 4 MB/s of whole bodies, and bursts of 6 MB. */
const USUAL_RATE = 3_145_728;
const USUAL_BURST = 3_145_728;

/** The period before a 429, in ms, whose accepted bytes tell whether the number of bytes caused the 429. */
const RECENT_MS = 2_000;

/** Pushes of at most this many bytes do not wait for large pushes, because a run has many small pushes. */
const SMALL_BYTES = 65_536;

/** The slowest pace, in bytes of lines per second. */
const LEAST_RATE = 65_536;

/** An accepted push. */
interface Taken {
  readonly atMs: number;
  readonly bytes: number;
}

/**
 * The pace of the pushes of a run. If many bytes were accepted shortly before a 429, there are no further bursts, and the pace falls to
 * half or to the accepted rate.
 */
export class PushPace {
  #bytesPerSecond = USUAL_RATE;
  #burst = USUAL_BURST;
  /** The time in ms at which all released pushes would be finished at this pace. */
  #doneAtMs = 0;
  /** The latest accepted pushes, in the order of their acceptance. */
  #recent: readonly Taken[] = [];

  /** Records the number of accepted bytes. */
  taken(bytes: number, nowMs: number): void {
    this.#recent = [...this.#since(nowMs), { atMs: nowMs, bytes }];
  }

  /** Records that a push was answered 429. If few bytes were accepted before, the number of bytes was not the reason. */
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

  /**
   * Returns the time in ms that a push of this many bytes has to wait for earlier pushes. The caller must send the push after this time.
   */
  waitMs(bytes: number, nowMs: number): number {
    const startMs = Math.max(nowMs, this.#doneAtMs);
    this.#doneAtMs = startMs + (bytes * 1_000) / this.#bytesPerSecond;
    return bytes <= SMALL_BYTES ? 0 : Math.max(0, startMs - nowMs - (this.#burst * 1_000) / this.#bytesPerSecond);
  }
}

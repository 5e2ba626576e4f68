/**
 * Learns how many requests per second a target accepts over a longer time, if it has such a rate limit. If 429s have another reason, a pace
 * only delays the run, so the run gives up its pace.
 */

/** The pace is this factor times the rate that the target accepted recently. It is faster, so that the run does not stay too slow. */
const FASTER = 1.1;
/** A run keeps its pace only if there are at least this factor more responses between two rests than without a pace. */
const WORTH = 1.5;
/** The maximum time between two requests in ms. It is short, because a run sends thousands of requests. */
const SLOWEST_MS = 100;
/** The minimum number of responses that a run needs to learn a pace. */
const FEW = 25;
/** After this number of consecutive responses without a 429, the pace becomes slightly faster. */
const WELL = 40;
const A_LITTLE = 0.9;

export class RequestPace {
  /** The time between two requests in ms, or 0 if the run has no pace. */
  #intervalMs = 0;
  /** The time at which the next request may be sent, in ms. */
  #nextMs = 0;
  /** The start of the counted period in ms. A period starts with a rest, so this is null before the first rest. */
  #sinceMs: number | null = null;
  #answers = 0;
  #rests = 0;
  /** The number of responses since the last rest. */
  #inARow = 0;
  /** The average number of responses between two rests when the run has no pace. */
  #without = 0;
  /** `#futile` is how often a slower pace did not help. While `#untried` is above 0, a run computes a pace, but does not use it. */
  #futile = 0;
  #untried = 0;

  /** Returns how many ms a request must wait for earlier requests. After the wait, the caller must send it. */
  waitMs(nowMs: number): number {
    if (this.#intervalMs === 0) return 0;
    const atMs = Math.max(nowMs, this.#nextMs);
    this.#nextMs = atMs + this.#intervalMs;
    return atMs - nowMs;
  }

  answered(): void {
    this.#answers += 1;
    this.#inARow += 1;
    if (this.#inARow % WELL === 0) this.#intervalMs *= A_LITTLE;
  }

  /** Records a 429 that starts a new rest. */
  limited(nowMs: number): void {
    this.#inARow = 0;
    this.#rests += 1;
    if (this.#sinceMs !== null && this.#answers < FEW) return;
    if (this.#sinceMs !== null) this.#learn((nowMs - this.#sinceMs) / this.#answers, this.#answers / this.#rests);
    this.#sinceMs = nowMs;
    this.#answers = 0;
    this.#rests = 0;
  }

  /** Learns the pace from the average time per response in ms (rests included), and the average number of responses between two rests. */
  #learn(intervalMs: number, answers: number): void {
    const isPaced = this.#intervalMs > 0;
    if (!isPaced) this.#without = answers;
    if (isPaced && answers < this.#without * WORTH) {
      this.#futile += 1;
      this.#untried = 2 ** this.#futile;
    }
    this.#untried = Math.max(0, this.#untried - 1);
    this.#intervalMs = this.#untried > 0 ? 0 : Math.min(intervalMs / FASTER, SLOWEST_MS);
  }
}

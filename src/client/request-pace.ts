/**
 * Learns the rate of requests that a target accepts over a longer time, if 429 limits requests per second.
 * If the target refuses requests for other reasons, a pace only delays the run, so the run gives up its pace.
 */

/** The pace is this factor faster than the rate that the target accepted recently, so that the run does not stay too slow. */
const FASTER = 1.1;
/** A run keeps its pace only if the pace increases the number of responses between two rests by at least this factor. */
const WORTH = 1.5;
/** The slowest pace, in ms between two requests, because a run of thousands of requests has to end. */
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
  /** The start of the counted period in ms. The period starts with a rest, so the start is null before the first rest. */
  #sinceMs: number | null = null;
  #answers = 0;
  #rests = 0;
  /** The number of responses since the last rest. */
  #inARow = 0;
  /** The average number of responses between two rests when the run has no pace. */
  #without = 0;
  /** `#futile` counts how often a slower pace did not help. While `#untried` is above 0, a run computes a pace but does not use it. */
  #futile = 0;
  #untried = 0;

  /** Returns the ms that a request has to wait for earlier requests. Then the caller must send the request. */
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

  /** Records that a response (429) asks the run to rest again after the previous rest has ended. */
  limited(nowMs: number): void {
    this.#inARow = 0;
    this.#rests += 1;
    if (this.#sinceMs !== null && this.#answers < FEW) return;
    if (this.#sinceMs !== null) this.#learn((nowMs - this.#sinceMs) / this.#answers, this.#answers / this.#rests);
    this.#sinceMs = nowMs;
    this.#answers = 0;
    this.#rests = 0;
  }

  /** Learns the pace from the average ms per response, rests included, and the average responses between two rests. */
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

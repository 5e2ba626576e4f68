/**
 * The pace of requests to a target that limits requests per second (429). The pace is the rate that the target accepts over time. If the
 * target refuses requests for other reasons, a pace only delays the run, so the pace is given up.
 */

/** A pace is faster than the recently accepted rate by this factor, so that the run does not stay too slow. */
const FASTER = 1.1;
/** A pace is kept only if it increases the number of responses between two pauses for 429 by at least this factor. */
const WORTH = 1.5;
/** The slowest pace, in ms between two requests, because a run of thousands of requests has to end. */
const SLOWEST_MS = 100;
/** The minimum number of responses from which a pace can be learned. */
const FEW = 25;
/** The number of consecutive responses without a 429 after which the pace becomes slightly faster. */
const WELL = 40;
const A_LITTLE = 0.9;

export class RequestPace {
  /** The time between two requests in ms. 0 without a pace. */
  #intervalMs = 0;
  /** The time at which the next request may be sent, in ms. */
  #nextMs = 0;
  /**
   * The start of the period in which responses and pauses for 429 are counted, in ms. The period starts with such a pause. Null before the
   * first pause.
   */
  #sinceMs: number | null = null;
  #answers = 0;
  #rests = 0;
  /** The number of responses since the last pause for a 429. */
  #inARow = 0;
  /** The number of responses per pause for a 429 when no pace is used. */
  #without = 0;
  /** `futile` counts how often a pace did not help. `untried` is the number of next cases in which no pace is tried. */
  #futile = 0;
  #untried = 0;

  /** Returns the time in ms that a request has to wait for earlier requests. The caller must send the request after this time. */
  waitMs(nowMs: number): number {
    if (this.#intervalMs === 0) return 0;
    const atMs = Math.max(nowMs, this.#nextMs);
    this.#nextMs = atMs + this.#intervalMs;
    return atMs - nowMs;
  }

  /** Records a response that does not ask the run to pause. */
  answered(): void {
    this.#answers += 1;
    this.#inARow += 1;
    if (this.#inARow % WELL === 0) this.#intervalMs *= A_LITTLE;
  }

  /** Records that the target asks for another pause (429) after the previous pause has ended. */
  limited(nowMs: number): void {
    this.#inARow = 0;
    this.#rests += 1;
    if (this.#sinceMs !== null && this.#answers < FEW) return;
    if (this.#sinceMs !== null) this.#learn((nowMs - this.#sinceMs) / this.#answers, this.#answers / this.#rests);
    this.#sinceMs = nowMs;
    this.#answers = 0;
    this.#rests = 0;
  }

  /** Learns the pace from the time between responses, including pauses for 429, and from the number of responses per pause. */
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

/**
 * The pace of requests to a target that limits requests per second (429). The pace is the rate that the target accepts over time. If the
 * target refuses requests for reasons of its own, a pace only delays the run, and is given up.
 */

/** A pace is faster than the recently accepted rate by this factor, so that the run does not stay too slow. */
const FASTER = 1.1;
/** A pace is kept if this many times as many requests are answered between two rests as without it. */
const WORTH = 1.5;
/** The slowest pace, in ms between two requests, because a run of thousands of requests has to end. */
const SLOWEST_MS = 100;
/** Fewer responses than this are not enough to learn from. */
const FEW = 25;
/** After this many responses in a row without a rest, the pace becomes slightly faster. */
const WELL = 40;
const A_LITTLE = 0.9;

export class RequestPace {
  /** The time between two requests, ms. 0 without a pace. */
  #intervalMs = 0;
  /** The time at which the next request may be sent, ms. */
  #nextMs = 0;
  /** The start of the period in which responses and rests are counted, ms. It starts with a rest, and is null before the first rest. */
  #sinceMs: number | null = null;
  #answers = 0;
  #rests = 0;
  /** The responses since the last rest. */
  #inARow = 0;
  /** The responses per rest without a pace. */
  #without = 0;
  /** How often a pace did not help, and after how many such cases no pace is tried. */
  #futile = 0;
  #untried = 0;

  /** How long a request has to wait for earlier requests, ms. It is assumed to be sent then. */
  waitMs(nowMs: number): number {
    if (this.#intervalMs === 0) return 0;
    const atMs = Math.max(nowMs, this.#nextMs);
    this.#nextMs = atMs + this.#intervalMs;
    return atMs - nowMs;
  }

  /** Notes a response that asks for no rest. */
  answered(): void {
    this.#answers += 1;
    this.#inARow += 1;
    if (this.#inARow % WELL === 0) this.#intervalMs *= A_LITTLE;
  }

  /** Notes that the target asks for a rest after the previous one has ended. */
  limited(nowMs: number): void {
    this.#inARow = 0;
    this.#rests += 1;
    if (this.#sinceMs !== null && this.#answers < FEW) return;
    if (this.#sinceMs !== null) this.#learn((nowMs - this.#sinceMs) / this.#answers, this.#answers / this.#rests);
    this.#sinceMs = nowMs;
    this.#answers = 0;
    this.#rests = 0;
  }

  /** Learns from the time between responses, rests included, and from the number of responses per rest. */
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

/**
 * How fast requests follow each other where the target counts those of a second (429): at the pace that it takes over time. Where it
 * refuses now and then for reasons of its own a pace only keeps the run waiting, and is given up again.
 */

/** A pace is this much faster than what was taken of late, so that it is not the slower one of the two for long. */
const FASTER = 1.1;
/** A pace is kept when so many times as many requests are answered between two rests as without. */
const WORTH = 1.5;
/** The slowest pace, ms between two requests: a run of thousands of requests is to end. */
const SLOWEST_MS = 100;
/** Of fewer answers nothing is learned. */
const FEW = 25;
/** After so many answers in a row without a rest a pace is a little faster. */
const WELL = 40;
const A_LITTLE = 0.9;

export class RequestPace {
  /** Between two requests, ms; 0 without a pace. */
  #intervalMs = 0;
  /** When the next request may follow, ms. */
  #nextMs = 0;
  /** Since when answers and rests are counted, ms: since a rest; null before there was one. */
  #sinceMs: number | null = null;
  #answers = 0;
  #rests = 0;
  /** Answers since the last rest. */
  #inARow = 0;
  /** Answers for each rest when there was no pace. */
  #without = 0;
  /** How often a pace was not worth it, and how often one is not tried for that. */
  #futile = 0;
  #untried = 0;

  /** How long a request is to wait for those before it, ms; it is taken to follow then. */
  waitMs(nowMs: number): number {
    if (this.#intervalMs === 0) return 0;
    const atMs = Math.max(nowMs, this.#nextMs);
    this.#nextMs = atMs + this.#intervalMs;
    return atMs - nowMs;
  }

  /** Notes an answer that asks for no rest. */
  answered(): void {
    this.#answers += 1;
    this.#inARow += 1;
    if (this.#inARow % WELL === 0) this.#intervalMs *= A_LITTLE;
  }

  /** Notes that the target asks for a rest, the last one being over. */
  limited(nowMs: number): void {
    this.#inARow = 0;
    this.#rests += 1;
    if (this.#sinceMs !== null && this.#answers < FEW) return;
    if (this.#sinceMs !== null) this.#learn((nowMs - this.#sinceMs) / this.#answers, this.#answers / this.#rests);
    this.#sinceMs = nowMs;
    this.#answers = 0;
    this.#rests = 0;
  }

  /** Learns from how far answers lay apart, rests included, and how many there were for each rest. */
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

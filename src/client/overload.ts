/**
 * Detects an overload: most of the latest responses are 503. A slower run helps only then, because a few 503 responses have other causes.
 * After the first overload, the run pauses after each 503 as after a 429, to find the pace that the target accepts.
 */

/** The weight of the latest response in the moving average of 503 responses. */
const WEIGHT = 0.05;
/** The share of 503 in the latest responses that counts as an overload. */
const MOST = 0.5;

export class Overload {
  #share = 0;

  /** Records the status of a response. Returns whether the run must rest after this response. */
  answered(status: number): boolean {
    if (this.#share <= MOST) this.#share += WEIGHT * ((status === 503 ? 1 : 0) - this.#share);
    return this.#share > MOST && status === 503;
  }
}

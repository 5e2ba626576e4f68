/**
 * Decides whether the target is overloaded: most of its latest responses are 503. Occasional 503 responses are no overload, because fewer
 * requests would not prevent occasional failures. After the first overload each 503 is treated like a 429, so that the run finds the pace
 * that the target accepts.
 */

/** The weight of the latest response in the average. */
const WEIGHT = 0.05;
/** The share of 503 in the latest responses that counts as an overload. */
const MOST = 0.5;

export class Overload {
  #share = 0;

  /** Records the status of a response. Returns whether the response asks the run to pause. */
  answered(status: number): boolean {
    if (this.#share <= MOST) this.#share += WEIGHT * ((status === 503 ? 1 : 0) - this.#share);
    return this.#share > MOST && status === 503;
  }
}

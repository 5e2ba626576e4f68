/**
 * Whether most of the latest responses are 503. A slower run would not prevent occasional 503 responses.
 * After the first overload, a 503 has the same effect as a 429: the run rests, to find the pace that the target accepts.
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

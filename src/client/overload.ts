/**
 * Whether the target is overloaded: most of its latest answers are 503. What fails now and then, for whatever reason, is no overload, and
 * fewer requests would not help it. Once it was, each 503 is taken for it, as a 429 is: the pace that the target takes is to be found.
 */

/** How much of what is known the latest answer makes up. */
const WEIGHT = 0.05;
/** So large a part of the latest answers. */
const MOST = 0.5;

export class Overload {
  #share = 0;

  /** Notes an answer. Returns whether it asks for a rest. */
  answered(status: number): boolean {
    if (this.#share <= MOST) this.#share += WEIGHT * ((status === 503 ? 1 : 0) - this.#share);
    return this.#share > MOST && status === 503;
  }
}

/**
 * Whether the target is overloaded: most of its latest answers are 503. What fails now and then, for whatever reason, is no overload, and
 * fewer requests at once would not help it.
 */

/** How much of what is known the latest answer makes up. */
const WEIGHT = 0.1;
/** So large a part of the latest answers. */
const MOST = 0.5;

export class Overload {
  #share = 0;

  /** Notes an answer. Returns whether fewer requests are to be sent at once from now on; then it is seen anew how that is answered. */
  answered(status: number): boolean {
    this.#share += WEIGHT * ((status === 503 ? 1 : 0) - this.#share);
    if (this.#share <= MOST) return false;
    this.#share = 0;
    return true;
  }
}

/**
 * The length of the pause after a target asks to slow down (429). A longer pause helps only if more requests succeed after it. This happens
 * if the target limits requests per second. If it refuses requests for other reasons, longer rests only delay the run.
 */

/** The maximum number of doublings of a rest. */
const MOST_DOUBLINGS = 4;
/** A longer rest is kept if the number of answered requests after it grows by at least this factor. */
const WORTH = 1.5;
/** The number of consecutive responses other than 429 after which the next rest is half as long. */
const FORGIVEN_AFTER = 40;

export class Rests {
  /** The present number of doublings of a rest. */
  #doublings = 0;
  /** Whether the next pause between requests to try is longer or shorter. */
  #longer = true;
  /** The number of responses between the last two rests. Null before there were two. */
  #brought: number | null = null;
  /** The number of responses since the last rest. */
  #answers = 0;
  /**
   * The number of consecutive rests after which nothing was answered. While a target answers nothing, each rest is twice as long as the
   * previous rest.
   */
  #inVain = 0;

  /** Records a response that asks for no rest. Returns whether enough of these responses came in a row to shorten the next rest. */
  answered(): boolean {
    this.#answers += 1;
    if (this.#answers % FORGIVEN_AFTER > 0) return false;
    this.#doublings = Math.max(0, this.#doublings - 1);
    return true;
  }

  /** Records that the target asks for a rest after the previous rest has ended. Returns how often the shortest rest is doubled. */
  asked(): number {
    const answers = this.#answers;
    this.#answers = 0;
    if (answers === 0) this.#inVain += 1;
    else {
      this.#inVain = 0;
      this.#learn(answers);
    }
    return Math.min(this.#doublings + this.#inVain, MOST_DOUBLINGS);
  }

  #learn(answers: number): void {
    const before = this.#brought;
    this.#brought = answers;
    if (before === null) return;
    const [less, more] = [answers * WORTH <= before, answers >= before * WORTH];
    this.#longer = this.#longer ? more : less;
    if (this.#doublings === 0) this.#longer = true;
    if (this.#doublings === MOST_DOUBLINGS) this.#longer = false;
    this.#doublings += this.#longer ? 1 : -1;
  }
}

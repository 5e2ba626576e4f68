/**
 * Decides the length of a rest: the pause after a target asks to slow down (429). A longer rest helps if the target limits requests per
 * second, because more requests succeed after it. If the target refuses requests for other reasons, longer rests only delay the run.
 */

/** How often the rest after a 429 can be doubled at most. */
const MOST_DOUBLINGS = 4;
/** A longer rest after 429 is kept if the number of answered requests until the next rest grows by at least this factor. */
const WORTH = 1.5;
/** The number of consecutive responses other than 429 after which the next rest after a 429 is half as long. */
const FORGIVEN_AFTER = 40;

export class Rests {
  /** The number of doublings that the next rest has, if the target answered requests since the last rest. */
  #doublings = 0;
  /** Whether the next rest to try is longer (true) or shorter (false). */
  #longer = true;
  /** The number of responses between the last two rests, or null before the second rest. */
  #brought: number | null = null;
  /** The number of responses since the last rest after a 429. */
  #answers = 0;
  /**
   * The number of consecutive rests after which nothing was answered. While a target answers nothing, each rest is twice as long as the
   * previous rest.
   */
  #inVain = 0;

  /**
   * Records a response that does not ask for a rest. Returns whether enough such responses came since the last rest to shorten the next
   * rest.
   */
  answered(): boolean {
    this.#answers += 1;
    if (this.#answers % FORGIVEN_AFTER > 0) return false;
    this.#doublings = Math.max(0, this.#doublings - 1);
    return true;
  }

  /**
   * Records that the target asks for a rest (429) after the previous rest has ended. Returns how often the length of the shortest rest is
   * doubled now.
   */
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

/**
 * Decides the length of a rest after a 429. If the target limits requests per second, more requests succeed after a longer rest. If the
 * target refuses requests for other reasons, longer rests only delay the run.
 */

/** The maximum number of times that the length of a rest is doubled. */
const MOST_DOUBLINGS = 4;
/** Rests stay longer only if there are then at least this factor more responses between two rests. */
const WORTH = 1.5;
/** After this number of consecutive responses without a 429, the next pause is half as long. */
const FORGIVEN_AFTER = 40;

export class Rests {
  /** How many times the next rest is doubled, if the target has answered requests since the last rest. */
  #doublings = 0;
  /** Whether the run tries a longer rest next (true) or a shorter rest (false). */
  #longer = true;
  /** The number of responses between the last two rests, or null before the second rest. */
  #brought: number | null = null;
  /** The number of responses since the last rest. */
  #answers = 0;
  /** The number of consecutive rests after which no request was answered. Each such rest is twice as long as the previous rest. */
  #inVain = 0;

  /** Records a response other than 429. Returns true if there were enough of them to shorten the next rest. */
  answered(): boolean {
    this.#answers += 1;
    if (this.#answers % FORGIVEN_AFTER > 0) return false;
    this.#doublings = Math.max(0, this.#doublings - 1);
    return true;
  }

  /** Records a 429 after the previous rest. Returns how many times the shortest rest must be doubled to get the new rest. */
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

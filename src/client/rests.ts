/**
 * How long nobody sends when the target asks to slow down (429). Longer rests only help where they let more through: where the target
 * counts requests per second they do, where it refuses now and then for reasons of its own they only keep the run waiting.
 */

/** A rest is doubled at most this often. */
const MOST_DOUBLINGS = 4;
/** A longer rest is worth it when so many times as many requests are answered after it. */
const WORTH = 1.5;
/** After so many answers in a row the next rest is half as long. */
const FORGIVEN_AFTER = 40;

export class Rests {
  /** How often a rest is doubled, as learned so far. */
  #doublings = 0;
  /** Whether rests are tried that are longer than the last, or shorter ones. */
  #longer = true;
  /** Answers between the last two rests; null before there were two. */
  #brought: number | null = null;
  /** Answers since the last rest. */
  #answers = 0;
  /** Rests in a row after which nothing was answered at all: while a target is closed, each is twice as long as the one before. */
  #inVain = 0;

  /** Notes an answer that asks for no rest. Returns whether there were so many in a row that all is well again. */
  answered(): boolean {
    this.#answers += 1;
    if (this.#answers % FORGIVEN_AFTER > 0) return false;
    this.#doublings = Math.max(0, this.#doublings - 1);
    return true;
  }

  /** Notes that the target asks for a rest, the last one being over. Returns how often the shortest rest is to be doubled for it. */
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

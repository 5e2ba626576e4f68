/**
 * Finds out whether the stream quota of a log service is used up. A log service usually has a stream quota per tenant, and answers 429 to
 * each push that would exceed it. Waiting does not help after such a 429, so a run does not let reads of existing streams wait for it.
 */

/** The minimum number of refused pushes that shows an exhausted stream quota, however long these pushes took. */
const LEAST_PUSHES = 12;
/**
 * If this number of consecutive pushes was accepted, the stream quota has room again. A single accepted push does not show room in the
 * quota, because a push to an existing stream never needs room.
 */
const ROOM_AFTER = 3;

export class StreamQuota {
  readonly #afterMs: number;
  readonly #againMs: number;
  /** The number of pushes that were answered 429 since the last push that was accepted. */
  #refused = 0;
  /** The time of the first push that was answered 429 since the last accepted push, or null if there is no such push. */
  #sinceMs: number | null = null;
  /** The number of pushes that were accepted since the last push that was answered 429. */
  #taken = 0;
  #isMet = false;
  /** The time at which the next push may be sent, to find out whether the stream quota has room again. */
  #nextMs = 0;

  /**
   * The stream quota counts as used up if no push was accepted for `afterMs` ms. While it is used up, one push is sent every `againMs` ms.
   */
  constructor(afterMs: number, againMs: number) {
    this.#afterMs = afterMs;
    this.#againMs = againMs;
  }

  /** Records that a push was accepted. */
  taken(): void {
    this.#taken += 1;
    if (this.#isMet && this.#taken < ROOM_AFTER) return;
    this.#isMet = false;
    this.#refused = 0;
    this.#sinceMs = null;
  }

  /** Records that a push was answered 429. */
  refused(nowMs: number): void {
    this.#taken = 0;
    this.#refused += 1;
    this.#sinceMs ??= nowMs;
    this.#isMet ||= this.#refused >= LEAST_PUSHES && nowMs - this.#sinceMs >= this.#afterMs;
  }

  /** Whether the stream quota is used up. */
  get isMet(): boolean {
    return this.#isMet;
  }

  /** Whether a push may be sent at `nowMs`. While the stream quota is used up, one push may be sent every `againMs` ms. */
  letsThrough(nowMs: number): boolean {
    if (!this.#isMet) return true;
    if (nowMs < this.#nextMs) return false;
    this.#nextMs = nowMs + this.#againMs;
    return true;
  }
}

/**
 * Finds out whether the stream quota of a log service is used up. A log service usually has a stream quota per tenant, and answers 429 to
 * each push that would exceed it. Waiting does not help after such a 429, and reads of existing streams need not wait.
 */

/** The minimum number of refused pushes that shows an exhausted quota, however long they took. */
const LEAST_PUSHES = 12;
/**
 * The number of consecutive accepted pushes that shows that the quota has room again. A single accepted push does not show this, because a
 * push to an existing stream is always accepted.
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
  /** The time at which the next push may be sent, to find out whether there is room. */
  #nextMs = 0;

  /** The quota is used up if no push was accepted for `afterMs` ms. While the quota is used up, one push is sent per `againMs` ms. */
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

  /** Whether the quota is used up. */
  get isMet(): boolean {
    return this.#isMet;
  }

  /** Whether a push may be sent at `nowMs`. If the quota is used up, the next push may be sent `againMs` ms later. */
  letsThrough(nowMs: number): boolean {
    if (!this.#isMet) return true;
    if (nowMs < this.#nextMs) return false;
    this.#nextMs = nowMs + this.#againMs;
    return true;
  }
}

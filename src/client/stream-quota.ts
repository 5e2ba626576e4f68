/**
 * Finds out whether the stream quota of the tenant is used up. Each push of a new stream is then answered 429. Waiting does not help, so
 * reads of existing streams do not wait.
 */

/** The quota counts as used up only after at least this number of refused pushes. */
const LEAST_PUSHES = 12;
/** After this number of accepted pushes, the quota has room again. A push to an existing stream never needs room. */
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

  /** The quota counts as used up after `afterMs` ms without an accepted push. Then one push is sent every `againMs` ms. */
  constructor(afterMs: number, againMs: number) {
    this.#afterMs = afterMs;
    this.#againMs = againMs;
  }

  taken(): void {
    this.#taken += 1;
    if (this.#isMet && this.#taken < ROOM_AFTER) return;
    this.#isMet = false;
    this.#refused = 0;
    this.#sinceMs = null;
  }

  refused(nowMs: number): void {
    this.#taken = 0;
    this.#refused += 1;
    this.#sinceMs ??= nowMs;
    this.#isMet ||= this.#refused >= LEAST_PUSHES && nowMs - this.#sinceMs >= this.#afterMs;
  }

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

/**
 * Whether a log service accepts no more streams. Services have a stream quota per tenant, and answer 429 to each push that would exceed it.
 * Waiting does not help then, and reads of existing streams need not wait for it.
 */

/** Fewer pushes than this say nothing, however long they took. */
const LEAST_PUSHES = 12;
/** After this many accepted pushes in a row there is room again. A push that adds to an existing stream is accepted anyway. */
const ROOM_AFTER = 3;

export class StreamQuota {
  readonly #afterMs: number;
  readonly #againMs: number;
  /** The pushes that were answered 429, and since when none was accepted. Then the pushes that were accepted since. */
  #refused = 0;
  #sinceMs: number | null = null;
  #taken = 0;
  #isMet = false;
  /** When the next push may be sent, to find out whether there is room. */
  #nextMs = 0;

  /** The quota is used up if no push was accepted for `afterMs`. Then one push per `againMs` is sent. */
  constructor(afterMs: number, againMs: number) {
    this.#afterMs = afterMs;
    this.#againMs = againMs;
  }

  /** Notes that a push was accepted. */
  taken(): void {
    this.#taken += 1;
    if (this.#isMet && this.#taken < ROOM_AFTER) return;
    this.#isMet = false;
    this.#refused = 0;
    this.#sinceMs = null;
  }

  /** Notes that a push was answered 429. */
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

  /** Whether a push may be sent at `nowMs`. If the quota is used up, the next one may be sent `againMs` later. */
  letsThrough(nowMs: number): boolean {
    if (!this.#isMet) return true;
    if (nowMs < this.#nextMs) return false;
    this.#nextMs = nowMs + this.#againMs;
    return true;
  }
}

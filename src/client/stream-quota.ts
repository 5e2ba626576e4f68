/**
 * Whether a log service takes no more streams: services keep a quota of them for a tenant, and answer 429 to what would exceed it, however
 * long nobody sends. Waiting does not help then, and what can be asked of the streams that are there is not to wait for it.
 */

/** Fewer pushes than these say nothing, however long it took. */
const LEAST_PUSHES = 12;
/** So many pushes in a row are taken where there is room again: one that adds to a stream is taken all the same. */
const ROOM_AFTER = 3;

export class StreamQuota {
  readonly #afterMs: number;
  readonly #againMs: number;
  /** Pushes answered 429, and since when none was taken; then those that were taken since. */
  #refused = 0;
  #sinceMs: number | null = null;
  #taken = 0;
  #isMet = false;
  /** When one more push may be sent, to see whether there is room. */
  #nextMs = 0;

  /** The quota is met where no push was taken for `afterMs`; then one every `againMs` is let through. */
  constructor(afterMs: number, againMs: number) {
    this.#afterMs = afterMs;
    this.#againMs = againMs;
  }

  /** Notes that a push was taken. */
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

  /** Whether the quota is met. */
  get isMet(): boolean {
    return this.#isMet;
  }

  /** Whether a push may be sent at `nowMs`; where the quota is met the next one may be sent `againMs` later. */
  letsThrough(nowMs: number): boolean {
    if (!this.#isMet) return true;
    if (nowMs < this.#nextMs) return false;
    this.#nextMs = nowMs + this.#againMs;
    return true;
  }
}

/**
 * How long after an update a service takes no other one of the same instance: real ones carry an update out behind the answer, and refuse
 * what comes meanwhile. Where that was met often, the next update waits as long, in place of being refused first.
 */

/** Refusals for what passes by itself (RFC 9110 15.5.10, RFC 4918 11.3, RFC 8470 5.2). */
const LOCKED: ReadonlySet<number> = new Set([409, 423, 425]);
/** So many updates that were refused and then taken are no matter of chance. */
const OFTEN = 3;
/** Nothing that is refused so long after an update is refused for that, and no update waits longer, ms. */
const LONGEST_MS = 3_000;
/** Where an update was refused so long after the last one, the next waits longer by this much. */
const LONGER = 1.1;

export class Locks {
  /** When each instance was last updated, ms. */
  readonly #updated = new Map<string, number>();
  /** Instances of which an update was refused since then. */
  readonly #refused = new Set<string>();
  #passed = 0;
  /** How long ago the last update was when the next was refused, at most, and when one was taken that had been refused, at least, ms. */
  #refusedMs = 0;
  #takenMs = LONGEST_MS;

  /** Notes how an update was answered. */
  answered(name: string, status: number, nowMs: number): void {
    const agoMs = nowMs - (this.#updated.get(name) ?? Number.NEGATIVE_INFINITY);
    if (LOCKED.has(status) && agoMs < LONGEST_MS) {
      this.#refusedMs = Math.max(this.#refusedMs, agoMs);
      this.#refused.add(name);
    }
    if (status < 200 || status > 299) return;
    this.#updated.set(name, nowMs);
    if (!this.#refused.delete(name)) return;
    this.#passed += 1;
    this.#takenMs = Math.min(this.#takenMs, agoMs);
  }

  /** How long an update is to wait, ms. */
  waitMs(name: string, nowMs: number): number {
    const updated = this.#updated.get(name);
    if (updated === undefined || this.#passed < OFTEN) return 0;
    const lockMs = Math.min(Math.max(this.#takenMs, this.#refusedMs * LONGER), LONGEST_MS);
    return Math.max(0, updated + lockMs - nowMs);
  }
}

/**
 * Learns how long after an update a service accepts no other update of the same instance. Some services carry out an update after their
 * response, and refuse other updates until then. If a target often refused updates for this reason, the next update first waits.
 */

/** Statuses of refusals that may be temporary (RFC 9110 15.5.10, RFC 4918 11.3, RFC 8470 5.2). */
const LOCKED: ReadonlySet<number> = new Set([409, 423, 425]);
/** The number of updates that were first refused and then accepted, from which on this is no coincidence. */
const OFTEN = 3;
/** The longest wait in ms. A refusal that comes longer after the last update has another reason. */
const LONGEST_MS = 3_000;
/** If an update was refused after a wait, the next update waits longer by this factor. */
const LONGER = 1.1;

export class Locks {
  /** The time of the last update of each instance, in ms. */
  readonly #updated = new Map<string, number>();
  /** The instances of which an update was refused since their last update. */
  readonly #refused = new Set<string>();
  #passed = 0;
  /** The longest time after an update at which the next update was still refused, and the shortest time at which it was accepted, in ms. */
  #refusedMs = 0;
  #takenMs = LONGEST_MS;

  /** Records the response to an update. */
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

  /** Returns the time in ms that an update has to wait. */
  waitMs(name: string, nowMs: number): number {
    const updated = this.#updated.get(name);
    if (updated === undefined || this.#passed < OFTEN) return 0;
    const lockMs = Math.min(Math.max(this.#takenMs, this.#refusedMs * LONGER), LONGEST_MS);
    return Math.max(0, updated + lockMs - nowMs);
  }
}

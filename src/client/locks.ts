/**
 * How long after an update a service accepts no other update of the same instance. Real services carry out an update after they have
 * answered it, and refuse other updates until then. If this was observed often, the next update waits as long before it is sent.
 */

/** Refusals that may pass (RFC 9110 15.5.10, RFC 4918 11.3, RFC 8470 5.2). */
const LOCKED: ReadonlySet<number> = new Set([409, 423, 425]);
/** This many updates that were first refused and then accepted are not chance. */
const OFTEN = 3;
/** A refusal that comes later than this after an update has another reason, and no update waits longer, ms. */
const LONGEST_MS = 3_000;
/** If an update was refused this long after the previous one, the next one waits longer by this factor. */
const LONGER = 1.1;

export class Locks {
  /** When each instance was last updated, ms. */
  readonly #updated = new Map<string, number>();
  /** Instances with a refused update since then. */
  readonly #refused = new Set<string>();
  #passed = 0;
  /** The longest time after an update at which the next one was refused, and the shortest at which a refused one was accepted, ms. */
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

  /** How long an update has to wait, ms. */
  waitMs(name: string, nowMs: number): number {
    const updated = this.#updated.get(name);
    if (updated === undefined || this.#passed < OFTEN) return 0;
    const lockMs = Math.min(Math.max(this.#takenMs, this.#refusedMs * LONGER), LONGEST_MS);
    return Math.max(0, updated + lockMs - nowMs);
  }
}

/**
 * After an update, a service may refuse other updates of the same instance until it has carried out the first. This class learns for how
 * long. If a target has often refused updates for this reason, later updates wait before they are sent.
 */

/** An update with such a status may be refused only temporarily (RFC 9110 15.5.10, RFC 4918 11.3, RFC 8470 5.2). */
const LOCKED: ReadonlySet<number> = new Set([409, 423, 425]);
/** If this number of updates were first refused and then accepted, the refusals are no coincidence. */
const OFTEN = 3;
/** The longest wait of an update in ms. A refusal later than this after the last update has another reason. */
const LONGEST_MS = 3_000;
/** An update waits this factor times the longest time after which an update was still refused. */
const LONGER = 1.1;

export class Locks {
  /** The time of the last successful update of each instance, in ms. */
  readonly #updated = new Map<string, number>();
  /** The instances that had a refused update after their last successful update. */
  readonly #refused = new Set<string>();
  #passed = 0;
  /**
   * Both are times in ms since the last successful update. `#refusedMs` is the longest after which an update was refused. `#takenMs` is the
   * shortest after which an update was accepted that had been refused before.
   */
  #refusedMs = 0;
  #takenMs = LONGEST_MS;

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

  /** Returns the time in ms that the next update of an instance has to wait. */
  waitMs(name: string, nowMs: number): number {
    const updated = this.#updated.get(name);
    if (updated === undefined || this.#passed < OFTEN) return 0;
    const lockMs = Math.min(Math.max(this.#takenMs, this.#refusedMs * LONGER), LONGEST_MS);
    return Math.max(0, updated + lockMs - nowMs);
  }
}

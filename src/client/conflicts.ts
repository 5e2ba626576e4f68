/**
 * Learns which refusals of updates are temporary. The document shows no errors of the admin API. A server may answer 409, 423 or 425 while
 * it still changes the instance (RFC 9110 15.5.10, RFC 4918 11.3, RFC 8470 5.2). A replica that does not know the instance yet may answer
 * 404. So such updates are repeated for some time. If all repeats of an earlier update got the same status, later updates with this status
 * are not repeated.
 */
const MAY_PASS: ReadonlySet<number> = new Set([404, 409, 423, 425]);

export class Conflicts {
  readonly #passed = new Set<number>();
  readonly #stayed = new Set<number>();

  /** Whether an update that was answered with this status is worth another attempt. */
  mayPass(status: number): boolean {
    return MAY_PASS.has(status) && !this.stays(status);
  }

  /** Whether an earlier update always got this status, and no repeated update got another status later. */
  stays(status: number): boolean {
    return this.#stayed.has(status) && !this.#passed.has(status);
  }

  /** Records the first and the last status of an update. It was repeated because its first status may be temporary. */
  ended(first: number, last: number): void {
    (last === first ? this.#stayed : this.#passed).add(first);
  }
}

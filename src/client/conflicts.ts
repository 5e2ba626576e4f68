/**
 * Refusals of updates that may pass by themselves: a server may refuse what concerns an instance that it is still setting up or
 * changing, with 409, 423 or 425 (RFC 9110 15.5.10, RFC 4918 11.3, RFC 8470 5.2). The document shows no error of the admin API, so
 * such a refusal is judged only when it stays. A target whose conflicts stay is waited for once, not at every refusal.
 */
const MAY_PASS: ReadonlySet<number> = new Set([409, 423, 425]);

export class Conflicts {
  #passed = false;
  #stayed = false;

  /** Whether the update answered with this status is worth another attempt. */
  mayPass(status: number): boolean {
    return MAY_PASS.has(status) && (this.#passed || !this.#stayed);
  }

  /** Notes how an update ended that was repeated after conflicts: with another answer, or with a conflict still. */
  ended(status: number): void {
    if (MAY_PASS.has(status)) this.#stayed = true;
    else this.#passed = true;
  }
}

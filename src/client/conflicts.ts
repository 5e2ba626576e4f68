/**
 * Refusals of updates that may pass by themselves: a server may refuse what concerns an instance that it is still setting up or
 * changing, with 409, 423 or 425 (RFC 9110 15.5.10, RFC 4918 11.3, RFC 8470 5.2), and a replica may not have heard of an instance
 * that another one shows already, 404. The document shows no error of the admin API, so such a refusal is judged only when it stays.
 * Where one stayed, no other of its kind is waited for.
 */
const MAY_PASS: ReadonlySet<number> = new Set([404, 409, 423, 425]);

export class Conflicts {
  readonly #passed = new Set<number>();
  readonly #stayed = new Set<number>();

  /** Whether the update answered with this status is worth another attempt. */
  mayPass(status: number): boolean {
    return MAY_PASS.has(status) && (this.#passed.has(status) || !this.#stayed.has(status));
  }

  /** Notes how an update ended that was answered `first` before: with the same again, or with something else. */
  ended(first: number, last: number): void {
    (last === first ? this.#stayed : this.#passed).add(first);
  }
}

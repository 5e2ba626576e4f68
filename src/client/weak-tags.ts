/**
 * Weak ETags in `If-Match`: compared strongly, as RFC 9110 (section 13.1.1) has it, none is ever met; many services take one that is sent
 * back as it came. Which of both a target does shows when one is not met and the condition that any state meets is.
 */
const WEAK = /^W\//;

export function isWeak(etag: string | undefined): boolean {
  return etag !== undefined && WEAK.test(etag);
}

export class WeakTags {
  #areMet = true;

  /** Whether it is worth sending this one. */
  mayBeMet(etag: string): boolean {
    return this.#areMet || !isWeak(etag);
  }

  /** Notes that an update was refused with a weak ETag, and taken without. */
  unmet(): void {
    this.#areMet = false;
  }
}

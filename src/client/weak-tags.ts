/**
 * Weak ETags in `If-Match`. By RFC 9110 (section 13.1.1) they are compared strongly and never match, but many services accept a weak ETag
 * that is sent back unchanged. A run learns which of the two a target does: the weak ETag is refused, and the condition that any state
 * meets is accepted.
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

  /** Notes that an update was refused with a weak ETag, and accepted without one. */
  unmet(): void {
    this.#areMet = false;
  }
}

/**
 * Learns whether the target accepts weak ETags in `If-Match`. By RFC 9110 (13.1.1), a weak ETag never matches, but many services accept
 * weak ETags. If a target accepts an update only with `If-Match: *`, no weak ETag is sent again.
 */
const WEAK = /^W\//;

export function isWeak(etag: string | undefined): boolean {
  return etag !== undefined && WEAK.test(etag);
}

export class WeakTags {
  #areMet = true;

  /** Whether the target may accept this ETag in `If-Match`. */
  mayBeMet(etag: string): boolean {
    return this.#areMet || !isWeak(etag);
  }

  /** Records that an update was refused with a weak ETag, and accepted with `If-Match: *`. */
  unmet(): void {
    this.#areMet = false;
  }
}

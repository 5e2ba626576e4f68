/**
 * Weak ETags in `If-Match`. By RFC 9110 (section 13.1.1) a weak ETag never matches, but many services accept it if it is sent back
 * unchanged. A run learns the behaviour of its target. Weak ETags do not work on a target that refuses an update with a weak ETag, and
 * accepts the update with `If-Match: *`.
 */
const WEAK = /^W\//;

export function isWeak(etag: string | undefined): boolean {
  return etag !== undefined && WEAK.test(etag);
}

export class WeakTags {
  #areMet = true;

  /** Whether this ETag may be accepted, so that it is worth sending. */
  mayBeMet(etag: string): boolean {
    return this.#areMet || !isWeak(etag);
  }

  /** Records that an update was refused with a weak ETag, and accepted with `If-Match: *`. */
  unmet(): void {
    this.#areMet = false;
  }
}

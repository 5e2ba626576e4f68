/**
 * Learns which ETags a target accepts in `If-Match`. A target that compares ETags strongly (RFC 9110, section 13.1.1) never accepts weak
 * ETags. If a target accepts an update only with `If-Match: *`, no weak ETag is sent again. If this happens to two consecutive updates with
 * a strong ETag, no strong ETag is sent again either.
 */
const WEAK = /^W\//;

/** After this number of consecutive updates that were accepted only with `If-Match: *`, no strong ETag is sent. */
const MOST_UNMET = 2;

export function isWeak(etag: string | undefined): boolean {
  return etag !== undefined && WEAK.test(etag);
}

export class AcceptedTags {
  #areWeakMet = true;
  #unmetStrong = 0;

  /** Whether the target may accept this ETag in `If-Match`. */
  mayBeMet(etag: string): boolean {
    return isWeak(etag) ? this.#areWeakMet : this.#unmetStrong < MOST_UNMET;
  }

  /** Records that an update was accepted with this ETag. */
  met(etag: string): void {
    if (!isWeak(etag)) this.#unmetStrong = 0;
  }

  /** Records that an update was refused with this ETag, and accepted with `If-Match: *`. */
  unmet(etag: string): void {
    if (isWeak(etag)) this.#areWeakMet = false;
    else this.#unmetStrong += 1;
  }
}

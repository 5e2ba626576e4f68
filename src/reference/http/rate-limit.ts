/** A token bucket over the requests of the log API (docs/2 section 8). */

export interface RateLimit {
  /** Requests per second in the long run. */
  readonly perSecond: number;
  /** Requests that may come at once. */
  readonly burst: number;
}

/** A function that takes one request at a time in ms and tells whether it exceeds the limit. */
export function rateLimiter(limit: RateLimit | null): (nowMs: number) => boolean {
  if (limit === null) return () => false;
  let tokens = limit.burst;
  let last: number | null = null;
  return (nowMs) => {
    if (last !== null) tokens = Math.min(limit.burst, tokens + (Math.max(0, nowMs - last) / 1000) * limit.perSecond);
    last = nowMs;
    if (tokens < 1) return true;
    tokens -= 1;
    return false;
  };
}

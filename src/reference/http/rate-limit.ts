/** A token bucket over the requests of the log API (docs/2 section 8). */

import type { Operation } from "./message.ts";

export interface RateLimit {
  /** Requests per second in the long run. */
  readonly perSecond: number;
  /** Requests that may come at once. */
  readonly burst: number;
  /** The only operation whose requests count; all of the log API's when absent. */
  readonly operation?: Operation;
}

/** A limit that a run meets only where it means to: on pushes, whatever the speed of the machine. */
export const PUSH_LIMIT: RateLimit = { perSecond: 1, burst: 240, operation: "logs.push" };

/** The same for a nightly run, which pushes hundreds of generated payloads. */
export const NIGHTLY_PUSH_LIMIT: RateLimit = { ...PUSH_LIMIT, perSecond: 2, burst: 700 };

/** A function that takes one request at a time in ms and tells whether it exceeds the limit. */
export function rateLimiter(limit: RateLimit | null): (nowMs: number, operation: Operation) => boolean {
  if (limit === null) return () => false;
  let tokens = limit.burst;
  let last: number | null = null;
  return (nowMs, operation) => {
    if (limit.operation !== undefined && operation !== limit.operation) return false;
    if (last !== null) tokens = Math.min(limit.burst, tokens + (Math.max(0, nowMs - last) / 1000) * limit.perSecond);
    last = nowMs;
    if (tokens < 1) return true;
    tokens -= 1;
    return false;
  };
}

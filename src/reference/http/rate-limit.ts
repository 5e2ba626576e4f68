/** A token bucket for the requests of the log API (docs/2 section 8). */

import type { Operation } from "./message.ts";

export interface RateLimit {
  /** The rate that the limit allows over a longer time, in requests per second. */
  readonly perSecond: number;
  /** The number of requests that the limit allows at the same time. */
  readonly burst: number;
  /** The only operation whose requests are counted. Without `operation`, all requests of the log API are counted. */
  readonly operation?: Operation;
}

/** A limit on pushes only. The overload check exceeds it. No other check does, even on a fast machine. */
export const PUSH_LIMIT: RateLimit = { perSecond: 1, burst: 240, operation: "logs.push" };

/** A limit on pushes for a nightly run, which pushes hundreds of generated payloads. */
export const NIGHTLY_PUSH_LIMIT: RateLimit = { ...PUSH_LIMIT, perSecond: 2, burst: 700 };

/** Returns a function that gets the time of each request in ms, and returns whether the request exceeds the limit. */
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

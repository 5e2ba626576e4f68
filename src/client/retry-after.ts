/** Parses a Retry-After header (RFC 9110, section 10.2.3), which has seconds or a date. */

/** The longest wait that the suite accepts from a Retry-After header, because the time of a run is limited. */
const LONGEST_MS = 30_000;

/** Returns the wait that a Retry-After header asks for, in ms, but at most 30 s. Returns 0 if the header is missing or cannot be parsed. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number {
  const asked = (headers["retry-after"] ?? "").trim();
  if (/^\d+$/.test(asked)) return Math.min(Number(asked) * 1_000, LONGEST_MS);
  const date = /[a-z]/i.test(asked) ? Date.parse(asked) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.min(Math.max(date - nowMs, 0), LONGEST_MS);
}

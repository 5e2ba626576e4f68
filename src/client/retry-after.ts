/** What a Retry-After header asks for (RFC 9110, section 10.2.3): seconds, or a date. */

/** Longer than this nobody is waited for: a run has a time of its own. */
const LONGEST_MS = 30_000;

/** How long the sender asks to be left alone, ms, at most half a minute; 0 where there is no such header or none that can be read. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number {
  const asked = (headers["retry-after"] ?? "").trim();
  if (/^\d+$/.test(asked)) return Math.min(Number(asked) * 1_000, LONGEST_MS);
  const date = /[a-z]/i.test(asked) ? Date.parse(asked) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.min(Math.max(date - nowMs, 0), LONGEST_MS);
}

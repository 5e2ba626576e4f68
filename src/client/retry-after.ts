/** What a Retry-After header asks for (RFC 9110, section 10.2.3): seconds, or a date. */

/** The longest accepted wait, because the time of a run is limited. */
const LONGEST_MS = 30_000;

/** How long the header asks to wait, ms, at most 30 s. 0 if there is no such header, or none that can be parsed. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number {
  const asked = (headers["retry-after"] ?? "").trim();
  if (/^\d+$/.test(asked)) return Math.min(Number(asked) * 1_000, LONGEST_MS);
  const date = /[a-z]/i.test(asked) ? Date.parse(asked) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.min(Math.max(date - nowMs, 0), LONGEST_MS);
}

/** The pages that explain what went wrong: one per class of failure. */

export const FAILURE_PAGES = [
  "unreachable",
  "tls",
  "credentials",
  "not-found",
  "redirected",
  "unavailable",
  "rate-limited",
  "create-refused",
  "push-refused",
  "clock",
  "violation",
  "inconclusive",
  "budget",
  "deviations",
  "drift",
  "internal-error",
] as const;

export type FailurePage = (typeof FAILURE_PAGES)[number];

/** What a line ends with when a page says more. */
export function seePage(page: FailurePage): string {
  return `; see docs/failures/${page}.md`;
}

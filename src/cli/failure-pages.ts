/** The pages that explain failures. There is one page per class of failure. */

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

/** The end of a line that refers to a page. */
export function seePage(page: FailurePage): string {
  return `; see docs/failures/${page}.md`;
}

/** Lists the pages of `docs/failures` that explain failures. Each class of failure has its own page. */
import { pageLink } from "../model/page-link.ts";

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

/** Returns the path of a failure page, relative to the root of the package. */
export function failurePath(page: FailurePage): string {
  return `docs/failures/${page}.md`;
}

/** Returns the words at the end of a line that refer to a failure page. */
export function seePage(page: FailurePage): string {
  return `; see ${pageLink(failurePath(page))}`;
}

/** Returns the failure page that explains a connection error. */
export function connectionPage(error: string): FailurePage {
  return isTlsError(error) ? "tls" : "unreachable";
}

export function isTlsError(error: string): boolean {
  return /certificate|self-signed|CERT_|UNABLE_TO_VERIFY|wrong version number|EPROTO|ERR_TLS|ERR_SSL/i.test(error);
}

/** Groups by cause the clauses that a run did not evaluate. Each cause has a next step, and some causes have a failure page. */
import { type FailurePage, isTlsError } from "./failure-pages.ts";
import { grouped } from "../model/grouped.ts";
import type { ClauseSummary } from "./model.ts";

/** A cause that prevents the evaluation of clauses, with a pattern that recognises the cause in a reason. */
interface Cause {
  readonly is: (reason: string) => boolean;
  readonly cause: string;
  /** The next step of the user, as a sentence without its full stop. */
  readonly next: string;
  readonly page: FailurePage | null;
}

export interface NotEvaluated extends Omit<Cause, "is"> {
  readonly ids: readonly string[];
  /** The reasons that say more than the cause, each with its clauses. The reason with the most clauses comes first. */
  readonly reasons: readonly (readonly [reason: string, ids: readonly string[]])[];
}

function cause(is: RegExp | Cause["is"], what: string, next: string, page: FailurePage): Cause {
  return { is: is instanceof RegExp ? (reason) => is.test(reason) : is, cause: what, next, page };
}

const UNREACHABLE = cause(
  /ENOTFOUND|EAI_AGAIN|ECONN|EHOSTUNREACH|ENETUNREACH|UND_ERR|was not answered|no complete answer|cannot be reached/,
  "the target did not answer",
  "Run plumbline doctor, and check the base URL and the network",
  "unreachable",
);

/** The cause that replaces `UNREACHABLE` if the service has answered other requests. */
const PARTLY_UNANSWERED: Omit<Cause, "is"> = {
  cause: "the target did not answer some requests",
  next: "Read the log of the service about these requests, or raise REQUEST_TIMEOUT_MS",
  page: "unreachable",
};

const INTERNAL = cause(
  /internal error|never evaluated|error of the suite/,
  "an error of this suite",
  "Report the message and the replay line to the maintainers of the suite",
  "internal-error",
);

/** The causes of inconclusive clauses. If the reason of a clause matches several causes, the first one is used. */
const CAUSES: readonly Cause[] = [
  cause(
    /\(see [^()]+\)|^hidden by /,
    "another clause is violated, so these clauses could not be judged",
    "Correct or accept the violated clause, and run again",
    "violation",
  ),
  INTERNAL,
  cause(
    /(?:status|answered) 429\b|stream quota/,
    "the target limits requests",
    "Lower CONCURRENCY, or wait until the quota has room again",
    "rate-limited",
  ),
  cause(
    /budget exhausted|generated cases could be judged|nearly used up/,
    "a budget was used up",
    "Raise the budget that is named in the reason, or judge fewer clauses with --only",
    "budget",
  ),
  cause(
    isTlsError,
    "the TLS connection was not accepted",
    "Set TLS_CA_FILE to the CA bundle of the target, and compare the host names",
    "tls",
  ),
  UNREACHABLE,
  cause(
    /(?:status|answered) 40[13]\b/,
    "the target refuses the credentials",
    "Check the token and the user, and LOGS_TENANT_ID for a log service with several tenants",
    "credentials",
  ),
  cause(/\bredirect/, "the target redirects", "Set the base URL to the address of the redirect", "redirected"),
  cause(/no documented request .*\b404\b/, "the paths do not exist at the target", "Check the base URL and LOGS_PATH_SEGMENT", "not-found"),
  cause(
    /no documented request to the admin API .*\b4\d\d\b/,
    "the target refuses to create an instance",
    "Check METRICS_CLUSTER and whether the token may write; plumbline doctor --write tests both",
    "create-refused",
  ),
  cause(
    /(?:status|answered) 5\d\d\b/,
    "the target was not available",
    "Read the log of the service, and run again with --wait 120",
    "unavailable",
  ),
  cause(
    /\bpush(?:es|ed)?\b.*\brefused?\b|\bfor a documented push\b.*\bgot status 4\d\d\b/,
    "the target refuses pushes",
    "Run plumbline doctor --write, and check the limits of the tenant",
    "push-refused",
  ),
  cause(
    /a dataset is not returned as it was pushed/,
    "pushed data is not returned as it was pushed",
    "Look at the violations of logs-4.push and logs-4.query_range first",
    "inconclusive",
  ),
  cause(
    /was interrupted|ended before this check|\bshard\b/,
    "a part of the run is missing",
    "Run again, or run the missing shard",
    "inconclusive",
  ),
];

const OTHER: Omit<Cause, "is"> = {
  cause: "the responses did not show enough",
  next: "Read the reasons",
  page: "inconclusive",
};

/** The causes why clauses did not run: a missing setting, an unconfigured service or the profile. `$1` is the name of the setting. */
const NOT_RUN: readonly (readonly [pattern: RegExp, cause: string, next: string])[] = [
  [/^([A-Z][A-Z0-9_]*) is not set$/, "$1 is not set", "Set $1 to judge these clauses"],
  [/^the (?:metrics admin|log) API is not configured/, "the service is not configured", "Set the base URL of the service"],
  [/^profile \w+ has no check/, "the profile has no check of these clauses", "Use PROFILE=release or PROFILE=nightly"],
  [/error of the suite/, INTERNAL.cause, INTERNAL.next],
  [/the target refuses/, "the target refuses the requests, and the documents do not promise them", "No action is needed"],
];

/** Returns the cause why a clause was not evaluated. `answering` has the documents whose service has answered requests. */
function causeOf({ verdict, reason = "", document }: ClauseSummary, answering: ReadonlySet<string>): Omit<Cause, "is"> {
  if (verdict !== "not-run") {
    const cause = CAUSES.find(({ is }) => is(reason)) ?? OTHER;
    return cause === UNREACHABLE && answering.has(document) ? PARTLY_UNANSWERED : cause;
  }
  for (const [pattern, cause, next] of NOT_RUN) {
    const found = pattern.exec(reason);
    if (found !== null) {
      const name = found[1] ?? "";
      return { cause: cause.replace("$1", name), next: next.replace("$1", name), page: null };
    }
  }
  return { cause: "the clauses do not apply to this deployment", next: "No action is needed", page: null };
}

/** Returns the clauses with the given verdict, grouped by cause. The cause with the most clauses comes first. */
export function notEvaluated(clauses: readonly ClauseSummary[], verdict: "inconclusive" | "not-run"): NotEvaluated[] {
  const answering = new Set<string>(clauses.flatMap((one) => (one.verdict === "pass" ? [one.document] : [])));
  const caused = clauses.filter((one) => one.verdict === verdict).map((clause) => ({ clause, cause: causeOf(clause, answering) }));
  return [...grouped(caused, ({ cause: { cause, next } }) => `${cause} ${next}`).values()]
    .map((group) => {
      const { cause, next, page } = group[0].cause;
      const all = group.map(({ clause }) => clause);
      return { cause, next, page, ids: all.map(({ id }) => id), reasons: byReason(all).filter(([reason]) => reason !== cause) };
    })
    .toSorted((one, other) => other.ids.length - one.ids.length);
}

/** Returns the ids of clauses, grouped by reason. The reason with the most clauses comes first. */
export function byReason(clauses: readonly ClauseSummary[]): [reason: string, ids: string[]][] {
  return [...grouped(clauses, ({ reason = "no reason given" }) => reason)]
    .map(([reason, all]): [string, string[]] => [reason, all.map(({ id }) => id)])
    .toSorted((left, right) => right[1].length - left[1].length);
}

/** The maximum number of clause ids in one list. Further ids are only counted. */
const SHOWN_IDS = 10;

/** Returns a list of ids such as `admin-4.1, admin-4.2 and 3 more`. */
export function idList(ids: readonly string[]): string {
  const more = ids.length > SHOWN_IDS ? ` and ${ids.length - SHOWN_IDS} more` : "";
  return ids.slice(0, SHOWN_IDS).join(", ") + more;
}

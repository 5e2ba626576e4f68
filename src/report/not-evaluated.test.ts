import { expect, test } from "vitest";
import type { ClauseSummary } from "./model.ts";
import { idList, notEvaluated } from "./not-evaluated.ts";

const clause = (id: string, reason: string, verdict = "inconclusive"): ClauseSummary => ({ id, reason, verdict }) as ClauseSummary;

test.each([
  [
    "not evaluated: the response that would show this clause already violates another clause (see admin-4.3): x, got status 500",
    "violation",
  ],
  ["precondition not met: a dataset is not returned as it was pushed (see logs-4.push): data.result", "violation"],
  ["budget exhausted: MAX_REQUESTS (3000) requests were sent before this clause could be judged", "budget"],
  ["labels was not answered: SELF_SIGNED_CERT_IN_CHAIN: self-signed certificate in certificate chain (6 times)", "tls"],
  ["labels was not answered: EPROTO: wrong version number", "tls"],
  ["create instance was not answered: ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:9 (5 times)", "unreachable"],
  ["push was answered 401: does the token exist, and is the tenant right?", "credentials"],
  [
    "no documented request to the log API was answered with success: push was answered 404, labels 404; are LOGS_BASE_URL right?",
    "not-found",
  ],
  ["labels was answered 302, a redirect to /login; the suite does not follow redirects; is the base URL right?", "redirected"],
  ["every push was answered 429; the stream quota is probably used up", "rate-limited"],
  ["only 12 generated cases could be judged, and at least 14 are needed: push was not answered in 20 attempts: status 429", "rate-limited"],
  [
    "precondition not met: a dataset is not returned as it was pushed: status: expected success (2xx) for a documented push with a body of 5 bytes, got status 400",
    "push-refused",
  ],
  ["precondition not met: a dataset is not returned as it was pushed: query_range: expected success (2xx), got status 400", "inconclusive"],
  ["query_range was answered 503 in every attempt", "unavailable"],
  ["internal error of this suite: the check never evaluated this clause", "internal-error"],
  ["the run was interrupted by SIGINT before this check ended", "inconclusive"],
  ["precondition not met: limits.max_label_names expected 503, got 401", "inconclusive"],
  ["precondition not met: no limit can be changed to another value", "inconclusive"],
])("the reason %j has the failure page %s", (reason, page) => {
  expect(notEvaluated([clause("admin-4.1", reason)], "inconclusive").map((cause) => cause.page)).toEqual([page]);
});

test("if other clauses of the same document passed, the base URL is not suspected", () => {
  const [document, reason] = ["logs", "query was not answered: UND_ERR_HEADERS_TIMEOUT"];
  const unanswered = { ...clause("logs-4.query", reason), document };
  const nextStep = (passed: string): string | undefined =>
    notEvaluated([unanswered, { ...clause("x", "", "pass"), document: passed }], "inconclusive")[0]?.next;
  expect(nextStep("logs")).toContain("REQUEST_TIMEOUT_MS");
  expect(nextStep("admin")).toContain("base URL");
});

test("clauses with the same cause are one group with all its reasons, and the largest group is first", () => {
  const groups = notEvaluated(
    [
      clause("admin-4.1", "push was answered 401"),
      clause("admin-4.2", "precondition not met: no window is left (see logs-4.1)"),
      clause("admin-4.3", "not evaluated: another response (see logs-4.push)"),
      clause("admin-4.4", "an opt-in", "not-run"),
    ],
    "inconclusive",
  );
  expect(groups.map(({ page, ids, reasons }) => [page, ids, reasons.length])).toEqual([
    ["violation", ["admin-4.2", "admin-4.3"], 2],
    ["credentials", ["admin-4.1"], 1],
  ]);
});

test("the next step of a clause that did not run names the setting", () => {
  const steps = [
    clause("logs-5.3", "LOGS_AUTH_ENFORCED is not set", "not-run"),
    clause("logs-7.429", "profile smoke has no check of this clause", "not-run"),
    clause("logs-5.1", "credentials or a tenant are configured", "not-run"),
    clause("admin-4.1", "the checks of this clause did not run because of an error of the suite itself", "not-run"),
  ];
  expect(notEvaluated(steps, "not-run").map(({ next }) => next)).toEqual([
    "Set LOGS_AUTH_ENFORCED to judge these clauses",
    "Use PROFILE=release or PROFILE=nightly",
    "No action is needed",
    "Report the message and the replay line to the maintainers of the suite",
  ]);
});

test("at most ten ids are listed", () => {
  const ids = Array.from({ length: 12 }, (_, index) => `admin-${index}`);
  expect(idList(ids.slice(0, 10))).toBe(ids.slice(0, 10).join(", "));
  expect(idList(ids)).toBe(`${ids.slice(0, 10).join(", ")} and 2 more`);
});

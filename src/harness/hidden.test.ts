import { expect, test } from "vitest";
import type { ClauseId } from "../contract/catalogue.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import type { CheckContext } from "./context.ts";
import { clausesToSee, isHidden, withHidden } from "./hidden.ts";
import { type ClauseOutcome, emptyResult } from "./result.ts";
import { checkOf, DEVIATION, finding, resultOf, settingsFor } from "./testing.ts";

/** A check of two clauses. Its response violates the first clause, so the second clause cannot be evaluated. */
const HIDING = checkOf(
  async (t) => {
    await t.verify(finding(["admin-4.2", "admin-4.PUT"], [{ clause: "admin-4.2", path: "limits", expected: "none", actual: "some" }]));
  },
  ["admin-4.2", "admin-4.PUT"],
);

function outcome(clause: ClauseId, verdict: ClauseOutcome["verdict"], hiddenBy?: readonly ClauseId[]): ClauseOutcome {
  return { clause, verdict, headline: "h", message: "m", ...(hiddenBy === undefined ? {} : { hiddenBy }) };
}

function verdictsOf(...outcomes: readonly ClauseOutcome[]): string[] {
  const results = outcomes.map((one) => ({ ...emptyResult({ id: one.clause, title: "" }, "pass", [], ""), outcomes: [one] }));
  return withHidden(results).flatMap((result) => result.outcomes.map(({ verdict, headline }) => `${verdict} ${headline}`));
}

test("a clause that an accepted deviation hides is a deviation, and a clause that another violation hides is not", async () => {
  const accepted = await resultOf(HIDING, settingsFor("http://x", { deviations: [DEVIATION] }));
  expect(accepted.verdict).toBe("deviation");
  expect(accepted.outcomes).toEqual([
    expect.objectContaining({ clause: "admin-4.2", verdict: "deviation" }),
    expect.objectContaining({ clause: "admin-4.PUT", verdict: "deviation", headline: "hidden by admin-4.2" }),
  ]);
  expect(accepted.outcomes.map(isHidden)).toEqual([false, true]);
  const violated = await resultOf(HIDING, settingsFor("http://x"));
  expect(violated.outcomes[1]).toMatchObject({ clause: "admin-4.PUT", verdict: "inconclusive", hiddenBy: ["admin-4.2"] });
});

test.each<[what: string, after: (t: CheckContext) => Promise<void>]>([
  ["was not evaluated for another reason too", async (t) => void (await t.verify(finding(["admin-4.PUT"], [], { held: [] })))],
  ["belongs to a check that ended early for a reason of its own", () => Promise.reject(new Inconclusive("budget exhausted"))],
])("a hidden clause stays inconclusive if it %s", async (_what, after) => {
  const check = checkOf(async (t) => {
    await HIDING.run(t);
    await after(t);
  }, HIDING.clauses);
  const { outcomes } = await resultOf(check, settingsFor("http://x", { deviations: [DEVIATION] }));
  expect(outcomes[1]).toMatchObject({ clause: "admin-4.PUT", verdict: "inconclusive" });
});

test("a failed precondition names the clauses that explain it", async () => {
  expect(clausesToSee("precondition not met: x was answered 500 (see admin-4.POST and admin-4.1)")).toEqual(["admin-4.POST", "admin-4.1"]);
  expect(clausesToSee("no answer (see docs/failures/tls.md)")).toEqual([]);
  const check = checkOf(async () => {
    throw new Inconclusive("precondition not met: no instance can be read (see admin-4.GET)");
  });
  expect((await resultOf(check)).outcomes[0]).toMatchObject({ verdict: "inconclusive", hiddenBy: ["admin-4.GET"] });
});

test("the clause that hides another may be violated in another check, and may be hidden itself", () => {
  expect(
    verdictsOf(
      outcome("admin-4.2", "deviation"),
      outcome("admin-4.PUT", "inconclusive", ["admin-4.2"]),
      outcome("admin-4.3", "inconclusive", ["admin-4.PUT"]),
    ),
  ).toEqual(["deviation h", "deviation hidden by admin-4.2", "deviation hidden by admin-4.PUT"]);
});

test.each<[string, ClauseOutcome]>([
  ["passes", outcome("admin-4.2", "pass")],
  ["is violated", outcome("admin-4.2", "fail")],
  ["is unverified", outcome("admin-4.2", "inconclusive")],
])("a clause is not hidden by a clause that %s", (_what, hider) => {
  expect(verdictsOf(hider, outcome("admin-4.PUT", "inconclusive", ["admin-4.2"]))[1]).toBe("inconclusive h");
});

test("a clause is not hidden by an accepted deviation if another violation hides it too", () => {
  expect(
    verdictsOf(
      outcome("admin-4.2", "deviation"),
      outcome("admin-4.1", "fail"),
      outcome("admin-4.PUT", "inconclusive", ["admin-4.2", "admin-4.1"]),
    )[2],
  ).toBe("inconclusive h");
});

/** Tests that a reason refers only to clauses and checks that were violated or could not be evaluated. */
import { expect, test } from "vitest";
import { Inconclusive } from "../client/inconclusive.ts";
import type { Check } from "./check.ts";
import type { Verdict } from "./result.ts";
import { createRun } from "./run.ts";
import { fixture } from "./scope.ts";
import { checkOf, finding, settingsFor, TOLD } from "./testing.ts";

const WRONG = { clause: "admin-4.PUT", path: "display_name", expected: '"new"', actual: '"old"' } as const;

const right = checkOf(async (t) => void (await t.verify(finding("admin-4.PUT", []))));
const answered = fixture("admin", "told", async ({ tally }) => tally.count(TOLD));
const wrong = checkOf(async (t) => void (await t.verify(finding("admin-4.PUT", [WRONG]))), ["admin-4.PUT"], { gate: answered });
const unable = checkOf(async () => {
  throw new Inconclusive("nothing was answered");
});

function reasonFrom(text: string) {
  return checkOf(async () => {
    throw new Inconclusive(text);
  }, ["admin-4.2"]);
}

type First = readonly [check: Check, verdict: Verdict];
const FAILED: First = [wrong, "fail"];
const PASSED: First = [right, "pass"];

/** Runs two checks, and returns the headline and the message of the second check. */
async function saidAfter([first, verdict]: First, text: string): Promise<readonly (string | undefined)[]> {
  const second = { ...reasonFrom(text), id: "admin-4.2/second" };
  const run = createRun({ settings: settingsFor(), runId: "r", suiteVersion: "0", checks: [first, second] });
  expect((await run.execute(first)).verdict).toBe(verdict);
  const [outcome] = (await run.execute(second)).outcomes;
  await run.close();
  return [outcome?.headline, outcome?.message];
}

const TEXT = "an update is not shown (see admin-4.PUT), so nothing is seen";

test.each([
  ["failed", FAILED, TEXT],
  ["could not be evaluated", [unable, "inconclusive"] as First, TEXT],
  ["passed", PASSED, "an update is not shown, so nothing is seen"],
])("a reference to a clause that %s is kept only if it leads to more facts", async (_what, first, said) => {
  expect(await saidAfter(first, TEXT)).toEqual([said, said]);
});

test("of several references only those to results with more facts are kept", async () => {
  expect((await saidAfter(FAILED, "not kept (see admin-4.3, admin-4.PUT and admin-4.GET)"))[0]).toBe("not kept (see admin-4.PUT)");
});

test("a reference to a check is kept only if this check failed", async () => {
  const text = `not kept (see ${wrong.id})`;
  expect((await saidAfter(FAILED, text))[0]).toBe(text);
  expect((await saidAfter(PASSED, text))[0]).toBe("not kept");
});

test("a check does not refer to a clause for which it is inconclusive itself", async () => {
  expect((await saidAfter(FAILED, "not removed (see admin-4.2)"))[0]).toBe("not removed");
});

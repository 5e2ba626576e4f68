import { expect, test } from "vitest";
import type { Check } from "./check.ts";
import type { CheckResult } from "./result.ts";
import type { Run } from "./run.ts";
import { Schedule } from "./schedule.ts";
import { checkOf, RUN_END } from "./testing.ts";

const NEVER = new AbortController().signal;

function check(id: string, phase: Check["phase"]): Check {
  return checkOf(async () => undefined, ["admin-4.PUT"], { id, phase });
}

const PLAN = [
  check("last", "alone"),
  check("reread", "closing"),
  check("one", "main"),
  check("two", "main"),
  check("final", "alone"),
  check("at the end", "last"),
  check("later", "waiting"),
  check("much later", "waiting"),
  check("at the very end", "last"),
];
const ALL = new Set(PLAN.map(({ id }) => id));

/** Returns a run whose checks take 5 ms each, and add their begin and their end to `events`. */
function noting(events: string[], failing = ""): Run {
  return {
    plan: PLAN,
    execute: async ({ id }) => {
      events.push(`${id} begins`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (id === failing) throw new Error("a defect of the run");
      events.push(`${id} ends`);
      return { id } as CheckResult;
    },
    close: async () => RUN_END,
  };
}

test("the phases run in their order, in whichever order the tests start", async () => {
  const events: string[] = [];
  const schedule = new Schedule(noting(events), NEVER);
  const results = await Promise.all(PLAN.map(async (one) => schedule.resultOf(one, () => ALL)));
  expect(results.map(({ id }) => id)).toEqual(PLAN.map(({ id }) => id));
  const pairs = [["one", "two"], ["last"], ["final"], ["later", "much later"], ["reread"], ["at the end"], ["at the very end"]];
  expect(events).toEqual(pairs.flatMap((ids) => [...ids.map((id) => `${id} begins`), ...ids.map((id) => `${id} ends`)]));
});

test("the phases of the two services run side by side, and a disruptive check waits for both", async () => {
  const events: string[] = [];
  const plan: Check[] = [
    check("admin main", "main"),
    { ...check("logs main", "main"), service: "logs" },
    { ...check("logs waits", "waiting"), service: "logs" },
    check("admin disrupts", "disruptive"),
  ];
  const schedule = new Schedule({ ...noting(events), plan }, NEVER);
  await Promise.all(plan.map(async (one) => schedule.resultOf(one, () => new Set(plan.map(({ id }) => id)))));
  expect(events.slice(0, 2)).toEqual(["admin main begins", "logs main begins"]);
  expect(events.slice(-4)).toEqual(["logs waits begins", "logs waits ends", "admin disrupts begins", "admin disrupts ends"]);
});

test("a check that runs alone can wait until the others of its phase have ended", async () => {
  const events: string[] = [];
  const plan = ["first", "second", "third"].map((id) => check(id, "last"));
  const run: Run = {
    ...noting([]),
    plan,
    execute: async ({ id }, _signal, othersFirst) => {
      events.push(`${id} begins`);
      if (id !== "second") await othersFirst?.();
      events.push(`${id} ends`);
      return { id } as CheckResult;
    },
  };
  const schedule = new Schedule(run, NEVER);
  await Promise.all(plan.map(async (one) => schedule.resultOf(one, () => new Set(plan.map(({ id }) => id)))));
  expect(events).toEqual(["first begins", "second begins", "second ends", "third begins", "first ends", "third ends"]);
});

test("tests that start one after the other do not wait for a test that has not started", async () => {
  const schedule = new Schedule(noting([]), NEVER);
  for (const one of PLAN) expect((await schedule.resultOf(one, () => ALL)).id).toBe(one.id);
});

test.each(PLAN.map(({ id }) => [id]))("if only %s is selected, it waits for no other check, and no other check runs", async (id) => {
  const events: string[] = [];
  const schedule = new Schedule(noting(events), NEVER);
  const [only] = PLAN.filter((one) => one.id === id);
  await schedule.resultOf(only ?? check("none", "main"), () => new Set([id]));
  expect(events).toEqual([`${id} begins`, `${id} ends`]);
});

const someOf = (): Set<string> => new Set(["one", "last", "reread"]);

test("a check that was not selected has no result, and a defect of the run rejects each test", async () => {
  const [last, reread, one] = PLAN as [Check, Check, Check];
  const schedule = new Schedule(noting([], "last"), NEVER);
  expect((await schedule.resultOf(one, someOf)).id).toBe("one");
  await expect(schedule.resultOf(check("other", "main"), someOf)).rejects.toThrow("it was not selected at the start of the run");
  await expect(schedule.resultOf(reread, someOf)).rejects.toThrow("a defect of the run");
  await expect(schedule.resultOf(last, someOf)).rejects.toThrow("a defect of the run");
});

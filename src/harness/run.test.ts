/** The little language of checks: each way a check can end, and what becomes of its clauses. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Inconclusive } from "../client/inconclusive.ts";
import { settingsFor, checkOf, resultOf } from "./testing.ts";
import { fixture } from "./context.ts";
import { createRun, planned } from "./run.ts";

const WRONG = { clause: "admin-4.PUT", path: "display_name", expected: '"new"', actual: '"old"' } as const;

test("judged without differences passes", async () => {
  const result = await resultOf(checkOf(async (t) => t.judge("admin-4.PUT", [])));
  expect(result.verdict).toBe("pass");
});

test("a difference fails its clause, and the message tells everything", async () => {
  const result = await resultOf(checkOf(async (t) => t.judge("admin-4.PUT", [WRONG], { input: { value: { on: 1n }, note: "made up" } })));
  expect(result.outcomes).toEqual([
    expect.objectContaining({ clause: "admin-4.PUT", verdict: "fail", headline: 'display_name: expected "new", got "old"' }),
  ]);
  const message = result.outcomes[0]?.message ?? "";
  expect(message).toContain("admin-4.PUT is broken. docs/1 (metrics admin API), section 4, stated.");
  expect(message).toContain("The document says: PUT /admin/api/v1/instances/{name}");
  expect(message).toContain('expected: "new"\n  actual:   "old"');
  expect(message).toContain('Smallest input that shows it (made up):\n  {\n    "on": "1"\n  }');
  expect(message).toContain('Replay: METRICS_API_TOKEN="$METRICS_API_TOKEN" npx plumbline run --only admin-4.PUT --seed 7');
});

test("a difference on one of two clauses fails only that one", async () => {
  const result = await resultOf(checkOf(async (t) => t.judge(["admin-4.PUT", "admin-4.2"], [WRONG]), ["admin-4.PUT", "admin-4.2"]));
  expect(result.outcomes.map(({ clause, verdict }) => [clause, verdict])).toEqual([
    ["admin-4.PUT", "fail"],
    ["admin-4.2", "pass"],
  ]);
});

test("a difference may blame a clause that the check does not name", async () => {
  const result = await resultOf(checkOf(async (t) => t.judge("admin-4.2", [WRONG]), ["admin-4.2"]));
  expect(result.outcomes.map(({ clause, verdict }) => [clause, verdict])).toEqual([
    ["admin-4.PUT", "fail"],
    ["admin-4.2", "pass"],
  ]);
});

test("a check that judges nothing is inconclusive, never passed", async () => {
  const result = await resultOf(checkOf(async () => {}));
  expect(result.verdict).toBe("inconclusive");
  expect(result.outcomes[0]?.headline).toContain("without judging");
});

test("what a check could not verify is inconclusive with the reason", async () => {
  const result = await resultOf(checkOf(async (t) => t.inconclusive("no answer")));
  expect(result.outcomes).toEqual([expect.objectContaining({ verdict: "inconclusive", headline: "no answer" })]);
});

test("a violation found before the check had to stop stays a failure", async () => {
  const check = checkOf(
    async (t) => {
      t.judge("admin-4.PUT", [WRONG]);
      t.inconclusive("no answer to the rest");
    },
    ["admin-4.PUT", "admin-4.2"],
  );
  expect((await resultOf(check)).outcomes.map(({ verdict }) => verdict)).toEqual(["fail", "inconclusive"]);
});

test("an internal error is inconclusive and says so", async () => {
  const result = await resultOf(checkOf(() => Promise.reject(new TypeError("oops"))));
  expect(result.verdict).toBe("inconclusive");
  expect(result.outcomes[0]?.headline).toContain("internal error of this suite: TypeError: oops");
});

test("what was not asked for is not run, with the reason", async () => {
  expect((await resultOf(checkOf(async (t) => t.notRun("refused by the target")))).outcomes[0]).toMatchObject({
    verdict: "not-run",
    headline: "refused by the target",
  });
  expect((await resultOf(checkOf(async () => {}, ["admin-4.PUT"], { unless: () => "opt-in not given" }))).outcomes[0]).toMatchObject({
    verdict: "not-run",
    headline: "opt-in not given",
  });
  expect(
    (
      await resultOf(
        checkOf(async () => {}),
        settingsFor("http://x", { admin: null }),
      )
    ).outcomes[0]?.headline,
  ).toContain("not configured");
});

test("a service that never answered with success is not judged broken", async () => {
  const result = await resultOf(
    checkOf(async (t) => t.judge("admin-4.PUT", [WRONG])),
    settingsFor(),
    false,
  );
  expect(result.verdict).toBe("inconclusive");
});

test("a violation outside --only leaves the asked clause undecided", async () => {
  const result = await resultOf(
    checkOf(async (t) => t.judge("admin-4.2", [WRONG]), ["admin-4.2"]),
    settingsFor("http://x", { only: ["admin-4.2"] }),
  );
  expect(result.outcomes).toEqual([expect.objectContaining({ clause: "admin-4.2", verdict: "inconclusive" })]);
});

test("a fixture is built once, and its failure is everybody's precondition", async () => {
  let built = 0;
  const broken = fixture("admin", "broken", () => {
    built += 1;
    return Promise.reject(new Inconclusive("precondition: nothing there"));
  });
  const checks = [1, 2].map(() => checkOf(async (t) => void (await t.use(broken))));
  const run = createRun({ settings: settingsFor(), runId: "test", suiteVersion: "0", checks });
  const results = await Promise.all(checks.map((check) => run.execute(check)));
  await run.close();
  expect(built).toBe(1);
  expect(results.map(({ outcomes }) => outcomes[0]?.headline)).toEqual(["precondition: nothing there", "precondition: nothing there"]);
});

test("an interrupt ends a waiting check as inconclusive", async () => {
  const stop = new AbortController();
  const check = checkOf((t) => t.run.pause(60_000));
  const run = createRun({ settings: settingsFor(), runId: "test", suiteVersion: "0", checks: [check] });
  setTimeout(() => stop.abort(), 10);
  const result = await run.execute(check, stop.signal);
  await run.close();
  expect(result).toMatchObject({ verdict: "inconclusive", interrupted: true });
});

test("the plan keeps profile and --only", () => {
  const checks = [checkOf(async () => {}, ["admin-4.PUT"]), checkOf(async () => {}, ["logs-4.1"], { profiles: ["nightly"] })];
  expect(planned(checks, settingsFor()).map(({ id }) => id)).toEqual(["admin-4.PUT/made-up"]);
  expect(planned(checks, settingsFor("http://x", { profile: "nightly", only: ["logs-*"] })).map(({ id }) => id)).toEqual([
    "logs-4.1/made-up",
  ]);
});

test("secrets in what a check found never reach its result", async () => {
  const result = await resultOf(
    checkOf(async (t) =>
      t.judge("admin-4.PUT", [{ ...WRONG, actual: `secret-token-1234 and ${Buffer.from(":secret-token-1234").toString("base64")}` }]),
    ),
  );
  expect(JSON.stringify(result)).not.toContain("secret-token-1234");
  expect(JSON.stringify(result)).not.toContain(Buffer.from("secret-token-1234").toString("base64").slice(2, 18));
  expect(result.outcomes[0]?.headline).toContain("$METRICS_API_TOKEN");
});

/** A property over lists whose elements must stay below a bound. */
function bounded(bound: number, options: { readonly cases?: number; readonly seen?: number[][]; readonly stopAfter?: number } = {}) {
  let count = 0;
  return checkOf(async (t) => {
    await t.property({
      arbitrary: fc.array(fc.nat({ max: 1_000 }), { maxLength: 10 }),
      clauses: ["admin-4.PUT"],
      cases: options.cases ?? 50,
      overlap: 3,
      run: async (input) => {
        count += 1;
        if (options.stopAfter !== undefined && count > options.stopAfter) throw new Inconclusive("no answer");
        options.seen?.push(input);
        return { differences: input.some((item) => item >= bound) ? [WRONG] : [] };
      },
    });
  });
}

test("a property runs all its cases, the same ones for the same seed", async () => {
  const [first, second] = [[], []] as [number[][], number[][]];
  const result = await resultOf(bounded(2_000, { seen: first }));
  await resultOf(bounded(2_000, { seen: second }));
  expect(result).toMatchObject({ verdict: "pass", cases: 50 });
  expect(first).toHaveLength(50);
  expect(second).toEqual(first);
});

test("a failing property is shrunk to the smallest input", async () => {
  const result = await resultOf(bounded(100));
  expect(result.verdict).toBe("fail");
  expect(result.cases).toBe(50);
  expect(result.outcomes[0]?.message).toMatch(
    /Smallest input that shows it \(case \d+, seed 7, shrunk \d+ times\):\n {2}\[\n {4}100\n {2}\]/,
  );
});

test("a property with too few cases is inconclusive", async () => {
  const result = await resultOf(bounded(2_000, { stopAfter: 10 }));
  expect(result.verdict).toBe("inconclusive");
  expect(result.outcomes[0]?.headline).toMatch(/only \d+ of at least 50 generated cases could be judged: no answer/);
});

test("a fault that does not show again stays a failure and is called intermittent", async () => {
  let count = 0;
  const check = checkOf(async (t) => {
    await t.property({
      arbitrary: fc.nat(),
      clauses: ["admin-4.PUT"],
      cases: 5,
      overlap: 1,
      run: async () => ({ differences: (count += 1) === 3 ? [WRONG] : [] }),
    });
  });
  const result = await resultOf(check);
  expect(result.verdict).toBe("fail");
  expect(result.outcomes[0]?.message).toContain("intermittent");
});

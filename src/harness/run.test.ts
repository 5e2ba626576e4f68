/** Tests each way in which a check can end, and the outcomes of its clauses. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Exchange } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { type Finding, together } from "./finding.ts";
import type { CheckContext } from "./context.ts";
import type { CheckResult } from "./result.ts";
import { type Assertion, fixture } from "./scope.ts";
import { checkOf, finding, resultOf, settingsFor, TOLD } from "./testing.ts";
import { createRun, planned } from "./run.ts";

type Clauses = readonly [ClauseId, ...ClauseId[]];

const WRONG = { clause: "admin-4.PUT", path: "display_name", expected: '"new"', actual: '"old"' } as const;
const ELSEWHERE = { clause: "admin-4.2", path: "limits", expected: "absent", actual: "{}" } as const;
const BOTH = ["admin-4.PUT", "admin-4.2"] as const;

/** Runs a check that judges the findings in order. */
async function judging(findings: readonly Assertion[], clauses?: Clauses): Promise<CheckResult> {
  return resultOf(
    checkOf(async (t) => {
      for (const one of findings) await t.verify(one);
    }, clauses),
  );
}

function verdictsOf({ outcomes }: CheckResult): string[] {
  return outcomes.map(({ clause, verdict }) => `${clause}: ${verdict}`);
}

test.each<[what: string, findings: readonly Assertion[], clauses: Clauses, verdicts: readonly string[]]>([
  ["without a difference passes", [finding("admin-4.PUT", [])], ["admin-4.PUT"], ["admin-4.PUT: pass"]],
  [
    "with a difference of one of two clauses fails this clause, and the other is not evaluated",
    [finding(BOTH, [WRONG])],
    BOTH,
    ["admin-4.PUT: fail", "admin-4.2: inconclusive"],
  ],
  [
    "with a difference of one of two clauses shows that the other held, if the response showed it",
    [finding(BOTH, [WRONG], { held: ["admin-4.2"] })],
    BOTH,
    ["admin-4.PUT: fail", "admin-4.2: pass"],
  ],
  [
    "that could not evaluate a clause leaves it not evaluated, although another one evaluated it",
    [finding("admin-4.2", []), finding("admin-4.2", [WRONG])],
    ["admin-4.2"],
    ["admin-4.PUT: fail", "admin-4.2: inconclusive"],
  ],
])("a finding %s", async (_what, findings, clauses, verdicts) => {
  expect(verdictsOf(await judging(findings, clauses))).toEqual(verdicts);
});

test("a difference fails its clause, and the message has all facts", async () => {
  const { outcomes } = await judging([finding("admin-4.PUT", [WRONG], { input: { on: 1n } })]);
  expect(outcomes).toEqual([
    expect.objectContaining({
      clause: "admin-4.PUT",
      verdict: "fail",
      headline: 'GET shows a wrong display_name: expected "new", got "old", request: GET /',
    }),
  ]);
  const message = outcomes[0]?.message ?? "";
  expect(message).toContain("admin-4.PUT is violated (Metrics admin API, section 4, stated).");
  expect(message).toContain("Request: GET /\n");
  expect(message).toContain("The document says: PUT /admin/api/v1/instances/{name}");
  expect(message).toContain('expected: "new"\n  actual:   "old"');
  expect(message).toContain('Input:\n  {\n    "on": "1"\n  }');
  expect(message).toContain("Replay: npm run conformance -- --only admin-4.PUT --seed 7");
});

test("a difference may belong to a clause that the check does not name, and the own clause is then not evaluated", async () => {
  const result = await judging([finding("admin-4.2", [WRONG])], ["admin-4.2"]);
  expect(verdictsOf(result)).toEqual(["admin-4.PUT: fail", "admin-4.2: inconclusive"]);
  expect(result.outcomes[1]?.headline).toContain('(see admin-4.PUT): display_name: expected "new", got "old"');
});

test("equal requests with equal responses are shown once, with their number", async () => {
  const { exchanges } = await judging([1, 2, 3].map(() => finding("admin-4.PUT", [], { exchanges: [{ ...TOLD }] })));
  expect(exchanges.map(({ alike }) => alike)).toEqual([2]);
});

test("equal consecutive attempts are listed once", async () => {
  const { outcomes } = await judging([finding("admin-4.PUT", [WRONG]), finding("admin-4.PUT", [WRONG])]);
  expect(outcomes[0]?.headline).toBe('GET shows a wrong display_name: expected "new", got "old", request: GET /');
});

test.each<[what: string, run: (t: CheckContext) => Promise<void>, verdict: string, headline: string]>([
  [
    "has a finding without an exchange reports a defect of the suite",
    async (t) => void (await t.verify(finding("admin-4.PUT", [], { exchanges: [] }))),
    "inconclusive",
    "internal error of this suite: Error: a finding about admin-4.PUT has no exchange",
  ],
  ["judges nothing is inconclusive and never passes", async () => {}, "inconclusive", "never evaluated this clause"],
  ["could not verify its clauses is inconclusive with the reason", async (t) => t.inconclusive("no answer"), "inconclusive", "no answer"],
  [
    "has an internal error is inconclusive with this reason",
    () => Promise.reject(new TypeError("oops")),
    "inconclusive",
    "internal error of this suite: TypeError: oops",
  ],
  ["did not request its subject is not run", async (t) => t.notRun("refused by the target"), "not-run", "refused by the target"],
])("a check that %s", async (_what, body, verdict, headline) => {
  expect((await resultOf(checkOf(body))).outcomes).toMatchObject([{ verdict, headline: expect.stringContaining(headline) as string }]);
});

test("if a check ends at a violation, its other clauses name the violated clause", async () => {
  const result = await judging([finding("admin-4.PUT", [WRONG])], BOTH);
  expect(verdictsOf(result)).toEqual(["admin-4.PUT: fail", "admin-4.2: inconclusive"]);
  expect(result.outcomes[1]?.headline).toContain(
    "not evaluated: the check ended at the violation of another clause (see admin-4.PUT): GET shows a wrong display_name",
  );
});

test("a violation stays a failure if the check had to stop later", async () => {
  const check = checkOf(async (t) => {
    await t.verify(finding("admin-4.PUT", [WRONG]));
    t.inconclusive("no answer to the rest");
  }, BOTH);
  expect(verdictsOf(await resultOf(check))).toEqual(["admin-4.PUT: fail", "admin-4.2: inconclusive"]);
});

test("a check is not run without its opt-in or without its service, with the reason", async () => {
  const optIn = checkOf(async () => {}, ["admin-4.PUT"], { unless: () => "opt-in not given" });
  expect((await resultOf(optIn)).outcomes[0]).toMatchObject({ verdict: "not-run", headline: "opt-in not given" });
  const unconfigured = settingsFor("http://x", { admin: null });
  const { outcomes } = await resultOf(
    checkOf(async () => {}),
    unconfigured,
  );
  expect(outcomes[0]?.headline).toContain("not configured");
});

test("a service that never answered with success is inconclusive, and not violated", async () => {
  const result = await resultOf(
    checkOf(async (t) => void (await t.verify(finding("admin-4.PUT", [WRONG])))),
    settingsFor(),
    false,
  );
  expect(result.verdict).toBe("inconclusive");
});

test("a violation of a clause outside --only leaves the selected clause inconclusive", async () => {
  const result = await resultOf(
    checkOf(async (t) => void (await t.verify(finding("admin-4.2", [WRONG]))), ["admin-4.2"]),
    settingsFor("http://x", { only: ["admin-4.2"] }),
  );
  expect(result.outcomes).toEqual([expect.objectContaining({ clause: "admin-4.2", verdict: "inconclusive" })]);
});

test("all checks of a run have the same state, so that what one learns of the target is known to the others", async () => {
  const runs = new Set<unknown>();
  const checks = [1, 2].map(() => checkOf(async (t) => void (await t.probe(async (scope) => runs.add(scope.run)))));
  const run = createRun({ settings: settingsFor(), runId: "test", suiteVersion: "0", checks });
  for (const check of checks) await run.execute(check, undefined, async () => undefined);
  await run.close();
  expect(runs.size).toBe(1);
});

test("a fixture is built once, and its failure is the failed precondition of each check that uses it", async () => {
  let built = 0;
  const broken = fixture("admin", "broken", () => {
    built += 1;
    return Promise.reject(new Inconclusive("precondition not met: nothing there"));
  });
  const checks = [1, 2].map(() => checkOf(async (t) => void (await t.use(broken))));
  const run = createRun({ settings: settingsFor(), runId: "test", suiteVersion: "0", checks });
  const results = await Promise.all(checks.map((check) => run.execute(check)));
  await run.close();
  expect(built).toBe(1);
  expect(results.map(({ outcomes }) => outcomes[0]?.headline)).toEqual([
    "precondition not met: nothing there",
    "precondition not met: nothing there",
  ]);
});

test("an interrupt ends a waiting check as inconclusive", async () => {
  const stop = new AbortController();
  const check = checkOf(async (t) => void (await t.probe(({ run }) => run.pause(60_000))));
  const run = createRun({ settings: settingsFor(), runId: "test", suiteVersion: "0", checks: [check] });
  setTimeout(() => stop.abort(), 10);
  const result = await run.execute(check, stop.signal);
  await run.close();
  expect(result).toMatchObject({ verdict: "inconclusive", interrupted: true });
});

test("the plan has only the checks of the profile and of --only", () => {
  const checks = [checkOf(async () => {}, ["admin-4.PUT"]), checkOf(async () => {}, ["logs-4.1"], { profiles: ["nightly"] })];
  expect(planned(checks, settingsFor()).map(({ id }) => id)).toEqual(["admin-4.PUT/made-up"]);
  expect(planned(checks, settingsFor("http://x", { profile: "nightly", only: ["logs-*"] })).map(({ id }) => id)).toEqual([
    "logs-4.1/made-up",
  ]);
});

test("secrets in a finding never reach the result", async () => {
  const actual = `secret-token-1234 and ${Buffer.from(":secret-token-1234").toString("base64")}`;
  const result = await judging([finding("admin-4.PUT", [{ ...WRONG, actual }])]);
  expect(JSON.stringify(result)).not.toContain("secret-token-1234");
  expect(JSON.stringify(result)).not.toContain(Buffer.from("secret-token-1234").toString("base64").slice(2, 18));
  expect(result.outcomes[0]?.headline).toContain("$METRICS_API_TOKEN");
});

/** Returns a check with a property: each element of a generated list must be below the given bound. */
function bounded(bound: number, options: { readonly cases?: number; readonly seen?: number[][]; readonly stopAfter?: number } = {}) {
  let count = 0;
  return checkOf(async (t) => {
    await t.property({
      arbitrary: fc.array(fc.nat({ max: 1_000 }), { maxLength: 10 }),
      cases: options.cases ?? 50,
      overlap: 3,
      assertion: (input) => async (scope) => {
        count += 1;
        if (options.stopAfter !== undefined && count > options.stopAfter) throw new Inconclusive("no answer");
        options.seen?.push(input);
        return finding("admin-4.PUT", input.some((item) => item >= bound) ? [WRONG] : [])(scope);
      },
    });
  });
}

/** The body of a check with a property of these many cases. The assertion gets the number of the request, from 1. */
function property(cases: number, assertion: (count: number) => Assertion): (t: CheckContext) => Promise<void> {
  let count = 0;
  return async (t) => t.property({ arbitrary: fc.nat(), cases, overlap: 1, assertion: () => assertion((count += 1)) });
}

test("own checks may use the old names of version 1.0", async () => {
  const check = checkOf(async (t) => {
    const { seen } = await t.look(async () => "sent");
    const found = finding(BOTH, [WRONG], { kept: ["admin-4.2"], input: { seen } });
    await t.property({ arbitrary: fc.nat(), cases: 3, overlap: 1, trial: () => found });
  }, BOTH);
  const result = await resultOf(check);
  expect(verdictsOf(result)).toEqual(["admin-4.PUT: fail", "admin-4.2: pass"]);
  expect(result.cases).toBe(3);
});

test("a property runs all its cases, and the same seed gives the same cases", async () => {
  const [first, second] = [[], []] as [number[][], number[][]];
  const result = await resultOf(bounded(2_000, { seen: first }));
  await resultOf(bounded(2_000, { seen: second }));
  expect(result).toMatchObject({ verdict: "pass", cases: 50 });
  expect(first).toHaveLength(50);
  expect(second).toEqual(first);
});

test("of a thousand right cases two hundred exchanges are kept, and all are counted", async () => {
  let held = 0;
  const check = checkOf(async (t) => {
    await t.property({
      arbitrary: fc.nat(),
      cases: 1_000,
      overlap: 3,
      assertion: () => async (scope) => {
        const exchange = { ...TOLD };
        scope.exchanges.push(exchange);
        return finding("admin-4.PUT", [], { exchanges: [exchange] })(scope);
      },
    });
    held = t.exchanges.length;
    expect(t.record.judged).toHaveLength(200);
  });
  const result = await resultOf(check);
  expect({ verdict: result.verdict, held, made: result.exchangesMade }).toEqual({ verdict: "pass", held: 200, made: 1_000 });
});

test("a failing property is shrunk to the smallest input", async () => {
  const result = await resultOf(bounded(100));
  expect(result.verdict).toBe("fail");
  expect(result.cases).toBe(50);
  expect(result.outcomes[0]?.message).toMatch(
    /Smallest input that shows the violation \(case \d+, seed 7, shrunk \d+ times\):\n {2}\[ 100 \]/,
  );
});

test("a property with too few cases is inconclusive", async () => {
  const result = await resultOf(bounded(2_000, { stopAfter: 10 }));
  expect(result.verdict).toBe("inconclusive");
  expect(result.outcomes[0]?.headline).toMatch(/only \d+ generated cases could be judged, and at least 50 are needed: no answer/);
});

test("a failure that does not occur in the repeat stays a failure and is called intermittent", async () => {
  const result = await resultOf(checkOf(property(5, (count) => finding("admin-4.PUT", count === 3 ? [WRONG] : []))));
  expect(result.verdict).toBe("fail");
  expect(result.outcomes[0]).toMatchObject({ flaky: true, message: expect.stringContaining("intermittent") as string });
});

function asked(path: string): Exchange {
  return { ...TOLD, request: { ...TOLD.request, url: `http://x/${path}` } };
}

test("of several findings each violation shows the exchange of the first finding with this violation", async () => {
  const findings: Finding[] = [
    { clauses: BOTH, differences: [], exchanges: [asked("right")] },
    { clauses: BOTH, differences: [WRONG], exchanges: [asked("one-wrong")] },
    { clauses: BOTH, differences: [ELSEWHERE, { ...WRONG, path: "status" }], exchanges: [asked("two-wrong")] },
  ];
  for (const found of [together(findings), together([together(findings.slice(0, 1)), together(findings.slice(1))])]) {
    const { outcomes } = await judging([async () => found], BOTH);
    expect(outcomes.map(({ headline }) => headline)).toEqual([
      'one-wrong shows a wrong display_name: expected "new", got "old" (and 1 more wrong value), request: GET /one-wrong',
      "two-wrong shows a wrong limits: expected absent, got {}, request: GET /two-wrong",
    ]);
  }
});

test("a clause is not called intermittent if a later request of the check violates it permanently", async () => {
  const check = checkOf(async (t) => {
    await property(1, (count) => finding("admin-4.PUT", count === 1 ? [WRONG] : []))(t);
    await t.verify(finding("admin-4.PUT", [{ ...WRONG, actual: '"lasting"' }]));
  });
  const [outcome] = (await resultOf(check)).outcomes;
  expect(outcome?.flaky).toBeUndefined();
  expect(outcome?.headline).toContain('got "lasting" (and 1 more wrong value)');
});

test.each<[what: string, run: (t: CheckContext) => Promise<void>, message: string]>([
  [
    "the repeat is wrong in another respect",
    property(1, (count) => finding("admin-4.PUT", [count === 1 ? WRONG : ELSEWHERE])),
    "the same input, sent again, gave a response that was wrong in another respect: limits: expected absent, got {}",
  ],
  [
    "the budgets allow no repeat",
    property(3, (count) => async (scope) => {
      if (count > 3) throw new Inconclusive("budget exhausted");
      return finding("admin-4.PUT", [WRONG])(scope);
    }),
    "the run did not repeat the input, because a budget was nearly used up",
  ],
])("a failure is not called intermittent if %s", async (_what, body, message) => {
  const [outcome] = (await resultOf(checkOf(body))).outcomes;
  expect(outcome?.flaky).toBeUndefined();
  expect(outcome?.message).not.toContain("intermittent");
  expect(outcome?.message).toContain(message);
});

test("a fixture that is not built yet cannot be used while the check holds an instance of the pool", async () => {
  const built = fixture("admin", "built before", async () => 1);
  const late = fixture("admin", "built late", async () => 2);
  const check = checkOf(async (t) => {
    await t.use(built);
    await t.probe((scope) => scope.holding(() => scope.use(built)));
    await t.probe((scope) => scope.holding(() => scope.use(late)));
  });
  const { outcomes } = await resultOf(check);
  expect(outcomes[0]?.headline).toContain('the fixture "built late" was requested while this check held an instance of the pool');
});

test("the exchanges of a fixture that failed are evidence of the check that needed it", async () => {
  const broken = fixture("admin", "broken", async (scope) => {
    scope.exchanges.push(TOLD);
    throw new Inconclusive("precondition not met: nothing there");
  });
  const result = await resultOf(checkOf(async (t) => void (await t.use(broken))));
  expect(result.exchanges).toHaveLength(1);
});

test("a check that waits for something that never happens is inconclusive at the end of the run", async () => {
  const waiting = checkOf(async () => new Promise(() => undefined));
  const budgets = { ...settingsFor().budgets, runTimeoutMs: 50 };
  const run = createRun({ settings: settingsFor(undefined, { budgets }), runId: "waits", suiteVersion: "0", checks: [waiting] });
  const { outcomes } = await run.execute(waiting);
  expect(outcomes).toMatchObject([{ verdict: "inconclusive", headline: expect.stringContaining("RUN_TIMEOUT_MS (50) ended") }]);
  await run.close();
});

import { expect, test } from "vitest";
import type { Exchange } from "../client/exchange.ts";
import type { EngineCoverage } from "../design/coverage.ts";
import type { Check } from "./check.ts";
import { CheckContext } from "./context.ts";
import { Forecast } from "./forecast.ts";
import { leavesOutRow } from "./property.ts";
import type { RunServices, Scope } from "./scope.ts";
import { TOLD } from "./testing.ts";

/** Returns a scope of a release run with all of its time left. It has `spare` requests more than its checks need. */
function scopeWith(spare: number): Scope {
  const scope = {
    settings: { profile: "release", budgets: { runTimeoutMs: 1_000, maxRequests: 100 } },
    run: { spare: () => spare + scope.progress.requests, transport: () => ({ budget: { msLeft: 1_000, requests: 90 } }) },
    progress: { requests: 0 },
  };
  return scope as unknown as Scope;
}

test("rows are left out until the requests suffice, and no further row is", () => {
  const scope = scopeWith(-3);
  expect([1, 2, 3].map(() => leavesOutRow(scope, 0.5, 2))).toEqual([true, true, false]);
});

test("no row is left out if the requests suffice, or if the row must run", () => {
  expect(leavesOutRow(scopeWith(0), 0.5, 2)).toBe(false);
  expect(leavesOutRow(scopeWith(-50), 0.5, 0)).toBe(false);
});

test("a table leaves out rows after the first eight until the requests suffice, and the coverage says so", async () => {
  const coverage = new Map<string, EngineCoverage>();
  const run = {
    ...scopeWith(0).run,
    settings: { profile: "release", budgets: { runTimeoutMs: 1_000, maxRequests: 100 } },
    coverage,
    spare: () => t.progress.requests - 2,
  };
  const t = new CheckContext(run as unknown as RunServices, "logs", "logs-4.3/rows");
  const ran: number[] = [];
  const rows = Array.from({ length: 12 }, (_, at) => ({
    clause: "logs-4.3" as const,
    assertion: async () => {
      ran.push(at);
      return { clauses: ["logs-4.3"] as const, differences: [], exchanges: [TOLD] };
    },
  }));
  await t.verifyRows(rows, 8);
  expect(ran).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 10, 11]);
  expect(coverage.get("rows of logs-4.3/rows")).toMatchObject({ possible: 12, judged: 10, cut: 2 });
});

const check = (service: "admin" | "logs"): Check => ({ service }) as Check;
const answer = (status: number): Exchange => ({ response: { status, headers: {}, body: "" } }) as unknown as Exchange;

test("the forecast expects as many additional requests of a service as until now, and keeps 40 requests", () => {
  const [one, other, log] = [check("admin"), check("admin"), check("logs")];
  let additional = 0;
  const forecast = new Forecast(
    [one, other, log],
    () => 300,
    (service) => (service === "admin" ? additional : 0),
  );
  expect(forecast.remaining).toBe(900 + 40);
  const progress = { requests: 0 };
  forecast.started(one, progress);
  for (; progress.requests < 300; progress.requests += 1) forecast.answered("admin", answer(200));
  expect(forecast.remaining).toBe(600 + 40);
  // A third of the requests so far were additional. So the check itself still needs 150 of 450.
  additional = 100;
  expect(forecast.remaining).toBe(150 + 450 + 300 + 40);
  // A check that needs more requests than expected takes no requests from other checks.
  progress.requests = 500;
  expect(forecast.remaining).toBe(450 + 300 + 40);
  forecast.ended(one);
  expect(forecast.remaining).toBe(450 + 300 + 40);
});

test("failed requests count as additional requests, and a few early failures change the forecast little", () => {
  const forecast = new Forecast(
    [check("logs")],
    () => 300,
    () => 0,
  );
  for (const status of [503, 429]) forecast.answered("logs", answer(status));
  expect(forecast.remaining).toBeCloseTo(40 + 300 * (1 + 2.6 / 150));
  for (let sent = 0; sent < 300; sent += 1) forecast.answered("logs", answer(sent % 10 === 0 ? 503 : 200));
  expect(forecast.remaining).toBeCloseTo(40 + 300 * (1 + (1.3 * 32) / 270));
});

test("a service that has sent its share leaves the other service the requests that it still needs", () => {
  const [admin, log] = [check("admin"), check("logs")];
  const forecast = new Forecast(
    [admin, log],
    (one) => (one === admin ? 100 : 200),
    () => 0,
  );
  for (let sent = 0; sent < 200; sent += 1) forecast.answered("logs", answer(200));
  // The log API may send two thirds of all requests in any case.
  expect(forecast.keptFrom("logs", 330)).toBe(0);
  expect(forecast.keptFrom("logs", 300)).toBe(100);
  const progress = { requests: 40 };
  forecast.started(admin, progress);
  expect(forecast.keptFrom("logs", 300)).toBe(60);
  for (let sent = 0; sent < 70; sent += 1) forecast.answered("admin", answer(200));
  expect(forecast.keptFrom("logs", 300)).toBe(30);
  forecast.ended(admin);
  expect(forecast.keptFrom("logs", 300)).toBe(0);
});

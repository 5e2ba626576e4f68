import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SERVICES } from "../contract/clause.ts";
import { packageRoot } from "../model/schemas.ts";
import { COSTS, ONE_INSTANCE, SHARED_SETS } from "./costs.ts";
import { budgetsOfShard, checksOfShard, costOf } from "./shard.ts";

interface Made {
  readonly id: string;
  readonly phase: "main" | "closing" | "alone";
  readonly service: "admin" | "logs";
}

function made(id: string, phase: Made["phase"] = "main"): Made {
  return { id, phase, service: id.startsWith("admin") ? "admin" : "logs" };
}

const CHECKS: readonly Made[] = [
  ...[...new Set([...Object.keys(COSTS), ...SHARED_SETS.flatMap(({ checks }) => checks)])].map((id) => made(id)),
  ...Array.from({ length: 80 }, (_, index) => made(`${index % 2 === 0 ? "admin-4.1" : "logs-4.1"}/made-up-${index}`)),
  made("admin-4.2/closing", "closing"),
  made("logs-4.2/closing", "closing"),
];

function idsOf(index: number, count: number, checks = CHECKS): string[] {
  return checksOfShard(checks, { shard: { index, count }, maxInstances: 40 }).map(({ id }) => id);
}

function each<T>(count: number, of: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => of(index + 1));
}

test.each([1, 2, 3, 5, 7])("%i shards have each check once, and closing checks in each shard that tests their service", (count) => {
  const shards = each(count, (index) => idsOf(index, count));
  const main = shards.flat().filter((id) => !id.endsWith("/closing"));
  expect(main.toSorted()).toEqual(
    CHECKS.filter(({ phase }) => phase === "main")
      .map(({ id }) => id)
      .toSorted(),
  );
  for (const shard of shards) {
    for (const service of SERVICES) {
      const asked = shard.some((id) => id.startsWith(service) && !id.endsWith("/closing"));
      expect(shard.some((id) => id.startsWith(service) && id.endsWith("/closing"))).toBe(asked);
    }
  }
});

test("no shard has much more work than another, apart from the most expensive check", () => {
  const dearest = Math.max(...Object.values(COSTS));
  const loads = each(3, (index) => idsOf(index, 3).reduce((sum, id) => sum + costOf({ id }), 0));
  expect(Math.max(...loads) - Math.min(...loads)).toBeLessThan(dearest);
});

test("with at most five shards one shard creates all instances, and has the whole budget for them", () => {
  const whole = { runTimeoutMs: 1_000, maxRequests: 3_000, maxInstances: 40, maxPushBytes: 1_001 };
  const parts = each(5, (index) => budgetsOfShard(CHECKS, whole, { index, count: 5 }));
  const sumOf = (name: "maxRequests" | "maxInstances" | "maxPushBytes"): number => parts.reduce((sum, part) => sum + part[name], 0);
  expect(parts.map(({ maxInstances }) => maxInstances)).toEqual([40, 0, 0, 0, 0]);
  expect([sumOf("maxRequests"), sumOf("maxInstances"), sumOf("maxPushBytes")]).toEqual([3_000, 40, 1_001]);
  expect(parts.every(({ runTimeoutMs, maxRequests }) => runTimeoutMs === 1_000 && maxRequests > 300)).toBe(true);
});

/** For each of `count` shards of a run with one service, returns its work, its instances and its checks. */
function alone(configured: Made["service"], count: number, maxInstances: number): { ids: string[]; work: number; instances: number }[] {
  const checks = [...CHECKS, ...[...ONE_INSTANCE].flatMap((id) => (id in COSTS ? [] : [made(id)]))];
  const cost = ({ id, service }: Pick<Made, "id" | "service">): number => (service === configured ? costOf({ id }) : 0);
  const whole = { runTimeoutMs: 1_000, maxRequests: 3_000, maxInstances, maxPushBytes: 1_001 };
  return each(count, (index) => {
    const own = checksOfShard(checks, { shard: { index, count }, maxInstances }, cost).filter(({ service }) => service === configured);
    const { maxInstances: instances } = budgetsOfShard(checks, whole, { index, count }, cost);
    return { ids: own.map(({ id }) => id), work: own.reduce((sum, check) => sum + cost(check), 0), instances };
  });
}

test.each([
  [2, 1.2],
  [4, 1.2],
  // All checks that read the large datasets are in the same shard, so this shard has more work than the others.
  [6, 1.5],
  [8, 2.1],
])("with the log API alone the work of %i shards differs by a factor of at most %d", (count, factor) => {
  const works = alone("logs", count, 40).map(({ work }) => work);
  expect(Math.max(...works) / Math.min(...works)).toBeLessThan(factor);
});

test.each([
  [1, 40, [40]],
  [2, 40, [38, 2]],
  [3, 40, [36, 2, 2]],
  [4, 40, [34, 2, 2, 2]],
  [6, 40, [35, 1, 1, 1, 1, 1]],
  [8, 40, [33, 1, 1, 1, 1, 1, 1, 1]],
  [3, 8, [6, 1, 1]],
  [6, 8, [5, 1, 1, 1, 0, 0]],
  [2, 3, [3, 0]],
])("with the admin API alone %i shards of %i instances have work if they have instances", (count, maxInstances, expected) => {
  const shards = alone("admin", count, maxInstances);
  expect(shards.map(({ instances }) => instances)).toEqual(expected);
  for (const { ids, work, instances } of shards.slice(1)) {
    expect(work > 0).toBe(instances > 0);
    expect(ids.filter((id) => !ONE_INSTANCE.has(id))).toEqual([]);
  }
  expect(shards.slice(1).filter(({ ids, instances }) => instances === 1 && ids.length !== 1)).toEqual([]);
  expect(shards[0]?.ids).toContain("admin-4.2/closing");
  expect(new Set(shards.flatMap(({ ids }) => ids)).size).toBe(shards.reduce((sum, { ids }) => sum + ids.length, 0));
});

test("each shard of a smoke run of the log API may push enough for its datasets", () => {
  const whole = { runTimeoutMs: 1_000, maxRequests: 400, maxInstances: 8, maxPushBytes: 262_144 };
  const logs = CHECKS.filter(({ service }) => service === "logs");
  const bytes = each(4, (index) => budgetsOfShard(logs, whole, { index, count: 4 }).maxPushBytes);
  expect(bytes).toEqual([65_536, 65_536, 65_536, 65_536]);
});

test("the documentation says how many shards have work with the admin API alone", () => {
  const page = readFileSync(join(packageRoot(), "docs/ci.md"), "utf8").replaceAll(/\s+/g, " ");
  const [release, smoke] = [40, 8].map((maxInstances) => alone("admin", 9, maxInstances).filter(({ work }) => work > 0).length);
  expect(page).toContain(`enough for ${release} shards of a release or nightly run, and for ${smoke} shards of a smoke run.`);
});

test("the first shard has work too if each check needs only one instance", () => {
  const checks = [...ONE_INSTANCE].slice(0, 3).map((id) => made(id));
  expect(each(2, (index) => idsOf(index, 2, checks).length > 0)).toEqual([true, true]);
});

test("no shard gets an instance that none of its checks can use", () => {
  const checks = [made("admin-4.2/removes"), made("admin-4.GET/object")];
  const whole = { runTimeoutMs: 1_000, maxRequests: 3_000, maxInstances: 40, maxPushBytes: 0 };
  expect(each(4, (index) => budgetsOfShard(checks, whole, { index, count: 4 }).maxInstances)).toEqual([38, 2, 0, 0]);
});

test("without a shard the plan and the budgets are unchanged", () => {
  const whole = { runTimeoutMs: 1, maxRequests: 2, maxInstances: 3, maxPushBytes: 4 };
  expect(checksOfShard(CHECKS, { shard: null, maxInstances: 40 })).toEqual(CHECKS);
  expect(budgetsOfShard(CHECKS, whole, null)).toBe(whole);
});

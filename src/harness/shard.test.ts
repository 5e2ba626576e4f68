import { expect, test } from "vitest";
import { COSTS } from "./costs.ts";
import { budgetsOfShard, checksOfShard } from "./shard.ts";

interface Made {
  readonly id: string;
  readonly phase: "main" | "closing" | "alone";
  readonly service: "admin" | "logs";
}

function made(id: string, phase: Made["phase"] = "main"): Made {
  return { id, phase, service: id.startsWith("admin") ? "admin" : "logs" };
}

const CHECKS: readonly Made[] = [
  ...Object.keys(COSTS).map((id) => made(id)),
  ...Array.from({ length: 80 }, (_, index) => made(`${index % 2 === 0 ? "admin-4.1" : "logs-4.1"}/made-up-${index}`)),
  made("admin-4.2/closing", "closing"),
  made("logs-4.2/closing", "closing"),
];

function idsOf(index: number, count: number, checks = CHECKS): string[] {
  return checksOfShard(checks, { index, count }).map(({ id }) => id);
}

function each<T>(count: number, of: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => of(index + 1));
}

test.each([1, 2, 3, 5, 7])("%i shards have every check once, the closing ones wherever their service is asked", (count) => {
  const shards = each(count, (index) => idsOf(index, count));
  const main = shards.flat().filter((id) => !id.endsWith("/closing"));
  expect(main.toSorted()).toEqual(
    CHECKS.filter(({ phase }) => phase === "main")
      .map(({ id }) => id)
      .toSorted(),
  );
  for (const shard of shards) {
    for (const service of ["admin", "logs"]) {
      const asked = shard.some((id) => id.startsWith(service) && !id.endsWith("/closing"));
      expect(shard.some((id) => id.startsWith(service) && id.endsWith("/closing"))).toBe(asked);
    }
  }
});

test("no shard has much more to do than another, the dearest check aside", () => {
  const dearest = Math.max(...Object.values(COSTS));
  const loads = each(3, (index) => idsOf(index, 3).reduce((sum, id) => sum + (COSTS[id] ?? 2), 0));
  expect(Math.max(...loads) - Math.min(...loads)).toBeLessThan(dearest);
});

test("up to five shards create instances in one of them, whose budget for them is the whole", () => {
  const whole = { runTimeoutMs: 1_000, maxRequests: 3_000, maxInstances: 40, maxPushBytes: 1_001 };
  const parts = each(5, (index) => budgetsOfShard(CHECKS, whole, { index, count: 5 }));
  const sumOf = (name: "maxRequests" | "maxInstances" | "maxPushBytes"): number => parts.reduce((sum, part) => sum + part[name], 0);
  expect(parts.map(({ maxInstances }) => maxInstances)).toEqual([40, 0, 0, 0, 0]);
  expect([sumOf("maxRequests"), sumOf("maxInstances"), sumOf("maxPushBytes")]).toEqual([3_000, 40, 1_001]);
  expect(parts.every(({ runTimeoutMs, maxRequests }) => runTimeoutMs === 1_000 && maxRequests > 300)).toBe(true);
});

test("of one service every shard has a part", () => {
  const admin = CHECKS.filter(({ service }) => service === "admin");
  expect(each(3, (index) => idsOf(index, 3, admin).length > 5)).toEqual([true, true, true]);
});

test.each(["admin", "logs"] as const)("with the %s API alone configured every shard has work and a budget for it", (configured) => {
  const cost = ({ id, service }: Pick<Made, "id" | "service">): number => (service === configured ? (COSTS[id] ?? 2) : 0);
  const works = each(3, (index) =>
    checksOfShard(CHECKS, { index, count: 3 }, cost).reduce((sum, check) => sum + cost(check), 0),
  );
  expect(Math.min(...works)).toBeGreaterThan(Math.max(...works) / 3);
  const whole = { runTimeoutMs: 1_000, maxRequests: 3_000, maxInstances: 40, maxPushBytes: 1_001 };
  const parts = each(3, (index) => budgetsOfShard(CHECKS, whole, { index, count: 3 }, cost));
  expect(parts.every(({ maxRequests }) => maxRequests > 300)).toBe(true);
  if (configured === "admin") expect(parts.map(({ maxInstances }) => maxInstances)).toEqual([13, 13, 14]);
});

test("without a shard plan and budgets are the whole", () => {
  const whole = { runTimeoutMs: 1, maxRequests: 2, maxInstances: 3, maxPushBytes: 4 };
  expect(checksOfShard(CHECKS, null)).toEqual(CHECKS);
  expect(budgetsOfShard(CHECKS, whole, null)).toBe(whole);
});

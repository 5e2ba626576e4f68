/** Instances that nobody has written since they were created are still what they were when everything has settled. */
import { type Answered, isSuccess, statusOf } from "../../src/client/exchange.ts";
import { LIMIT_NAMES, type Limits } from "../../src/contract/limits.ts";
import type { Check } from "../../src/harness/check.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import { sameAsRead } from "../../src/model/filling.ts";
import { isObject, member } from "../../src/model/json.ts";
import { parseRfc3339 } from "../../src/model/timestamp.ts";
import { adminCheck } from "./check.ts";
import { createFacts } from "./facts.ts";
import { onBench } from "./keeping.ts";
import { fieldFacts, knownBroken } from "./fields.ts";
import { bare, update } from "./instances.ts";
import { bodyOf, FIELDS } from "./reading.ts";
import { addedTo, newName, removedFrom, stateDifferences, updateAndJudge } from "./update.ts";

/** How often a settled instance is read: a right read does not heal a wrong one. */
const READS = { smoke: 1, release: 3, nightly: 6 };

const settled = adminCheck({
  slug: "settled",
  title: "instances that nobody updated read the same when everything has settled",
  clauses: ["admin-4.GET"],
  phase: "closing",
  async run(t) {
    const { views } = await t.use(createFacts);
    const { onRead } = await t.use(fieldFacts);
    const instances = [
      { instance: await t.use(bare), body: onRead.body },
      ...views.map(({ instance, exchange }) => ({ instance, body: bodyOf(exchange, "admin-4.GET").body })),
    ];
    const settle = t.run.patience("admin");
    await Promise.all(
      instances.map(async ({ instance, body }) => {
        if (body === null) return;
        const wait = instance.lastWriteAt + settle.windowMs - performance.now();
        if (wait > 0) await t.run.pause(wait + 1);
        for (let read = 0; read < t.pick(READS); read += 1) {
          const exchange = await t.admin.read(instance.name);
          t.judge("admin-4.GET", changes(body, exchange), { exchanges: [exchange] });
          if (!isSuccess(exchange)) return;
        }
      }),
    );
    if (!t.judged.has("admin-4.GET")) return t.inconclusive("precondition: no instance could be read before");
  },
});

/** What differs between an instance object and a later read of it, though nobody wrote the instance. */
function changes(before: Readonly<Record<string, unknown>>, exchange: Answered): Difference[] {
  const { body, differences } = bodyOf(exchange, "admin-4.GET");
  if (body === null) return differences;
  // Which other values a status takes, and when, is not shown.
  const fields = [...FIELDS.filter((field) => field !== "status"), "created_at"].filter(
    (field) => canonical(before[field]) !== canonical(body[field]),
  );
  return [
    ...fields.map((field): Difference => ({
      clause: "admin-4.GET",
      path: field,
      expected: `${show(before[field])}, as before`,
      actual: show(body[field]),
    })),
    ...limitChanges(member(before, "limits"), member(body, "limits")),
  ];
}

/** A field's value by which it is compared: a timestamp by its instant, in whatever zone it is printed. */
function canonical(value: unknown): string | undefined {
  const stamp = typeof value === "string" ? parseRfc3339(value) : null;
  return stamp === null ? JSON.stringify(value) : stamp.epochNs.toString();
}

function limitChanges(before: unknown, after: unknown): Difference[] {
  if (!isObject(before) || !isObject(after)) {
    return JSON.stringify(before) === JSON.stringify(after)
      ? []
      : [{ clause: "admin-4.GET", path: "limits", expected: `${show(before)}, as before`, actual: show(after) }];
  }
  return LIMIT_NAMES.filter((name) => !sameAsRead(name, before[name], after[name])).map((name) => ({
    clause: "admin-4.GET",
    path: `limits.${name}`,
    expected: `${show(before[name])}, as before`,
    actual: show(after[name]),
  }));
}

const ADDED = { ingestion_rate: 54_321, max_series_per_query: 12_345, accept_ha_samples: true } as const;

/** An update that was answered and read right must still hold once everything has settled. */
function settledUpdate(clause: "admin-4.2" | "admin-4.3", title: string, limits: Limits | undefined): Check {
  return adminCheck({
    slug: "settled",
    title,
    clauses: [clause],
    phase: "closing",
    profiles: ["release", "nightly"],
    run: (t) =>
      onBench(t, async (bench) => {
        // Removal is of limits that are there, adding to an instance that has none.
        const before = await update(t, bench.instance, newName(t), limits === undefined ? ADDED : undefined);
        if (!isSuccess(before)) return t.inconclusive(`precondition: an update was answered ${statusOf(before)} (see admin-4.PUT)`);
        bench.bare = limits !== undefined;
        const expected = { displayName: newName(t), limits: limits === undefined ? await removedFrom(t) : await addedTo(t, limits) };
        const first = await updateAndJudge(t, bench, expected, limits, clause);
        if (first.differences.length > 0)
          return t.inconclusive("precondition: the update does not hold at first either (see admin-4.PUT, admin-4.2 and admin-4.3)");
        const settle = t.run.patience("admin");
        const known = await knownBroken(t);
        await t.run.pause(Math.max(0, bench.instance.lastWriteAt + settle.windowMs - performance.now()) + 1);
        for (let read = 0; read < t.pick(READS); read += 1) {
          const exchange = await t.admin.read(bench.instance.name);
          const { body, differences } = bodyOf(exchange, "admin-4.GET");
          t.judge(clause, body === null ? differences : stateDifferences(bench, expected, body, known), { exchanges: [exchange] });
        }
      }),
  });
}

export const SETTLED_CHECKS: readonly Check[] = [
  settled,
  settledUpdate("admin-4.2", "removed limits stay removed when everything has settled", undefined),
  settledUpdate("admin-4.3", "added limits and the new name stay when everything has settled", ADDED),
];

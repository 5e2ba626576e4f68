/** Instances that nobody has written since they were created are still what they were when everything has settled. */
import { type Answered, isSuccess } from "../../src/client/exchange.ts";
import { LIMIT_NAMES } from "../../src/contract/limits.ts";
import type { Check } from "../../src/harness/check.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import { sameAsRead } from "../../src/model/filling.ts";
import { isObject, member } from "../../src/model/json.ts";
import { parseRfc3339 } from "../../src/model/timestamp.ts";
import { adminCheck } from "./check.ts";
import { createFacts } from "./facts.ts";
import { fieldFacts } from "./fields.ts";
import { bare } from "./instances.ts";
import { bodyOf, FIELDS } from "./reading.ts";

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
  const fields = [...FIELDS, "created_at"].filter((field) => canonical(before[field]) !== canonical(body[field]));
  return [
    ...fields.map((field): Difference => ({ clause: "admin-4.GET", path: field, expected: `${show(before[field])}, as before`, actual: show(body[field]) })),
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
  return LIMIT_NAMES.filter((name) => !sameAsRead(name, before[name], after[name])).map((name) => ({ clause: "admin-4.GET", path: `limits.${name}`, expected: `${show(before[name])}, as before`, actual: show(after[name]) }));
}

export const SETTLED_CHECKS: readonly Check[] = [settled];

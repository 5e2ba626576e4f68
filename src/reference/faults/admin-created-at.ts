/** Faults of servers that show a wrong created_at (docs/1 section 2). */
import { rfc3339 } from "../admin/created-at.ts";
import type { ReadContext } from "../admin/base.ts";
import { without } from "../change.ts";
import { isJsonObject, type Json, type JsonObject } from "../http/message.ts";
import { fault, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

const CLAUSE = "admin-2.field.created_at";
const TIME = "admin-2.created-at-time";
const UNCHANGED = "admin-2.created-at-unchanged";
const HOUR_NS = 3_600_000_000_000n;

function printed(id: string, sentence: string, print: (ns: bigint, context: ReadContext) => Json, clause = CLAUSE): Fault {
  return fault(clause, id, sentence, () => ({ formatCreatedAt: print }));
}

function leftOut(id: string, sentence: string, operation: ReadContext["operation"]): Fault {
  return wrongResult("presentInstance", CLAUSE, id, sentence, (body, _instance, _presented, context) => {
    const rest = context.operation === operation ? without(body, "created_at") : body;
    return isJsonObject(rest) ? rest : body;
  });
}

export const ADMIN_CREATED_AT_FAULTS: readonly Fault[] = [
  leftOut("admin-created-at-not-on-read", "created_at is missing in the response to a read.", "read"),
  leftOut("admin-created-at-not-on-update", "created_at is missing in the response to an update.", "update"),

  printed("admin-created-at-milliseconds", "created_at is precise to the millisecond only.", (ns) =>
    new Date(Number(ns / 1_000_000n)).toISOString(),
  ),

  printed("admin-created-at-tomorrow", "created_at is one day late.", (ns) => rfc3339(ns + 26n * HOUR_NS), TIME),
  printed("admin-created-at-zero", "created_at is always the year 1.", () => "0001-01-01T00:00:00.000000001Z", TIME),
  fault(
    UNCHANGED,
    "admin-created-at-unpadded-on-update",
    "The response to an update shows milliseconds, microseconds and nanoseconds one after the other, without leading zeros.",
    () => ({
      formatCreatedAt: (ns, { operation }) =>
        operation === "update"
          ? rfc3339(ns).replace(/\.(\d{3})(\d{3})(\d{3})/, (_whole, ...parts) => `.${parts.slice(0, 3).map(Number).join("")}`)
          : rfc3339(ns),
    }),
  ),
  fault(TIME, "admin-created-at-of-the-start", "created_at is the time at which the service started.", (base, { options }) => {
    const startedAtNs = BigInt(Math.floor(options.now())) * 1_000_000n + 345_678n;
    return { createInstance: (payload, limits) => base.createInstance(payload, limits, startedAtNs) };
  }),

  fault(UNCHANGED, "admin-created-at-moves-on-update", "An update sets created_at to the time of the update.", (base) => ({
    updateInstance: (old, payload, limits, nowNs) => ({ ...base.updateInstance(old, payload, limits, nowNs), createdAtNs: nowNs }),
  })),
  fault(
    UNCHANGED,
    "admin-created-at-moves-with-first-limits",
    "If an update removes the limits an instance was created with, its response shows the time of the update as created_at.",
    (base, { options }) => {
      const born = new Set<string>();
      return {
        createInstance: (payload, limits, createdAtNs) => {
          const made = base.createInstance(payload, limits, createdAtNs);
          if (limits !== undefined) born.add(made.name);
          return made;
        },
        presentInstance: (instance, presented, context): JsonObject => {
          const body = base.presentInstance(instance, presented, context);
          const taken = context.operation === "update" && instance.limits === undefined && born.delete(instance.name);
          return taken ? { ...body, created_at: rfc3339(BigInt(Math.floor(options.now())) * 1_000_000n + 234_567n) } : body;
        },
      };
    },
  ),
  wrongResult(
    "updateInstance",
    UNCHANGED,
    "admin-created-at-moves-over-limits",
    "An update of limits over limits sets created_at to the time of the update.",
    (next, old, _payload, limits, nowNs) => ({
      ...next,
      ...(limits === undefined || old.limits === undefined ? {} : { createdAtNs: nowNs }),
    }),
  ),

  fault(
    UNCHANGED,
    "admin-created-at-now-on-update",
    "The response to an update shows the time of the update as created_at. Reads show the right time.",
    (_base, { options }) => ({
      formatCreatedAt: (ns, { operation }) => rfc3339(operation === "update" ? BigInt(options.now()) * 1_000_000n + 123_457n : ns),
    }),
  ),
];

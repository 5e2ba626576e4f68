/** Faults of servers that store a wrong result of an update, although the response to the update is right (docs/1 section 4). */
import { counter } from "../change.ts";
import { isJsonObject } from "../http/message.ts";
import { fault, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

const RETENTION = "compactor_blocks_retention_period";

export const STORED_UPDATE_FAULTS: readonly Fault[] = [
  wrongResult(
    "replaceLimits",
    "admin-2.retention-format",
    "admin-put-no-retention-is-unset",
    "An update over limits with a retention period of zero keeps the previous period.",
    (next, old, requested) => {
      const isNone = requested[RETENTION] === "0d";
      return next !== undefined && isNone ? { ...next, [RETENTION]: old[RETENTION] ?? null } : next;
    },
  ),
  fault("admin-4.PUT", "admin-update-not-stored", "The response to a PUT is right, but the update is not stored.", (base) => ({
    storeInstance: (next, context) => (context.operation === "update" ? undefined : base.storeInstance(next, context)),
  })),
  fault("admin-4.PUT", "admin-update-every-third-lost", "Every third PUT is answered with success and not stored.", (base) => {
    const count = counter();
    return {
      storeInstance: (next, context) =>
        context.operation === "update" && count("update") % 3 === 0 ? undefined : base.storeInstance(next, context),
    };
  }),
  fault(
    "admin-4.PUT",
    "admin-update-after-refusal-ignored",
    "After a refused update of an instance, the limits of its next update over limits are ignored.",
    (base) => {
      const refused = new Set<string>();
      return {
        respond: (given, request, route) => {
          const reply = base.respond(given, request, route);
          if (route?.operation === "admin.update" && reply.status === 400) refused.add(route.name);
          return reply;
        },
        replaceLimits: (old, requested, defaults, context) =>
          refused.delete(context.name) ? old : base.replaceLimits(old, requested, defaults, context),
      };
    },
  ),
  wrongResult("updateInstance", "admin-4.PUT", "admin-update-keeps-display-name", "A PUT does not change display_name.", (next, old) => ({
    ...next,
    display_name: old.display_name,
  })),
  fault("admin-4.PUT", "admin-update-limits-only", "A PUT with limits does not change display_name.", (base) => ({
    updateInstance: (old, payload, limits, nowNs) => ({
      ...base.updateInstance(old, payload, limits, nowNs),
      ...(isJsonObject(payload["limits"]) ? { display_name: old.display_name } : {}),
    }),
  })),
  fault(
    { clause: "admin-4.PUT", also: ["admin-4.GET"] },
    "admin-update-reaches-namesake",
    "A PUT changes the instance with the longest name that begins with the given name.",
    (base, { instances }) => ({
      findInstance: (versions, context) => {
        if (context.operation !== "update") return base.findInstance(versions, context);
        const [longest] = instances
          .all()
          .filter(({ name }) => name.startsWith(context.name))
          .toSorted((one, other) => other.name.length - one.name.length);
        return longest;
      },
    }),
  ),
  fault(
    { clause: "admin-4.GET", also: ["admin-4.PUT"] },
    "admin-update-limits-leak",
    "The limits of a PUT also change the instance that was updated before.",
    (base, { instances, options }) => {
      let before: string | undefined;
      return {
        storeInstance: (next, context) => {
          const other = before === undefined || before === context.name ? undefined : instances.versions(before).at(-1)?.instance;
          if (context.operation === "update" && context.sent !== undefined) {
            if (other?.limits !== undefined) instances.write({ ...other, limits: { ...other.limits, ...context.sent } }, options.now());
            before = context.name;
          }
          return base.storeInstance(next, context);
        },
      };
    },
  ),
  fault(
    "admin-4.PUT-over-limits",
    "admin-over-limits-ignored",
    "A PUT with limits to an instance with limits leaves its limits unchanged.",
    () => ({ replaceLimits: (old) => old }),
  ),
  fault(
    "admin-4.PUT-over-limits",
    "admin-over-limits-new-only",
    "A PUT with limits to an instance with limits changes only limits that were at their default.",
    () => ({
      replaceLimits: (old, requested, defaults) => ({
        ...old,
        ...Object.fromEntries(Object.entries(requested).filter(([name]) => JSON.stringify(old[name]) === JSON.stringify(defaults[name]))),
      }),
    }),
  ),
  fault(
    "admin-4.PUT",
    "admin-over-limits-answered-reset",
    "The response to a PUT over limits shows the other limits at their defaults. The stored limits are unchanged.",
    (base) => ({
      storeInstance: (next, context) => {
        const { previous, sent, operation } = context;
        const isOver = operation === "update" && sent !== undefined && previous?.limits !== undefined;
        return base.storeInstance(isOver ? { ...next, limits: { ...previous.limits, ...sent } } : next, context);
      },
    }),
  ),
  fault("admin-4.PUT-over-limits", "admin-over-limits-refused", "A PUT with limits to an instance with limits is refused.", (base) => ({
    checkLimit: (name, value, context) =>
      context.previous?.limits === undefined ? base.checkLimit(name, value, context) : "remove the limits first",
  })),
  wrongResult(
    "storeInstance",
    "admin-4.PUT",
    "admin-update-same-name-skipped",
    "A PUT with an unchanged display name is answered with success and not carried out.",
    (stored, next, context) => (context.previous?.display_name === next.display_name ? context.previous : stored),
  ),
  fault(
    // If one read shows the update and a later read does not, the instance seems to change without an update, which violates another clause
    // too.
    { clause: "admin-4.PUT", settleMs: 1_000, also: ["admin-4.GET"] },
    "admin-update-rolled-back",
    "An update is undone 50 ms later.",
    (base) => ({
      findInstance: (versions, context) => {
        const [first, last] = [versions[0], versions.at(-1)];
        if (first === undefined || last === undefined || context.operation !== "read" || context.nowMs - last.atMs <= 50)
          return base.findInstance(versions, context);
        return first.instance;
      },
    }),
  ),
];

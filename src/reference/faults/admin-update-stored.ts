/** Faults of the stored result of an update. The response to the update is right (docs/1 section 4). */
import { counter } from "../change.ts";
import { isJsonObject } from "../http/message.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

const RETENTION = "compactor_blocks_retention_period";

export const STORED_UPDATE_FAULTS: readonly Fault[] = [
  fault(
    "admin-4.PUT-over-limits",
    "admin-put-zero-is-unset",
    "A limit that an update over limits sets to a zero value keeps the old one.",
    (base) => ({
      replaceLimits: (old, requested, defaults, context) => {
        const next = base.replaceLimits(old, requested, defaults, context);
        const zeros = Object.keys(requested).filter((name) => [0, "", false, "0s", "0d"].includes(requested[name] as never));
        return next === undefined ? next : { ...next, ...Object.fromEntries(zeros.map((name) => [name, old[name] ?? null])) };
      },
    }),
  ),
  fault(
    "admin-2.retention-format",
    "admin-put-no-retention-is-unset",
    "A retention of no time that an update over limits sets keeps the old one.",
    (base) => ({
      replaceLimits: (old, requested, defaults, context) => {
        const next = base.replaceLimits(old, requested, defaults, context);
        const isNone = requested[RETENTION] === "0d";
        return next !== undefined && isNone ? { ...next, [RETENTION]: old[RETENTION] ?? null } : next;
      },
    }),
  ),
  fault("admin-4.PUT", "admin-update-not-stored", "A PUT is answered as asked and not stored.", (base) => ({
    storeInstance: (next, context) => (context.operation === "update" ? undefined : base.storeInstance(next, context)),
  })),
  fault("admin-4.PUT", "admin-update-every-third-lost", "Every third PUT is answered as asked and not stored.", (base) => {
    const count = counter();
    return {
      storeInstance: (next, context) =>
        context.operation === "update" && count("update") % 3 === 0 ? undefined : base.storeInstance(next, context),
    };
  }),
  fault("admin-4.PUT", "admin-update-keeps-display-name", "A PUT does not change display_name.", (base) => ({
    updateInstance: (old, payload, limits, nowNs) => ({
      ...base.updateInstance(old, payload, limits, nowNs),
      display_name: old.display_name,
    }),
  })),
  fault("admin-4.PUT", "admin-update-limits-only", "A PUT with limits does not change display_name.", (base) => ({
    updateInstance: (old, payload, limits, nowNs) => ({
      ...base.updateInstance(old, payload, limits, nowNs),
      ...(isJsonObject(payload["limits"]) ? { display_name: old.display_name } : {}),
    }),
  })),

  fault("admin-4.PUT", "admin-update-loses-cluster", "After a PUT the stored instance has no cluster any more.", (base) => ({
    storeInstance: (next, context) => {
      const stored = base.storeInstance(next, context);
      return stored !== undefined && context.operation === "update" ? { ...stored, cluster: "" } : stored;
    },
  })),
  fault(
    "admin-4.PUT",
    "admin-update-reaches-namesake",
    "A PUT changes the instance whose name is the longest that begins with the given one.",
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
    { also: ["admin-4.GET"] },
  ),
  fault(
    "admin-4.GET",
    "admin-update-limits-leak",
    "The limits of a PUT reach the instance that was updated before it, too.",
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
    { also: ["admin-4.PUT"] },
  ),
  fault(
    "admin-4.PUT-over-limits",
    "admin-over-limits-ignored",
    "A PUT with limits on an instance that has some leaves its limits as they were.",
    () => ({ replaceLimits: (old) => old }),
  ),
  fault(
    "admin-4.PUT-over-limits",
    "admin-over-limits-new-only",
    "A PUT with limits on an instance that has some changes only those that were at their default.",
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
    "A PUT over limits is answered with the others at their defaults and leaves them as they were.",
    (base) => ({
      storeInstance: (next, context) => {
        const { previous, sent, operation } = context;
        const isOver = operation === "update" && sent !== undefined && previous?.limits !== undefined;
        return base.storeInstance(isOver ? { ...next, limits: { ...previous.limits, ...sent } } : next, context);
      },
    }),
  ),
  fault("admin-4.PUT-over-limits", "admin-over-limits-refused", "A PUT with limits on an instance that has some is refused.", (base) => ({
    checkLimit: (name, value, context) =>
      context.previous?.limits === undefined ? base.checkLimit(name, value, context) : "remove the limits first",
  })),
  fault(
    "admin-4.PUT",
    "admin-update-same-name-skipped",
    "A PUT that repeats the display name is answered and not carried out.",
    (base) => ({
      storeInstance: (next, context) =>
        context.previous?.display_name === next.display_name ? context.previous : base.storeInstance(next, context),
    }),
  ),
  fault(
    "admin-4.PUT",
    "admin-update-rolled-back",
    "What a PUT changed is back as it was a twentieth of a second later.",
    (base) => ({
      findInstance: (versions, context) => {
        const [first, last] = [versions[0], versions.at(-1)];
        if (first === undefined || last === undefined || context.operation !== "read" || context.nowMs - last.atMs <= 50)
          return base.findInstance(versions, context);
        return first.instance;
      },
    }),
    // If an instance first shows its update and later does not, then the instance changed without an update.
    { settleMs: 1_000, also: ["admin-4.GET"] },
  ),
];

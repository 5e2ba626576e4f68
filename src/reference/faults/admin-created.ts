/** Faults of instances that are created with limits: the create fills their limits wrongly, or a later update changes them wrongly. */
import type { ServerHandle } from "../behaviour.ts";
import type { Instance, LimitValues } from "../admin/state.ts";
import { counter } from "../change.ts";
import { broken, fault, type FaultDetails, faultsOf, type Row, wrongResult } from "./define.ts";
import { misread, slowed, withLimits } from "./helpers.ts";
import type { Fault } from "./types.ts";

function bornLimited({ instances }: ServerHandle, name: string): boolean {
  return instances.versions(name)[0]?.instance.limits !== undefined;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function created(sentence: string, fill: (requested: LimitValues, defaults: LimitValues) => LimitValues | "none" | undefined): Row {
  return wrongResult("fillLimits", { clause: "admin-4.1", sentence }, (filled, requested, defaults, { operation }) => {
    const wrong = operation === "create" ? fill(requested, defaults) : undefined;
    return wrong === "none" ? undefined : (wrong ?? filled);
  });
}

/** The server refreshes its limits every 400 ms instead of every minute, so that a run can see a refresh. */
const REFRESHED: FaultDetails = { options: { refreshMs: 400 }, settleMs: 1_000 };

function refreshed(sentence: string, show: (instance: Instance) => Instance | undefined): Row {
  return misread({ clause: "admin-4.GET", sentence, ...REFRESHED }, (found, { ageMs, server }) =>
    ageMs >= server.options.refreshMs ? show(found) : found,
  );
}

export const ADMIN_CREATED_FAULTS: readonly Fault[] = [
  ...faultsOf("admin-4.GET", {
    "admin-equal-limits-shared": broken(
      "Instances with equal limits share them. An update of one instance changes all of them.",
      (base) => {
        const given = new Map<string, string>();
        const changed = new Map<string, LimitValues>();
        return {
          storeInstance: (next, context) => {
            if (context.operation === "update") {
              const before = given.get(next.name);
              changed.delete(next.name);
              if (before !== undefined && next.limits !== undefined)
                for (const [name, limits] of given) if (name !== next.name && limits === before) changed.set(name, next.limits);
              if (next.limits === undefined) given.delete(next.name);
              else given.set(next.name, JSON.stringify(next.limits));
            }
            return base.storeInstance(next, context);
          },
          findInstance: (versions, context) => {
            const found = base.findInstance(versions, context);
            const limits = found === undefined ? undefined : changed.get(found.name);
            return found === undefined || limits === undefined ? found : { ...found, limits };
          },
        };
      },
    ),
    "admin-created-limits-stay": broken(
      { clause: "admin-4.2", sentence: "An update without limits does not remove the limits an instance was created with." },
      (base, server) => ({
        withoutLimits: (old, defaults, context) =>
          old !== undefined && bornLimited(server, context.name) ? old : base.withoutLimits(old, defaults, context),
      }),
    ),
    "admin-created-limited-not-renamed": broken(
      { clause: "admin-4.PUT", sentence: "Updates do not change the display name of an instance created with limits." },
      (base, server) => ({
        updateInstance: (old, payload, limits, nowNs) => {
          const next = base.updateInstance(old, payload, limits, nowNs);
          return bornLimited(server, old.name) ? { ...next, display_name: old.display_name } : next;
        },
      }),
    ),
    "admin-create-one-limit-unfilled": created("A create with one limit fills none of the others.", (requested) =>
      Object.keys(requested).length === 1 ? requested : undefined,
    ),
    "admin-create-one-limit-lost": created("A create with one limit replaces it by its default.", (requested, defaults) =>
      Object.keys(requested).length === 1 ? defaults : undefined,
    ),
    "admin-create-defaults-are-none": created(
      "A create that sends every limit at its default gives the instance no limits.",
      (requested, defaults) => (Object.keys(requested).length > 40 && same({ ...defaults, ...requested }, defaults) ? "none" : undefined),
    ),
    "admin-create-default-is-none": created(
      "A create whose limits are all at their defaults gives the instance no limits.",
      (requested, defaults) => (same({ ...defaults, ...requested }, defaults) ? "none" : undefined),
    ),
    "admin-creates-cross": broken(
      { clause: "admin-4.1", sentence: "If two creates are concurrent, the later one gets the limits of the earlier one." },
      (base) => {
        const { respond, begin } = slowed(base, ["admin.create"]);
        let before: LimitValues | undefined;
        return {
          respond,
          fillLimits: (requested, defaults, context) => {
            const crossed = context.operation === "create" && begin([context.name]).others > 0 ? before : undefined;
            if (context.operation === "create") before = requested;
            return base.fillLimits(crossed ?? requested, defaults, context);
          },
        };
      },
    ),
  }),
  ...([20, 32, 50] as const).map((nth) =>
    fault(
      "admin-4.PUT",
      `admin-update-${nth}-lost`,
      `The ${nth}${nth === 32 ? "nd" : "th"} update of an instance is answered with success and not stored.`,
      (base) => {
        const count = counter();
        return {
          storeInstance: (next, context) =>
            context.operation === "update" && count(context.name) === nth ? undefined : base.storeInstance(next, context),
        };
      },
    ),
  ),
  ...faultsOf("admin-4.PUT", {
    "admin-updates-cross": broken(
      "If two updates of different instances are concurrent, the later one stores the display name of the earlier one.",
      (base) => {
        const { respond, begin } = slowed(base, ["admin.update"]);
        let before = "";
        return {
          respond,
          storeInstance: (next, context) => {
            if (context.operation !== "update") return base.storeInstance(next, context);
            const { same: own, others } = begin([context.name]);
            const stored = base.storeInstance(next, context);
            const crossed = !own && others > 0 && stored !== undefined ? { ...stored, display_name: before } : stored;
            before = next.display_name;
            return crossed;
          },
        };
      },
    ),
    "admin-updates-at-once-lost": broken("If more than two updates are concurrent, only the first two are stored.", (base) => {
      const { respond, begin } = slowed(base, ["admin.update"]);
      return {
        respond,
        storeInstance: (next, context) =>
          context.operation === "update" && begin([context.name]).others > 1 ? undefined : base.storeInstance(next, context),
      };
    }),
    "admin-refresh-vanishes": refreshed("Instances are not found after the service has refreshed its limits.", () => undefined),
    "admin-refresh-loses-limits": refreshed("Instances have no limits after the service has refreshed them.", (found) =>
      withLimits(found, undefined),
    ),
    "admin-refresh-loses-rate": refreshed("After the service has refreshed its limits, ingestion_rate is the default again.", (found) =>
      withLimits(found, found.limits && { ...found.limits, ingestion_rate: 350_000 }),
    ),
  }),
];

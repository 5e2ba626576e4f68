/** Faults of a service that has many instances, or is sent many requests of one instance or for several at the same time. */
import type { Behaviour } from "../behaviour.ts";
import { fault } from "./define.ts";
import { slowed } from "./overlapping.ts";
import type { Fault } from "./types.ts";

/** Places of a table of instances. */
const PLACES = 32;

export const ADMIN_CROWD_FAULTS: readonly Fault[] = [
  fault(
    "admin-4.GET",
    "admin-table-of-32",
    "Instances stand in a table of 32 places: the 33rd takes the place of the first, and is read in its stead.",
    (base, { instances }) => ({
      findInstance: (versions, context) => {
        const all = instances.all();
        const place = all.findIndex(({ name }) => name === context.name);
        if (context.operation !== "read" || place < 0) return base.findInstance(versions, context);
        const last = place + PLACES * Math.floor((all.length - 1 - place) / PLACES);
        return base.findInstance(instances.versions(all[last]?.name ?? context.name), context);
      },
    }),
  ),
  fault(
    "admin-4.POST",
    "admin-creates-at-once-vanish",
    "Of creates at the same time that follow the first two only one is kept, though all are answered with success.",
    (base, { instances }) => {
      const { respond, begin } = slowed(base, ["admin.create"]);
      return {
        respond,
        storeInstance: (next, context) => {
          if (context.operation !== "create") return base.storeInstance(next, context);
          const { others } = begin([next.name]);
          return others > 0 && instances.all().length >= 2 ? undefined : base.storeInstance(next, context);
        },
      };
    },
  ),
  fault(
    "admin-4.PUT",
    "admin-read-refilled-kept",
    "The first read after an update fills a cache; where another update comes meanwhile, it fills it with what was there before.",
    (base) => {
      const { respond, begin, busy } = slowed(base, ["admin.read"]);
      const filled = new Set<string>();
      const stale = new Map<string, ReturnType<Behaviour["findInstance"]>>();
      return {
        respond,
        findInstance: (versions, context) => {
          if (context.operation !== "read") return base.findInstance(versions, context);
          if (!filled.has(context.name)) begin([context.name]);
          filled.add(context.name);
          return stale.get(context.name) ?? base.findInstance(versions, context);
        },
        storeInstance: (next, context) => {
          if (context.operation === "update" && busy(next.name)) stale.set(next.name, context.previous);
          else stale.delete(next.name);
          filled.delete(next.name);
          return base.storeInstance(next, context);
        },
      };
    },
  ),
];

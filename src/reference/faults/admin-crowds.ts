/** Faults of a server with many instances, or with many concurrent requests for one or several instances. */
import type { Instance } from "../admin/state.ts";
import { fault } from "./define.ts";
import { slowed } from "./overlapping.ts";
import type { Fault } from "./types.ts";

/** The number of places in the hash table in which the faulty server keeps its instances. */
const PLACES = 32;

/** A server that caches the `size` instances that were used last. If `isForgotten` is true, new limits are written to the cache only. */
function onlyCached(size: number, isForgotten: (next: Instance, previous: Instance | undefined) => boolean): Fault["change"] {
  return (base) => {
    /** The cached names, the last used at the end, with the stored instance if it differs from the cached one. */
    const cached = new Map<string, Instance | undefined>();
    const returned = new Map<string, Instance>();
    const use = (name: string, stored: Instance | undefined): void => {
      cached.delete(name);
      cached.set(name, stored);
      const [oldest] = cached;
      if (cached.size <= size || oldest === undefined) return;
      cached.delete(oldest[0]);
      if (oldest[1] !== undefined) returned.set(oldest[0], oldest[1]);
    };
    return {
      storeInstance: (next, context) => {
        returned.delete(next.name);
        use(next.name, isForgotten(next, context.previous) ? context.previous : undefined);
        return base.storeInstance(next, context);
      },
      findInstance: (versions, context) => {
        const shown = base.findInstance(versions, context);
        if (context.operation !== "read" || shown === undefined) return shown;
        const stored = returned.get(shown.name);
        use(shown.name, cached.get(shown.name));
        if (stored === undefined) return shown;
        const { limits: _cached, ...rest } = shown;
        return stored.limits === undefined ? rest : { ...rest, limits: stored.limits };
      },
    };
  };
}

export const ADMIN_CROWD_FAULTS: readonly Fault[] = [
  fault(
    "admin-4.GET",
    "admin-table-of-32",
    "Instances are kept in a table of 32 slots. The 33rd instance replaces the first, and reads of the first show it.",
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
    "admin-4.2",
    "admin-removals-in-a-cache-of-24",
    "Limits are removed from a cache of the 24 instances used last, but not from the store behind it.",
    onlyCached(24, ({ limits }, previous) => limits === undefined && previous?.limits !== undefined),
  ),
  fault(
    "admin-4.POST",
    "admin-creates-at-once-vanish",
    "If more than two creates are concurrent, only one of the others is stored. All are answered with success.",
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
];

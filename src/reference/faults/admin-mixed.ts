/** Faults of a server that confuses instances, bodies or paths, fails with many instances, or shows an old state after some time. */
import type { Instance } from "../admin/state.ts";
import { broken, faultsOf, type Row, wrongResult } from "./define.ts";
import { misread, slowed, withLimits } from "./helpers.ts";
import type { Fault } from "./types.ts";

const REPLAYED_MS = 5_000;

/** A fault: the server takes an update for a retry of an update with the same body, if `isRepeat` is true for the two instance names. */
function replayed(sentence: string, isRepeat: (before: string, name: string, hasLimits: boolean) => boolean): Row {
  return broken({ clause: "admin-4.PUT", sentence }, (base, { options }) => {
    const seen = new Map<string, { readonly name: string; readonly atMs: number }>();
    return {
      storeInstance: (next, context) => {
        if (context.operation !== "update") return base.storeInstance(next, context);
        const body = JSON.stringify(context.payload);
        const before = seen.get(body);
        seen.set(body, { name: next.name, atMs: options.now() });
        const isSame = before !== undefined && isRepeat(before.name, next.name, context.sent !== undefined);
        const isReplay = isSame && options.now() - before.atMs < REPLAYED_MS;
        return isReplay ? undefined : base.storeInstance(next, context);
      },
    };
  });
}

/** Reads of this faulty server are right until this number of ms after the last write, and wrong afterwards. */
const LATER_MS = 300;

/** The number of places in the hash table in which the faulty server keeps its instances. */
const PLACES = 32;

export const ADMIN_MIXED_FAULTS: readonly Fault[] = faultsOf("admin-4.PUT-over-limits", {
  "admin-put-replay-by-instance": replayed(
    "An update is taken for a repeat if the body equals an earlier body of the same instance. It is not carried out.",
    (before, name) => before === name,
  ),
  "admin-put-replay-with-limits": replayed(
    "An update with limits is taken for a repeat if the body equals the body of an update of another instance. It is not carried out.",
    (before, name, hasLimits) => before !== name && hasLimits,
  ),
  "admin-put-equal-body-clears": broken(
    "An update over limits removes the limits if its body equals that of the previous update over limits of the instance.",
    (base) => {
      const last = new Map<string, string>();
      return {
        replaceLimits: (old, requested, defaults, context) => {
          const [body, before] = [JSON.stringify(context.payload), last.get(context.name)];
          last.set(context.name, body);
          return body === before ? undefined : base.replaceLimits(old, requested, defaults, context);
        },
      };
    },
  ),
  "admin-get-path-word": wrongResult(
    "findInstance",
    { clause: "admin-4.GET", sentence: "An instance whose name contains the path word `instances` is not found." },
    (found, _versions, { name }) => (name.includes("instances") ? undefined : found),
  ),
  "admin-added-gone-later": misread(
    { clause: "admin-4.3", sentence: "Limits added to an instance without limits are gone a third of a second later." },
    (found, { before, ageMs }) =>
      before !== undefined && before.limits === undefined && ageMs >= LATER_MS ? withLimits(found, undefined) : found,
  ),
  "admin-removed-back-later": misread(
    { clause: "admin-4.2", sentence: "Removed limits are there again a third of a second later." },
    (found, { before, ageMs }) => (found.limits === undefined && ageMs >= LATER_MS ? withLimits(found, before?.limits) : found),
  ),
  "admin-display-name-back-later": misread(
    { clause: "admin-4.PUT", sentence: "A third of a second after an update, reads show the earlier display name again." },
    (found, { before, ageMs }) => (before === undefined || ageMs < LATER_MS ? found : { ...found, display_name: before.display_name }),
  ),
  "admin-overwritten-back-later": misread(
    { sentence: "A third of a second after an update over limits, reads show the earlier limits again.", also: ["admin-4.GET"] },
    (found, { before, ageMs }) =>
      before?.limits === undefined || found.limits === undefined || ageMs < LATER_MS ? found : { ...found, limits: before.limits },
  ),

  "admin-table-of-32": broken(
    {
      clause: "admin-4.GET",
      sentence: "Instances are kept in a table of 32 slots. The 33rd instance replaces the first, and reads of the first show it.",
    },
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
  "admin-removals-in-a-cache-of-24": broken(
    { clause: "admin-4.2", sentence: "Limits are removed from a cache of the 24 instances used last, but not from the store behind it." },
    (base) => {
      /** The cached names, in the order of their last use. Each has the stored instance, if that differs from the cached one. */
      const cached = new Map<string, Instance | undefined>();
      const returned = new Map<string, Instance>();
      const use = (name: string, stored: Instance | undefined): void => {
        cached.delete(name);
        cached.set(name, stored);
        const [oldest] = cached;
        if (cached.size <= 24 || oldest === undefined) return;
        cached.delete(oldest[0]);
        if (oldest[1] !== undefined) returned.set(oldest[0], oldest[1]);
      };
      return {
        storeInstance: (next, context) => {
          returned.delete(next.name);
          use(next.name, next.limits === undefined && context.previous?.limits !== undefined ? context.previous : undefined);
          return base.storeInstance(next, context);
        },
        findInstance: (versions, context) => {
          const shown = base.findInstance(versions, context);
          if (context.operation !== "read" || shown === undefined) return shown;
          const stored = returned.get(shown.name);
          use(shown.name, cached.get(shown.name));
          return stored === undefined ? shown : withLimits(shown, stored.limits);
        },
      };
    },
  ),
  "admin-creates-at-once-vanish": broken(
    {
      clause: "admin-4.POST",
      sentence: "If more than two creates are concurrent, only one of the others is stored. All are answered with success.",
    },
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
});

/** The faulty server shows removed limits again between these two times, as fractions of the refresh period. */
const BACK = { from: 0.15, to: 0.9 } as const;

/** Faults with valid inputs that clients seldom send. A legal server may refuse some of these inputs. */
export const ADMIN_UNTRIED_FAULTS: readonly Fault[] = faultsOf("admin-2.field.name", {
  "admin-name-underscore-any": misread("In a read, an underscore in a name matches any character.", (found, { name: asked, server }) => {
    const pattern = new RegExp(`^${asked.replaceAll(".", "\\.").replaceAll("_", ".")}$`);
    return server.instances.all().findLast(({ name }) => pattern.test(name)) ?? found;
  }),
  "admin-removed-back-until-refresh": misread(
    {
      clause: "admin-4.2",
      sentence: "Removed limits are shown again some seconds later, until the service refreshes its limits.",
      options: { refreshMs: 500 },
      needs: "nightly",
    },
    (found, { before, ageMs, server }) => {
      const age = ageMs / server.options.refreshMs;
      return found.limits !== undefined || age < BACK.from || age > BACK.to ? found : withLimits(found, before?.limits);
    },
  ),
});

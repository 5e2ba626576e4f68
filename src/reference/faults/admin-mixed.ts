/** Faults of a server that confuses two things: a value and no value, two request bodies, two limits, or two paths. */

import type { Instance } from "../admin/state.ts";
import type { Behaviour } from "../behaviour.ts";
import { fault, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

const REPLAYED_MS = 5_000;

/** A server that takes an update for a repeat of one with the same body, if `isRepeat` is true for the two instance names. */
function replayed(id: string, sentence: string, isRepeat: (before: string, name: string, hasLimits: boolean) => boolean): Fault {
  return fault("admin-4.PUT", id, sentence, (base, { options }) => {
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

const WRITES: readonly Fault[] = [
  replayed(
    "admin-put-replay-by-instance",
    "An update is taken for a repeat if the body equals an earlier body of the same instance. It is not carried out.",
    (before, name) => before === name,
  ),
  replayed(
    "admin-put-replay-with-limits",
    "An update with limits is taken for a repeat if the body equals the body of an update of another instance. It is not carried out.",
    (before, name, hasLimits) => before !== name && hasLimits,
  ),
  fault(
    "admin-4.PUT-over-limits",
    "admin-put-equal-body-clears",
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
];

/** Reads of this faulty server are wrong if they come later than this number of ms after the last write. Earlier reads are right. */
const LATER_MS = 300;

const READS: readonly Fault[] = [
  fault("admin-4.GET", "admin-get-path-word", "An instance whose name contains the path word `instances` is not found.", (base) => ({
    findInstance: (versions, context) => (context.name.includes("instances") ? undefined : base.findInstance(versions, context)),
  })),
  wrongResult(
    "findInstance",
    "admin-4.3",
    "admin-added-gone-later",
    "Limits added to an instance without limits are gone a third of a second later.",
    (found, versions, context) => {
      const last = versions.at(-1);
      const before = versions.at(-2);
      const wereAdded = last?.instance.limits !== undefined && before !== undefined && before.instance.limits === undefined;
      if (found === undefined || !wereAdded || context.operation !== "read" || context.nowMs - last.atMs < LATER_MS) return found;
      const { limits: _limits, ...rest } = found;
      return rest;
    },
  ),
  fault("admin-4.2", "admin-removed-back-later", "Removed limits are there again a third of a second later.", (base) => ({
    findInstance: (versions, context) => {
      const found = base.findInstance(versions, context);
      const [before, last] = versions.slice(-2);
      const old = before?.instance.limits;
      if (found === undefined || last === undefined || old === undefined || found.limits !== undefined) return found;
      return context.operation === "read" && context.nowMs - last.atMs >= LATER_MS ? { ...found, limits: old } : found;
    },
  })),
];

/** A faulty server whose reads, a third of a second after the last update, show a part of the instance before that update. */
function reverted(part: (before: Instance, last: Instance) => Partial<Instance>): (base: Behaviour) => Partial<Behaviour> {
  return (base) => ({
    findInstance: (versions, context) => {
      const found = base.findInstance(versions, context);
      const [before, last] = versions.slice(-2);
      if (found === undefined || before === undefined || last === undefined || context.operation !== "read") return found;
      return context.nowMs - last.atMs < LATER_MS ? found : { ...found, ...part(before.instance, last.instance) };
    },
  });
}

const REVERTING: readonly Fault[] = [
  fault(
    "admin-4.PUT",
    "admin-display-name-back-later",
    "A third of a second after an update, reads show the earlier display name again.",
    reverted(({ display_name }) => ({ display_name })),
  ),
  fault(
    { clause: "admin-4.PUT-over-limits", also: ["admin-4.GET"] },
    "admin-overwritten-back-later",
    "A third of a second after an update over limits, reads show the earlier limits again.",
    reverted(({ limits }, last) => (limits === undefined || last.limits === undefined ? {} : { limits })),
  ),
];

export const ADMIN_MIXED_FAULTS: readonly Fault[] = [...WRITES, ...READS, ...REVERTING];

/** Faults of a server that confuses two things: a value and no value, two request bodies, two rows, or two paths. */
import type { LimitValues } from "../admin/state.ts";
import type { Behaviour } from "../behaviour.ts";
import type { Json } from "../http/message.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

function isNothing(value: Json): boolean {
  return value === null || value === 0 || value === false || value === "";
}

function isAllNothing(limits: LimitValues): boolean {
  return Object.values(limits).every(isNothing);
}

const VALUES: readonly Fault[] = [
  fault(
    "admin-4.PUT-over-limits",
    "admin-over-nothing-removes",
    "An update over limits removes them if its limits are all 0, false, empty or null.",
    (base) => ({
      replaceLimits: (old, requested, defaults, context) =>
        isAllNothing(requested) ? undefined : base.replaceLimits(old, requested, defaults, context),
    }),
  ),
];

const REPLAYED_MS = 5_000;

/** A server that answers an update as a repeat of an earlier update with the same body. `isRepeat` compares the two instance names. */
function replayed(id: string, sentence: string, isRepeat: (before: string, name: string) => boolean): Fault {
  return fault("admin-4.PUT", id, sentence, (base, { options }) => {
    const seen = new Map<string, { readonly name: string; readonly atMs: number }>();
    return {
      storeInstance: (next, context) => {
        if (context.operation !== "update") return base.storeInstance(next, context);
        const body = JSON.stringify(context.payload);
        const before = seen.get(body);
        seen.set(body, { name: next.name, atMs: options.now() });
        const isReplay = before !== undefined && isRepeat(before.name, next.name) && options.now() - before.atMs < REPLAYED_MS;
        return isReplay ? undefined : base.storeInstance(next, context);
      },
    };
  });
}

const WRITES: readonly Fault[] = [
  replayed(
    "admin-put-replay-by-body",
    "An update is taken for a repeat if the body was just sent to another instance. It is not carried out.",
    (before, name) => before !== name,
  ),
  replayed(
    "admin-put-replay-by-instance",
    "An update is taken for a repeat if the body equals an earlier body of the same instance. It is not carried out.",
    (before, name) => before === name,
  ),
  fault(
    "admin-4.PUT",
    "admin-put-rows-alike",
    "An update of the first instance also renames the instances whose numbers begin with its number.",
    (base, { instances, options }) => ({
      storeInstance: (next, context) => {
        const rows = instances.all();
        if (context.operation === "update" && rows[0]?.name === next.name)
          for (const row of rows.slice(9, 19)) instances.write({ ...row, display_name: next.display_name }, options.now());
        return base.storeInstance(next, context);
      },
    }),
  ),
];

/** The fault shows only this long after the write, in ms. So the reads directly after the write are right. */
const LATER_MS = 300;

/** The size of the record of one instance, in bytes. */
const RECORD_BYTES = 2_048;

function isAtHand(...[versions, context]: Parameters<Behaviour["findInstance"]>): boolean {
  return context.nowMs - (versions.at(-1)?.atMs ?? 0) < LATER_MS;
}

/** A server that stores another display name than the one sent. For a while, reads come from memory and show the sent name. */
function readLater(id: string, sentence: string, kept: (name: string) => string): Fault {
  return fault("admin-4.GET", id, sentence, (base) => ({
    findInstance: (versions, context) => {
      const found = base.findInstance(versions, context);
      if (found === undefined || isAtHand(versions, context) || context.operation !== "read") return found;
      return { ...found, display_name: kept(found.display_name) };
    },
  }));
}

const READS: readonly Fault[] = [
  fault("admin-4.GET", "admin-get-path-word", "An instance whose name contains the path word `instances` is not found.", (base) => ({
    findInstance: (versions, context) => (context.name.includes("instances") ? undefined : base.findInstance(versions, context)),
  })),
  fault(
    "admin-4.3",
    "admin-added-gone-later",
    "Limits added to an instance without limits are gone a third of a second later.",
    (base) => ({
      findInstance: (versions, context) => {
        const found = base.findInstance(versions, context);
        const last = versions.at(-1);
        const before = versions.at(-2);
        const wereAdded = last?.instance.limits !== undefined && before !== undefined && before.instance.limits === undefined;
        if (found === undefined || !wereAdded || context.operation !== "read" || context.nowMs - last.atMs < LATER_MS) return found;
        const { limits: _limits, ...rest } = found;
        return rest;
      },
    }),
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
  readLater("admin-display-name-comment-later", "A third of a second after the write, a display name is cut at a blank and #.", (name) =>
    name.replace(/ #.*/s, ""),
  ),

  fault(
    "admin-4.GET",
    "admin-record-cut-later",
    "A third of a second after the write, an instance is read from a record of 2 KiB, which lacks the last limits.",
    (base) => ({
      findInstance: (versions, context) => {
        const found = base.findInstance(versions, context);
        if (found?.limits === undefined || isAtHand(versions, context) || context.operation !== "read") return found;
        let room = RECORD_BYTES - Buffer.byteLength(found.display_name);
        const kept = Object.entries(found.limits).filter(([, value]) => (room -= Buffer.byteLength(JSON.stringify(value)) + 2) >= 0);
        return { ...found, limits: Object.fromEntries(kept) };
      },
    }),
  ),
];

export const ADMIN_MIXED_FAULTS: readonly Fault[] = [...VALUES, ...WRITES, ...READS];

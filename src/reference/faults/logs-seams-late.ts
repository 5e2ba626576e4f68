/** Faults of entries that are older than what their stream holds already. */
import { counter } from "../change.ts";
import type { Entry } from "../logs/types.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

export const LOGS_SEAM_LATE_FAULTS: readonly Fault[] = [
  fault(
    "logs-4.query_range",
    "logs-seam-late-newest-time",
    "The newest time of a stream is that of its last push: a window that begins later finds nothing in it.",
    (base) => {
      const streamOf = new WeakMap<Entry, readonly Entry[]>();
      const newest = new WeakMap<readonly Entry[], bigint>();
      return {
        insertEntry: (entries, entry) => {
          streamOf.set(entry, entries);
          newest.set(entries, entry.ts);
          base.insertEntry(entries, entry);
        },
        scan: (entries, window, accepts, limit, direction) => {
          const [first] = entries;
          const stream = first === undefined ? undefined : streamOf.get(first);
          const last = stream === undefined ? undefined : newest.get(stream);
          return last !== undefined && window.from > last ? [] : base.scan(entries, window, accepts, limit, direction);
        },
      };
    },
  ),
  fault(
    "logs-4.push",
    "logs-seam-late-after-ten",
    "After ten late entries of a stream those that follow are answered and lost.",
    (base) => {
      const lateOf = new WeakMap<readonly Entry[], () => number>();
      return {
        insertEntry: (entries, entry) => {
          const last = entries.at(-1);
          if (last !== undefined && entry.ts < last.ts) {
            const count = counter();
            const next = lateOf.get(entries) ?? (() => count("late"));
            lateOf.set(entries, next);
            if (next() > 10) return;
          }
          base.insertEntry(entries, entry);
        },
      };
    },
  ),
];

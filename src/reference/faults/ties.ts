/** Faults of servers that handle entries of one stream with equal timestamps wrongly. */
import { tiesOf } from "../logs/store.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

/** A server that loses an entry if `isLike` is true for its line and an earlier line of the same stream and timestamp. */
export function tieLost(id: string, sentence: string, isLike: (line: string, known: string) => boolean): Fault {
  return fault("logs-4.push", id, sentence, (base) => ({
    insertEntry: (entries, entry) => {
      if (!tiesOf(entries, entry.ts).some(({ line }) => isLike(entry.line, line))) base.insertEntry(entries, entry);
    },
  }));
}

/** Faults of servers that handle entries of one stream with equal timestamps wrongly. */
import { tiesOf } from "../logs/store.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

/** Loses an entry if `isLike` is true for its line and that of an earlier entry of its stream with the same timestamp. */
export function tieLost(id: string, sentence: string, isLike: (line: string, known: string) => boolean): Fault {
  return fault("logs-4.push", id, sentence, (base) => ({
    insertEntry: (entries, entry) => {
      if (!tiesOf(entries, entry.ts).some(({ line }) => isLike(entry.line, line))) base.insertEntry(entries, entry);
    },
  }));
}

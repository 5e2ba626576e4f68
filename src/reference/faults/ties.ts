/** Faults about entries with equal timestamps in a stream. */
import { tiesOf } from "../logs/store.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

/** An entry is lost if `isLike` says that an earlier entry with the same timestamp in its stream is like it. */
export function tieLost(id: string, sentence: string, isLike: (line: string, known: string) => boolean): Fault {
  return fault("logs-4.push", id, sentence, (base) => ({
    insertEntry: (entries, entry) => {
      if (!tiesOf(entries, entry.ts).some(({ line }) => isLike(entry.line, line))) base.insertEntry(entries, entry);
    },
  }));
}

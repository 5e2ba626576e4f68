/** Faults of paging over a full hour. If a page is full, the next page lacks the remaining entries of the same hour. */
import type { Direction } from "../logs/types.ts";
import { HOUR_NS } from "../logs/hours.ts";
import type { RangeQuery } from "../logs/range.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

/** Returns a faulty server that misreads a query that continues after a full page and crosses a full hour, in one direction. */
function paged(id: string, sentence: string, direction: Direction, change: (query: RangeQuery) => Partial<RangeQuery>): Fault {
  return fault(direction === "forward" ? "logs-4.4" : "logs-4.4-backward", id, sentence, (base) => {
    const ends = new Map<bigint, number>();
    return {
      rangeQuery: (query) => {
        const edge = direction === "forward" ? query.start : query.end;
        const goesOn = query.direction === direction && [edge - 1n, edge, edge + 1n].some((ts) => ends.get(ts) === query.limit);
        const overHour = query.start / HOUR_NS !== (query.end - 1n) / HOUR_NS;
        return base.rangeQuery(goesOn && overHour ? { ...query, ...change(query) } : query);
      },
      arrange: (streams, query) => {
        const arranged = base.arrange(streams, query);
        const times = arranged.flatMap(({ entries }) => entries.map(({ ts }) => ts));
        if (query.direction === direction && times.length > 0 && times.length >= query.limit) {
          ends.set(
            times.reduce((one, other) => (one > other === (direction === "forward") ? one : other)),
            query.limit,
          );
        }
        return arranged;
      },
    };
  });
}

export const LOGS_SEAM_PAGE_FAULTS: readonly Fault[] = [
  paged(
    "logs-seam-page-next-hour",
    "A page over a full hour that continues after the previous page begins at that hour.",
    "forward",
    ({ start }) => ({
      start: (start / HOUR_NS + 1n) * HOUR_NS,
    }),
  ),
  paged(
    "logs-seam-page-hour-before",
    "A backward page over a full hour that continues after the previous page ends at that hour.",
    "backward",
    ({ end }) => ({
      end: ((end - 1n) / HOUR_NS) * HOUR_NS,
    }),
  ),
];

/**
 * Limited reads over many sets at once: entries of hundreds of streams, which came in many pushes, lie between each other there. More than
 * these sets may be found, so an answer is held against what is known to be in them.
 */
import { expecting } from "../../harness/expect.ts";
import type { Assertion } from "../../harness/scope.ts";
import { show } from "../../model/difference.ts";
import { entryDifferences } from "../../model/log-answer.ts";
import { compare, countEntries, type Direction, type Stream, within } from "../../model/logs.ts";
import { logQueryText } from "../../model/query-text.ts";
import { range } from "./asks.ts";
import { type Dataset, RUN_LABEL, SET_LABEL } from "./datasets.ts";
import { nearest } from "./range-query.ts";

const CLAUSE = "logs-4.1";

interface Cut {
  readonly limit: number;
  readonly direction: Direction;
}

/** Where the entries that were answered end: the oldest of them going backward, the newest going forward. */
function reached(streams: readonly { readonly entries: readonly { readonly ts: bigint }[] }[], direction: Direction): bigint | undefined {
  const all = streams.flatMap(({ entries }) => entries.map(({ ts }) => ts)).toSorted(compare);
  return direction === "backward" ? all[0] : all.at(-1);
}

/** Entries nearer to the end that a direction begins with than `last`. */
function nearer<S extends Pick<Stream, "entries">>(streams: readonly S[], last: bigint, direction: Direction): S[] {
  return streams
    .map((stream) => ({ ...stream, entries: stream.entries.filter(({ ts }) => (direction === "backward" ? ts > last : ts < last)) }))
    .filter(({ entries }) => entries.length > 0);
}

/** As many entries of all sets as a limit lets through, from one end of a window on: none that is known and nearer is left out. */
export function limitedAmongAll(
  datasets: readonly Dataset[],
  window: { readonly start: bigint; readonly end: bigint },
  cut: Cut,
): Assertion {
  const [first] = datasets;
  if (first === undefined) throw new Error("a read over all datasets needs at least one dataset");
  const names = new Set(datasets.map(({ name }) => name));
  const known = within(
    datasets.flatMap(({ streams }) => streams),
    window.start,
    window.end,
  );
  const least = Math.min(cut.limit, countEntries(known));
  // Other sets of the run may be found, too, where an expression may match a part of a value.
  const own = first.matchers.filter(({ name }) => name === RUN_LABEL);
  const query = logQueryText({ matchers: [...own, { name: SET_LABEL, operator: "=~", value: [...names].join("|") }], filters: [] });
  return expecting({
    clauses: CLAUSE,
    of: datasets.reduce((newest, dataset) => (dataset.lastWriteAt > newest.lastWriteAt ? dataset : newest), first),
    ask: range({ query, ...window, ...cut }),
    expect: (streams) => {
      const count = countEntries(streams);
      const last = reached(streams, cut.direction);
      if (count < least || last === undefined)
        // Entries that are missing are no matter of their order.
        return [
          {
            clause: "logs-4.query_range",
            path: "data.result",
            expected: `at least ${least} entries`,
            actual: `${count} entries: ${show(streams)}`,
          },
        ];
      const found = streams.filter(({ labels }) => names.has(labels[SET_LABEL] ?? ""));
      // As many as were asked for end the answer; fewer are all there is.
      const isCut = count >= cut.limit;
      const [wanted, shown] = isCut ? [nearer(known, last, cut.direction), nearer(found, last, cut.direction)] : [known, found];
      return entryDifferences(wanted, shown).map((one) => ({ ...one, clause: CLAUSE }));
    },
    // What is wrong with the sets by themselves, too, is not wrong because they lie between each other.
    cause: async (scope) => {
      for (const dataset of datasets) {
        const alone = await nearest(scope, dataset, [
          { window, cut: { ...cut, limit: 1_000 } },
          { window, cut },
        ]);
        if (alone !== null) return alone;
      }
      return null;
    },
    input: { ...window, ...cut },
  });
}

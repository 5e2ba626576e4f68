/**
 * Section 4, query_range: a response has the right number of entries, from the newest or the oldest end of the window. Rule 4: a large
 * range is read in pages with a moving start (backward: a moving end), or completely with a higher limit.
 */
import type { Asked, Cut, Window } from "../../src/diagnosis/range-request.ts";
import { containing, entriesOf } from "../../src/model/logs.ts";
import type { Check } from "../../src/harness/check.ts";
import type { TablePart } from "../../src/harness/context.ts";
import type { Fixture } from "../../src/harness/scope.ts";
import type { Dataset } from "../../src/datasets/datasets.ts";
import { emptySelection, selection, selectionIfTaken, orderWithout, raisedLimit } from "../../src/queries/range-query.ts";
import { hello } from "../../src/datasets/first-push.ts";
import { atOnePoint, atSharedTimes, POINTS } from "../../src/queries/window-cases.ts";
import {
  aheadOfClock,
  everyLine,
  relay,
  several,
  single,
  spread,
  tied,
  large,
  type SetFixture,
  TIED_GROUP,
} from "../../src/datasets/shared-datasets.ts";
import { logsCheck, observed, probed } from "./check.ts";
import fc from "fast-check";
import { type Move, paged, PAGING_CLAUSES } from "../../src/queries/paging.ts";

/** Queries for a part of the dataset, or for the whole dataset with a line filter. Their results do not depend on the current time. */
const ASKED_AHEAD: readonly Asked[] = [
  { cut: { limit: 1, direction: "backward" } },
  { cut: { limit: 4, direction: "forward" } },
  { filters: [containing("ahead")] },
];

/** Returns the window of some consecutive streams, and the number of their entries. */
function leg(dataset: Dataset, from: number, streams: number): { readonly window: Window; readonly total: number } {
  const entries = entriesOf(dataset.streams.slice(from, from + streams));
  const times = entries.map(({ ts }) => ts);
  const [first = dataset.start, last = dataset.end] = [times[0], times.at(-1)];
  return { window: { start: first - 1_000_000_000n, end: last + 1_000_000_000n }, total: entries.length };
}

/** A service that reads stream by stream may stop too early at the limit. The order of streams may vary, so many reads are sent. */
const successive: TablePart = async (t) => {
  const dataset = await t.use(relay);
  const pairs = dataset.streams.slice(1).map((_, from) => leg(dataset, from, 2));
  const cuts = [...pairs, leg(dataset, 0, dataset.streams.length)].flatMap(({ window, total }) =>
    [total - 1, total - 3].flatMap((limit) => (["forward", "backward"] as const).map((asked) => ({ window, limit, direction: asked }))),
  );
  return cuts.map(({ window, ...cut }) => selection(dataset, { window, cut }));
};

/** If several entries are exactly at the edge of a window, a query must return all of these entries or none. */
const sharedEdges: TablePart = async (t) => {
  const assertions = atSharedTimes(await t.use(tied));
  return assertions.length === 0 ? t.notRun("the target does not keep two entries of one stream with equal timestamps") : assertions;
};

const onePoint: TablePart = async (t) => {
  const dataset = await t.use(spread);
  const probes = POINTS.map((point) => atOnePoint(dataset, point));
  const assertions = await probed(t, probes);
  const refused = POINTS.filter((_, index) => assertions[index] === null).map(({ what }) => what);
  t.observe("logs-4.query_range", "refused-empty-windows", "which windows with equal start and end the target refuses", observed(refused));
  return assertions.filter((assertion) => assertion !== null);
};

const aheadOfTime: TablePart = async (t) => {
  const { seen: ahead } = await t.probe(aheadOfClock);
  t.observe("logs-4.query_range", "ahead", "whether entries 1 minute ahead of the clock are accepted and shown", observed(ahead !== null));
  return ahead === null ? [] : ASKED_AHEAD.map((asked) => selection(ahead, { window: ahead, ...asked }, "logs-4.query_range"));
};

/** The number of hours from the last entry to the end of a long window. A service may wrongly cut the start of a long window. */
const HOURS_AFTER = [13n, 25n] as const;

/** The documents do not say how far in the future a window may end, so a target may refuse these windows. */
const endingLater: TablePart = async (t) => {
  const dataset = await t.use(spread);
  const windows = (t.profile === "smoke" ? HOURS_AFTER.slice(1) : HOURS_AFTER).map((hours) => ({
    start: dataset.start,
    end: dataset.end + hours * 3_600_000_000_000n,
  }));
  const probes = windows.map((window) => selectionIfTaken(dataset, { window }));
  const accepted = (await probed(t, probes)).filter((assertion) => assertion !== null);
  return accepted.length === 0
    ? t.notRun("the target refuses a window that ends in many hours; the document does not say how far in the future a window may end")
    : accepted;
};

const windows = logsCheck({
  slug: "windows",
  title:
    "a range query returns exactly the entries between start and end, even if entries share timestamps, start equals end, or streams begin where others end",
  clauses: ["logs-4.query_range"],
  run: async (t) =>
    t.verifyParts(
      "logs-4.query_range",
      t.profile === "smoke" ? [endingLater] : [onePoint, aheadOfTime, endingLater, sharedEdges, successive],
    ),
});

const DEFAULT_LIMIT = 100;

/** Returns queries without a limit, with and without a direction. */
function withoutLimit(which: Fixture<Dataset>): TablePart {
  return async (t) => {
    const dataset = await t.use(which);
    const backward = { limit: DEFAULT_LIMIT, direction: "backward" } as const;
    const cuts: readonly Cut[] = [
      { ...backward, unsent: ["limit"] },
      { ...backward, direction: "forward", unsent: ["limit"] },
      ...(t.profile === "smoke" ? [] : [{ ...backward, unsent: ["limit", "direction"] } as const]),
    ];
    const chains = t.profile === "smoke" ? [[]] : [[], everyLine(dataset)];
    return chains.flatMap((filters) => cuts.map((cut) => selection(dataset, { filters, cut }, "logs-8.default-limit")));
  };
}

const defaultLimit = logsCheck({
  slug: "several-streams",
  title: "a query without limit returns 100 entries if more entries match, from one stream or from several streams",
  clauses: ["logs-8.default-limit"],
  async run(t) {
    const larger = t.profile === "smoke" ? [] : [withoutLimit(single)];
    await t.verifyParts("logs-8.default-limit", [withoutLimit(several), ...larger]);
  },
});

const empty = logsCheck({
  slug: "empty",
  title: "a selector that matches no stream returns an empty list",
  clauses: ["logs-4.query_range"],
  run: async (t) => t.verify(emptySelection(await t.use(hello))),
});

const withoutEdge = logsCheck({
  slug: "without-edge",
  title: "a query without direction, and without start or end, returns the newest entries first",
  clauses: ["logs-4.1"],
  async run(t) {
    const dataset = await t.use(single);
    const probes = (["start", "end"] as const).map((edge) => orderWithout(dataset, edge));
    const assertions = (await probed(t, probes)).filter((assertion) => assertion !== null);
    if (assertions.length === 0)
      return t.notRun("a query without start or end returns nothing; the document does not show the defaults of start and end");
    for (const assertion of assertions) await t.verify(assertion);
  },
});

interface PagingRow {
  readonly move: Move;
  readonly set: SetFixture;
  readonly sizes: fc.Arbitrary<number>;
  /** The sizes of pages in a smoke run. They are larger, because a smoke run has few requests. */
  readonly smoke: fc.Arbitrary<number>;
}

const fewPages = fc.integer({ min: 66, max: 79 });
const fewTied = fc.integer({ min: 18, max: 20 });
/** A page has at most 45 entries, so that each dataset has at least two pages. */
const pageSizes = fc.oneof(fc.constantFrom(26, 32, 40), fc.integer({ min: 20, max: 45 }));

const ROWS: readonly PagingRow[] = [
  { move: "at the last timestamp", set: several, sizes: pageSizes, smoke: fewPages },
  { move: "1 ns past the last timestamp", set: single, sizes: pageSizes, smoke: fewPages },
  { move: "1 ns before the last timestamp", set: tied, sizes: fc.integer({ min: 2 * TIED_GROUP + 2, max: 20 }), smoke: fewTied },
];

const pages = logsCheck({
  slug: "pages",
  title: "paging returns all entries if the next page starts (backward: ends) at the last received timestamp, or 1 ns before or after it",
  clauses: [PAGING_CLAUSES.forward, PAGING_CLAUSES.backward],
  async run(t) {
    for (const { move, set, sizes, smoke } of ROWS) {
      const dataset = await t.use(set);
      for (const direction of ["forward", "backward"] as const)
        await t.property({
          arbitrary: t.pick({ smoke, release: sizes, nightly: sizes }),
          cases: t.pick({ smoke: 1, release: 1, nightly: 20 }),
          minimum: t.pick({ smoke: 1, release: 1, nightly: 3 }),
          overlap: 2,
          assertion: (size) => paged(dataset, { move, size, direction }),
          print: (size) => ({ set: dataset.name, "page size": size, "next page starts": move }),
        });
    }
  },
});

const raised = logsCheck({
  slug: "raised-limit",
  title: "a query with a high enough limit returns all entries of a large window",
  clauses: ["logs-4.4"],
  async run(t) {
    const dataset = await t.use(t.profile === "smoke" ? several : large);
    for (const direction of t.pick({ smoke: ["backward"], release: ["backward", "forward"], nightly: ["backward", "forward"] } as const))
      await t.verify(raisedLimit(dataset, direction));
  },
});

export const RANGE_CHECKS: readonly Check[] = [windows, defaultLimit, empty, withoutEdge, pages, raised];

/** Section 4, query_range: a response has the right number of entries of a window, from its newest or its oldest end. */
import type { Asked, Cut, Window } from "../../src/diagnosis/range-request.ts";
import { containing } from "../../src/model/logs.ts";
import type { Check } from "../../src/harness/check.ts";
import type { TablePart } from "../../src/harness/context.ts";
import type { Fixture } from "../../src/harness/scope.ts";
import type { Dataset } from "../../src/datasets/datasets.ts";
import { emptySelection, selection, selectionIfTaken } from "../../src/queries/range-query.ts";
import { hello } from "../../src/datasets/first-push.ts";
import { atOnePoint, atSharedTimes, POINTS } from "../../src/queries/window-cases.ts";
import { aheadOfClock, everyLine, relay, several, single, spread, tied } from "../../src/datasets/shared-datasets.ts";
import { logsCheck } from "./check.ts";
import { observed, probed } from "./tables.ts";

/** Queries for a part of the dataset, or for the whole dataset with a line filter. Their results do not depend on the current time. */
const ASKED_AHEAD: readonly Asked[] = [
  { cut: { limit: 1, direction: "backward" } },
  { cut: { limit: 4, direction: "forward" } },
  { filters: [containing("ahead")] },
];

/** Returns the window of some successive streams, and the number of their entries. */
function leg(dataset: Dataset, from: number, streams: number): { readonly window: Window; readonly total: number } {
  const entries = dataset.streams.slice(from, from + streams).flatMap((stream) => stream.entries);
  const times = entries.map(({ ts }) => ts);
  const [first = dataset.start, last = dataset.end] = [times[0], times.at(-1)];
  return { window: { start: first - 1_000_000_000n, end: last + 1_000_000_000n }, total: entries.length };
}

/** A service that reads stream by stream may stop at the limit too early. The order of streams may vary, so many reads are sent. */
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

/** The numbers of hours from the last entry to the end of a long window. A service may wrongly shorten it from its start. */
const HOURS_AFTER = [13n, 25n] as const;

/** The documents do not say how far in the future a window may end, so a target may refuse these windows. */
const endingLater: TablePart = async (t) => {
  const dataset = await t.use(spread);
  const windows = (t.profile === "smoke" ? HOURS_AFTER.slice(1) : HOURS_AFTER).map((hours) => ({
    start: dataset.start,
    end: dataset.end + hours * 3_600_000_000_000n,
  }));
  const probes = windows.map((window) => selectionIfTaken(dataset, { window }, "logs-4.query_range"));
  const accepted = (await probed(t, probes)).filter((assertion) => assertion !== null);
  return accepted.length === 0
    ? t.notRun("the target refuses a window that ends in many hours; the document does not say how far in the future a window may end")
    : accepted;
};

const windows = logsCheck({
  slug: "windows",
  title:
    "a range query returns exactly the entries between start and end, also with shared timestamps, equal edges, or streams that begin where others end",
  clauses: ["logs-4.query_range"],
  run: async (t) =>
    t.verifyParts(
      "logs-4.query_range",
      t.profile === "smoke" ? [endingLater] : [onePoint, aheadOfTime, endingLater, sharedEdges, successive],
    ),
});

const DEFAULT_LIMIT = 100;

/** Returns queries without limit, with and without direction, on one large stream or on several streams. */
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

export const RANGE_CHECKS: readonly Check[] = [windows, defaultLimit, empty];

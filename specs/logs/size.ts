/** Section 4 with large responses: several blocks of a stream, several batches of entries, and many streams. */
import type { Asked } from "../../src/diagnosis/range-request.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext, TablePart } from "../../src/harness/context.ts";
import type { Fixture } from "../../src/harness/scope.ts";
import { type Direction, containing, matcher, matching } from "../../src/model/logs.ts";
import { metricCut, windowOfFirst, windowsWhereFull, countOf } from "../../src/queries/window-cases.ts";
import { type Dataset, colour } from "../../src/datasets/datasets.ts";
import { blocks, chunks, crowd, dense, heap, HOST_LABEL, host, prose, SELDOM, swarm, volume } from "../../src/datasets/large-datasets.ts";
import { metricAssertion, COUNT } from "../../src/queries/metrics.ts";
import { paged, PAGING_CLAUSES } from "../../src/queries/paging.ts";
import { selection, selectionIfTaken } from "../../src/queries/range-query.ts";
import { everyLine, large } from "../../src/datasets/shared-datasets.ts";
import { BOTH_WAYS, largerCheck, selections, observed } from "./check.ts";

/** The usual maximum size of a block of a stream, in bytes of lines. */
const BLOCK = 256 * 1_024;

const CLOSE = [130, 390, 610, 830];

/** Limits that some services refuse. The check uses the first limit that the target accepts, and 1,001. */
const HIGHER_LIMITS = [5_000, 2_500] as const;

/** If the target accepts limits above 1,000, reads more than 1,000 entries with one query. Resolves to the refused limits. */
async function withHighLimits(t: CheckContext, dataset: Dataset): Promise<number[]> {
  const refused: number[] = [];
  const isTaken = async (limit: number, direction: Direction): Promise<boolean> => {
    const { seen: assertion } = await t.probe(selectionIfTaken(dataset, { cut: { limit, direction } }));
    if (assertion === null) refused.push(limit);
    else await t.verify(assertion);
    return assertion !== null;
  };
  for (const limit of HIGHER_LIMITS) {
    if (!(await isTaken(limit, "backward"))) continue;
    const cut = { limit, direction: "forward" } as const;
    for (const filter of [...everyLine(dataset), matching(".*(heap [0-9]).*")])
      await t.verify(selection(dataset, { cut, filters: [filter] }, "logs-4.query_range"));
    await t.verify(selection(dataset, { cut, matchers: [colour("=~", "heap.*")] }, "logs-4.query_range"));
    break;
  }
  await isTaken(1_001, "forward");
  return refused;
}

/** Numbers of entries: one more than multiples of usual batch sizes, or than usual numbers of entries in a block. */
const ONE_MORE = [65, 101, 129, 201, 257, 301, 501, 513, 641, 901];

const pages = largerCheck({
  slug: "large-pages",
  title: "paging through large streams and through many streams returns every entry",
  clauses: [PAGING_CLAUSES.forward, PAGING_CLAUSES.backward],
  async run(t) {
    for (const [set, size, move] of [
      [blocks, 128, "1 ns before the last timestamp"],
      [crowd, 130, "at the last timestamp"],
    ] as const) {
      const dataset = await t.use(set);
      for (const direction of ["forward", "backward"] as const) await t.verify(paged(dataset, { move, size, direction }));
    }
    // The pages together read each of thousands of entries in a block, backward. A forward read followed the push.
    await t.verify(paged(await t.use(heap), { move: "at the last timestamp", size: 1_000, direction: "backward" }));
  },
});

const largeWindows: TablePart = async (t) => {
  const [dataset, close] = [await t.use(blocks), await t.use(chunks)];
  const whole = [dataset, await t.use(crowd), await t.use(large)];
  return [
    ...whole.map((one) => selection(one, { cut: { limit: 1_000, direction: "forward" } })),
    ...windowsWhereFull(dataset, BLOCK).map((window, index) =>
      selection(dataset, { window, cut: { limit: 100, direction: index % 2 === 0 ? "backward" : "forward" } }),
    ),
    // Windows within the blocks of a stream whose entries are only a few seconds apart.
    ...CLOSE.map((last) => selection(close, { window: windowOfFirst(close, last, "backward"), cut: { limit: 15, direction: "forward" } })),
  ];
};

/** Returns queries for windows whose edges are a few milliseconds from many entries. */
const closeTogether: TablePart = async (t) => {
  const dataset = await t.use(dense);
  return ONE_MORE.map((count, index) => {
    const window = windowOfFirst(dataset, count, index % 2 === 0 ? "backward" : "forward");
    return selection(dataset, { window, cut: { limit: 1_000, direction: "forward" } });
  });
};

/** Compressed responses. A service may use different code for them, and may cache them. */
const compressed: TablePart = async (t) =>
  [await t.use(crowd), await t.use(blocks)].flatMap((dataset) =>
    BOTH_WAYS.map((direction) =>
      selection(dataset, { cut: { limit: 1_000, direction } }, "logs-4.query_range", { override: { compressed: true } }),
    ),
  );

const windows = largerCheck({
  slug: "large-windows",
  title: "range queries over large streams and over many streams return the entries between start and end, up to the limit",
  clauses: ["logs-4.query_range"],
  async run(t) {
    await t.verifyParts("logs-4.query_range", [largeWindows, closeTogether, compressed]);
    const refused = await withHighLimits(t, await t.use(heap));
    t.observe("logs-4.query_range", "refused-limits", "refused values of limit above 1,000", observed(refused));
  },
});

function cuts(limits: readonly number[]): Asked[] {
  return BOTH_WAYS.flatMap((direction) => limits.map((limit) => ({ cut: { limit, direction } })));
}

const order = largerCheck({
  slug: "large-limits",
  title: "a query with a limit over large streams or many streams returns the newest entries, or the oldest with direction=forward",
  clauses: ["logs-4.1"],
  async run(t) {
    const of = (set: Fixture<Dataset>, asked: readonly Asked[]) => async () => selections(t, set, asked, "logs-4.1");
    // A query whose window ends within a block of the longest stream. The window contains more entries than the query returns.
    const untilBlock: TablePart = async () => {
      const { start, anchor } = await t.use(heap);
      const window = { start, end: anchor + 300_000_000_000n };
      return selections(t, heap, [{ window, cut: { limit: 1_000, direction: "backward" } }], "logs-4.1");
    };
    await t.verifyParts("logs-4.1", [
      of(blocks, cuts([3, 128, 129, 513])),
      of(crowd, cuts([3, 128, 129, 513])),
      of(chunks, cuts([129, 513])),
      // Queries with the highest limit that services usually accept, on a larger dataset.
      of(heap, cuts([1_000])),
      // A query for the newest of thousands of entries in a block that is still open.
      of(swarm, [{ cut: { limit: 300, direction: "backward" } }]),
      untilBlock,
      // The responses to these queries have more than 1 MB in a few entries, because each line has 28 kB.
      ...(t.profile === "nightly" ? [of(volume, cuts([3, 60]))] : []),
    ]);
  },
});

/** The datasets that are too large for the check that counts all other datasets. */
const wholeSets: TablePart = async (t) => {
  const sets = [heap, swarm, ...(t.profile === "nightly" ? [volume] : [])];
  const datasets = await Promise.all(sets.map(async (set) => t.use(set)));
  return datasets.flatMap((dataset) => [
    metricAssertion(dataset, countOf(dataset, { by: null })),
    metricAssertion(dataset, countOf(dataset)),
    metricAssertion(dataset, countOf(dataset, { metric: "bytes_over_time" })),
  ]);
};

const selectedParts: TablePart = async (t) => {
  const [chunked, many, open, wordy] = [await t.use(chunks), await t.use(host), await t.use(swarm), await t.use(prose)];
  const halves = [
    { from: 0, to: 500_000 },
    { from: 500_000, to: 1_000_000 },
  ];
  // The matcher selects so many samples that they do not fit into one page, or into one part of a table.
  const some = [matcher(HOST_LABEL, "=~", ".*:host (1..|2[0-4].)")] as const;
  return [
    ...halves.map((half) => metricAssertion(chunked, metricCut(chunked, half, COUNT))),
    ...[null, [HOST_LABEL]].map((by) => metricAssertion(many, countOf(many, { by, matchers: some }))),
    // So many lines of a stream pass the filter that they need several batches.
    metricAssertion(open, countOf(open, { filters: [containing("s")] })),
    // In the blocks before and after the matching lines, no line passes the filter.
    ...[SELDOM.first, SELDOM.last].map((text) => metricAssertion(wordy, countOf(wordy, { filters: [containing(text)] }))),
  ];
};

const metrics = largerCheck({
  slug: "large-values",
  title: "metric queries count every entry and byte of large streams and of many streams",
  clauses: ["logs-4.query"],
  run: async (t) => t.verifyParts("logs-4.query", [wholeSets, selectedParts]),
});

export const SIZE_CHECKS: readonly Check[] = [windows, order, pages, metrics];

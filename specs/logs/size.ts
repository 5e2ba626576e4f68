/** Section 4 where answers are large: several blocks of a stream, several batches of entries, many streams at once. */
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import type { Direction, LineFilter, Matcher } from "../../src/model/logs.ts";
import { EVERYTHING, metricCut, windowOfFirst, windowsWhereFull } from "../../src/world/logs/cutting.ts";
import type { Dataset } from "../../src/world/logs/datasets.ts";
import { phrasing } from "../../src/world/logs/expressions.ts";
import {
  blocks,
  chunks,
  crowd,
  dense,
  HEADS,
  heap,
  host,
  HOST_LABEL,
  prose,
  SELDOM,
  swarm,
  TAILS,
  volume,
} from "../../src/world/logs/large-sets.ts";
import { metricTrial } from "../../src/world/logs/metrics.ts";
import { paged, PAGING_CLAUSES } from "../../src/world/logs/paging.ts";
import { selection, selectionIfTaken } from "../../src/world/logs/range-query.ts";
import { large } from "../../src/world/logs/sets.ts";
import { logsCheck } from "./check.ts";

/** Bytes of lines that a block of a stream takes, by default. */
const BLOCK = 256 * 1_024;

const LARGER: Check["profiles"] = ["release", "nightly"];

/** Windows begin so many entries before the last. */
const CLOSE = [130, 390, 610, 830];

/** Limits that not every service takes. The first of them that is taken is asked for, and so is 1,001. */
const HIGHER_LIMITS = [5_000, 2_500] as const;

/** Reads more than a thousand of several thousand entries, where the target takes such limits; answers which of them it refuses. */
async function withHighLimits(t: CheckContext, dataset: Dataset): Promise<number[]> {
  const refused: number[] = [];
  const isTaken = async (limit: number, direction: Direction): Promise<boolean> => {
    const { seen: assertion } = await t.probe(selectionIfTaken(dataset, { cut: { limit, direction } }, "logs-4.query_range"));
    if (assertion === null) refused.push(limit);
    else await t.verify(assertion);
    return assertion !== null;
  };
  for (const limit of HIGHER_LIMITS) if (await isTaken(limit, "backward")) break;
  await isTaken(1_001, "forward");
  return refused;
}

const windows = logsCheck({
  slug: "large-windows",
  title: "range queries over large streams and over many streams return the entries between start and end, up to the limit",
  clauses: ["logs-4.query_range"],
  profiles: LARGER,
  async run(t) {
    const sets = [await t.use(blocks), await t.use(crowd), await t.use(large)];
    for (const dataset of sets) await t.verify(selection(dataset, { cut: { limit: 1_000, direction: "forward" } }));
    for (const [index, window] of windowsWhereFull(await t.use(blocks), BLOCK).entries())
      await t.verify(selection(await t.use(blocks), { window, cut: { limit: 100, direction: index % 2 === 0 ? "backward" : "forward" } }));
    // Within the blocks of a stream that lies within a few seconds.
    const close = await t.use(chunks);
    for (const last of CLOSE) {
      const window = windowOfFirst(close, last, "backward");
      await t.verify(selection(close, { window, cut: { limit: 15, direction: "forward" } }));
    }
    const refused = await withHighLimits(t, await t.use(heap));
    t.observe("logs-4.query_range", "refused-limits", "refused values of limit above 1,000", { seen: refused, exchanges: [] });
  },
});

/** One more than whole batches of many sizes, and than blocks that are closed after so many entries. */
const ONE_MORE = [65, 101, 129, 201, 257, 301, 501, 513, 641, 901];

const closeTogether = logsCheck({
  slug: "close-together",
  title: "windows whose edges are a few milliseconds from many entries return all entries between the edges",
  clauses: ["logs-4.query_range"],
  profiles: LARGER,
  async run(t) {
    const dataset = await t.use(dense);
    for (const [index, count] of ONE_MORE.entries()) {
      const direction = index % 2 === 0 ? "backward" : "forward";
      await t.verify(selection(dataset, { window: windowOfFirst(dataset, count, direction), cut: { limit: 1_000, direction: "forward" } }));
    }
  },
});

/** A service may write compressed answers in another way, and keep them. */
const compressed = logsCheck({
  slug: "compressed",
  title: "a large response has the same entries with and without compression",
  clauses: ["logs-4.query_range"],
  profiles: LARGER,
  async run(t) {
    for (const dataset of [await t.use(crowd), await t.use(blocks)])
      for (const direction of ["backward", "forward"] as const)
        await t.verify(selection(dataset, { cut: { limit: 1_000, direction } }, "logs-4.query_range", { override: { compressed: true } }));
  },
});

const order = logsCheck({
  slug: "large-limits",
  title: "a query with a limit over large streams or many streams returns the newest entries, or the oldest with direction=forward",
  clauses: ["logs-4.1"],
  profiles: LARGER,
  async run(t) {
    for (const direction of ["backward", "forward"] as const) {
      for (const dataset of [await t.use(blocks), await t.use(crowd)])
        for (const limit of [3, 128, 129, 513]) await t.verify(selection(dataset, { cut: { limit, direction } }, "logs-4.1"));
      for (const limit of [129, 513]) await t.verify(selection(await t.use(chunks), { cut: { limit, direction } }, "logs-4.1"));
    }
    // As many as a limit may safely ask for, and many more there.
    for (const direction of ["backward", "forward"] as const)
      await t.verify(selection(await t.use(heap), { cut: { limit: 1_000, direction } }, "logs-4.1"));
    // The last of thousands in a block that is still open.
    await t.verify(selection(await t.use(swarm), { cut: { limit: 300, direction: "backward" } }, "logs-4.1"));
    // Ending within a block of the longest stream, of which more lies before than is answered.
    const { start, anchor } = await t.use(heap);
    const window = { start, end: anchor + 300_000_000_000n };
    await t.verify(selection(await t.use(heap), { window, cut: { limit: 1_000, direction: "backward" } }, "logs-4.1"));
    // A megabyte and more, but no answer of many: each of these lines has twenty-eight kilobytes.
    const deep = t.profile === "nightly" ? [await t.use(volume)] : [];
    for (const dataset of deep)
      for (const direction of ["backward", "forward"] as const)
        for (const limit of [3, 60]) await t.verify(selection(dataset, { cut: { limit, direction } }, "logs-4.1"));
  },
});

const filters = logsCheck({
  slug: "large-filters",
  title: "line filters select the matching lines of a whole large stream, at the beginning and at the end of long lines",
  clauses: ["logs-4.3"],
  profiles: LARGER,
  async run(t) {
    const dataset = await t.use(blocks);
    for (const text of [...HEADS, ...TAILS]) await t.verify(selection(dataset, { filters: [{ operator: "|=", text: `${text} ` }] }));
    // In one stream that a service may have dealt out.
    const both = ["gamma", "sigma"].map((text) => ({ operator: "|=", text }) as const);
    await t.verify(selection(await t.use(chunks), { filters: both }));
    // Nothing but one entry at the far end, behind blocks without any.
    for (const [text, direction] of [
      [" 618 ", "forward"],
      [" 2 ", "backward"],
    ] as const)
      await t.verify(selection(dataset, { filters: [{ operator: "|=", text }], cut: { limit: 100, direction } }, "logs-4.3"));
  },
});

/** Filters that pass few lines or all but few of a large stream, of which most blocks hold no word. */
const SELDOM_CHAINS: readonly (readonly LineFilter[])[] = [
  ...Object.values(SELDOM).map((text): LineFilter[] => [{ operator: "|=", text }]),
  ...[
    `${SELDOM.first}|${SELDOM.last}`,
    `${SELDOM.last}|${SELDOM.first}`,
    `(${SELDOM.middle}|${SELDOM.last})`,
    "seldom(first|last)",
    `${SELDOM.last}z?`,
    `${SELDOM.first}x*`,
    "seldomm+iddle",
    "sel.*first",
    "nobody|seldommiddle",
  ].map((text): LineFilter[] => [{ operator: "|~", text }]),
  [{ operator: "!=", text: SELDOM.first }],
  [{ operator: "!~", text: `${SELDOM.first}|${SELDOM.last}` }],
  [
    { operator: "|=", text: "seldom" },
    { operator: "!=", text: SELDOM.middle },
  ],
];

const seldom = logsCheck({
  slug: "seldom-words",
  title: "rare lines of a large stream are all found, and a negative filter leaves out only the lines it excludes",
  clauses: ["logs-4.3"],
  profiles: LARGER,
  async run(t) {
    const dataset = await t.use(prose);
    const phrased = await t.use(phrasing);
    for (const chain of SELDOM_CHAINS) await t.verify(selection(dataset, { filters: phrased(chain) }));
    for (const [text, direction] of [
      [SELDOM.first, "backward"],
      [SELDOM.last, "forward"],
    ] as const)
      await t.verify(selection(dataset, { filters: [{ operator: "|=", text }], cut: { limit: 1, direction } }));
  },
});

const MATCHERS: readonly (readonly Matcher[])[] = [
  [{ name: "svc_size", operator: "=", value: "xl" }],
  [{ name: "svc_size", operator: "!=", value: "xl" }],
  [
    { name: "svc_size", operator: "=~", value: "s|m" },
    { name: "svc_colour", operator: "!~", value: "c1|c2|c3" },
  ],
  [
    { name: "svc_size", operator: "=~", value: "l|xl|s" },
    { name: "svc_a", operator: "=", value: "third" },
  ],
  [
    { name: "svc_a", operator: "!=", value: "third" },
    { name: "svc_ab", operator: "!=", value: "nobody" },
    { name: "svc_colour", operator: "=", value: "c4" },
  ],
  // Many values, and the empty one of streams without the label.
  [{ name: "svc_zz", operator: "=~", value: "crowd .*" }],
  [{ name: "svc_zz", operator: "=~", value: "crowd 1.*" }],
  [{ name: "svc_zz", operator: "!~", value: "crowd 1.*|crowd 2.*" }],
  [{ name: "svc_zz", operator: "!~", value: "crowd .*" }],
  // More values than a short list takes; none of them is part of another.
  [{ name: "svc_zz", operator: "=~", value: Array.from({ length: 20 }, (_, index) => `crowd ${119 - index}`).join("|") }],
  // None of these streams has this size; many have both one of the sizes and one of the colours.
  [
    { name: "svc_size", operator: "=", value: "s" },
    { name: "svc_zz", operator: "=~", value: "crowd (13|17|21|25|29|33|37|41|45|49|53|57|61)" },
    { name: "svc_colour", operator: "=~", value: "c.*" },
  ],
  [
    { name: "svc_zz", operator: "=", value: "crowd 5" },
    { name: "svc_size", operator: "=", value: "s" },
    { name: "svc_colour", operator: "=~", value: "c0|c1|c2|c3|c4|c5|c6" },
  ],
  // The same expression for two labels.
  [
    { name: "svc_size", operator: "=~", value: "s|m|c1|c2" },
    { name: "svc_colour", operator: "=~", value: "s|m|c1|c2" },
  ],
  [{ name: "svc_a", operator: "=~", value: ".+" }],
  [{ name: "svc_a", operator: "=~", value: ".*" }],
  [{ name: "svc_a", operator: "!~", value: ".+" }],
  [{ name: "svc_a", operator: "=", value: "" }],
  [{ name: "svc_a", operator: "!=", value: "" }],
  [
    { name: "svc_a", operator: "=~", value: "third|" },
    { name: "svc_size", operator: "=", value: "m" },
  ],
];

const matchers = logsCheck({
  slug: "among-many",
  title: "matchers select the right streams among many, also if several matchers accept streams that lack the label",
  clauses: ["logs-4.matchers"],
  profiles: LARGER,
  async run(t) {
    const dataset = await t.use(crowd);
    for (const chosen of MATCHERS) await t.verify(selection(dataset, { matchers: chosen }));
  },
});

const pages = logsCheck({
  slug: "large-pages",
  title: "paging through large streams and through many streams returns every entry",
  clauses: [PAGING_CLAUSES.forward, PAGING_CLAUSES.backward],
  profiles: LARGER,
  async run(t) {
    for (const [set, size, move] of [
      [blocks, 128, "one before the last"],
      [crowd, 130, "at the last"],
    ] as const) {
      const dataset = await t.use(set);
      for (const direction of ["forward", "backward"] as const) await t.verify(paged(dataset, { move, size, direction }));
    }
    // Through every entry of a block that holds thousands of them; forward they are read back when they are pushed.
    await t.verify(paged(await t.use(heap), { move: "at the last", size: 1_000, direction: "backward" }));
  },
});

const metrics = logsCheck({
  slug: "large-values",
  title: "metric queries count every entry and byte of large streams and of many streams",
  clauses: ["logs-4.query"],
  profiles: LARGER,
  async run(t) {
    const sets = [await t.use(blocks), await t.use(crowd), await t.use(heap), await t.use(chunks), await t.use(dense), await t.use(swarm)];
    const deep = t.profile === "nightly" ? [await t.use(volume)] : [];
    for (const metric of ["count_over_time", "bytes_over_time"] as const)
      for (const dataset of [...sets, ...deep])
        for (const by of metric === "count_over_time" ? [null, []] : [[]])
          await t.verify(metricTrial(dataset, metricCut(dataset, EVERYTHING, { metric, by, matchers: [], filters: [] })));
    const chunked = await t.use(chunks);
    for (const half of [
      { from: 0, to: 500_000 },
      { from: 500_000, to: 1_000_000 },
    ])
      await t.verify(metricTrial(chunked, metricCut(chunked, half, { metric: "count_over_time", by: [], matchers: [], filters: [] })));
    // More samples than a page or a part of a table holds, and more lines of a stream that pass a filter than several batches do.
    const many = await t.use(host);
    const some = [{ name: HOST_LABEL, operator: "=~", value: ".*:host (1..|2[0-4].)" }] as const;
    for (const by of [null, [HOST_LABEL]])
      await t.verify(metricTrial(many, metricCut(many, EVERYTHING, { metric: "count_over_time", by, matchers: some, filters: [] })));
    const filters = [{ operator: "|=", text: "s" }] as const;
    await t.verify(
      metricTrial(
        await t.use(swarm),
        metricCut(await t.use(swarm), EVERYTHING, { metric: "count_over_time", by: [], matchers: [], filters }),
      ),
    );
    // No line passes in the blocks before those in which some do, and in those behind them.
    const wordy = await t.use(prose);
    for (const text of [SELDOM.first, SELDOM.last]) {
      const passing = [{ operator: "|=", text }] as const;
      await t.verify(
        metricTrial(wordy, metricCut(wordy, EVERYTHING, { metric: "count_over_time", by: [], matchers: [], filters: passing })),
      );
    }
  },
});

export const SIZE_CHECKS: readonly Check[] = [windows, closeTogether, compressed, order, filters, seldom, matchers, pages, metrics];

/** docs/2 sections 1 and 2, and push: everything that is pushed comes back once, exactly, under its own labels. */
import { GALLERY_BOLD, GALLERY_LABELS, GALLERY_LINES, GALLERY_VALUES } from "../../src/arbitraries/gallery.ts";
import { payload, type RelativeStream } from "../../src/arbitraries/streams.ts";
import type { RangeParameters } from "../../src/client/logs.ts";
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CaseFinding } from "../../src/harness/property.ts";
import type { CheckContext, Scope } from "../../src/harness/context.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import { READ_BACK } from "../../src/model/log-answer.ts";
import { streamsOf } from "./answers.ts";
import { hello, logsCheck } from "./check.ts";
import { type Dataset, extend, pushRefusal, RUN_LABEL, store } from "./datasets.ts";
import { grid, QUERY_SETS, several, spread, words } from "./sets.ts";
import { comeBack, isThereInPieces, readBack, useful, wholeDifferences, wholeRange } from "./reading.ts";

const EXACT = [
  "logs-4.push",
  "logs-1.1",
  "logs-2.Stream",
  "logs-2.Entry",
  "logs-2.1",
  "logs-2.range-result",
] as const satisfies readonly ClauseId[];

const firstPush = logsCheck({
  slug: "accepted",
  title: "a push is accepted and its entries can be queried",
  clauses: ["logs-4.push"],
  async run(t) {
    const dataset = await t.use(hello);
    const refusal = pushRefusal(dataset);
    t.judge("logs-4.push", refusal, { exchanges: dataset.pushes });
    if (refusal.length > 0) return;
    const { differences, sightings } = await readBack(t, dataset);
    t.judge(
      "logs-4.push",
      differences.filter(({ clause }) => clause === "logs-4.push"),
      { sightings },
    );
  },
});

const payloads = logsCheck({
  slug: "comes-back",
  title: "whatever is pushed comes back once, byte for byte, under its labels",
  clauses: EXACT,
  async run(t) {
    await t.property({
      arbitrary: payload,
      clauses: EXACT,
      cases: t.pick({ smoke: 2, release: 24, nightly: 300 }),
      minimum: t.pick({ smoke: 2, release: 24, nightly: 24 }),
      overlap: 4,
      run: async (input, scope): Promise<CaseFinding> => {
        const dataset = await store(scope, `payload-${t.run.unique()}`, input);
        const refusal = pushRefusal(dataset);
        if (refusal.length > 0) return { differences: refusal };
        const { differences: found, sightings } = await readBack(scope, dataset);
        const differences = await storedOrRead(scope, dataset, found);
        if (differences.length === 0)
          t.run.settled.push({
            service: "logs",
            resource: dataset,
            read: async (later) => wholeDifferences(dataset, await later.logs.queryRange(wholeRange(dataset))),
          });
        return { differences: nearestCause(differences), sightings };
      },
      print: ({ pushes }) => pushes,
    });
  },
});

const sets = logsCheck({
  slug: "larger-sets",
  title: "larger pushes come back whole: many streams, many entries, equal lines and timestamps in several streams",
  clauses: ["logs-4.push"],
  async run(t) {
    const smoke = [several, spread, words, grid];
    const found = await Promise.allSettled(
      t.pick({ smoke, release: QUERY_SETS, nightly: QUERY_SETS }).map(async ({ pushed }) => t.use(pushed)),
    );
    for (const one of found) {
      if (one.status === "rejected") continue;
      const { dataset, losses, whole, sightings } = one.value;
      t.judge("logs-4.push", losses, { sightings, exchanges: dataset.pushes });
      if (whole) t.revisit(dataset, async (later) => wholeDifferences(dataset, await later.logs.queryRange(wholeRange(dataset))));
    }
    const unknown = found.find((one) => one.status === "rejected");
    if (unknown !== undefined) throw unknown.reason;
  },
});

/** Entries that are missing from a read of everything and are there one stream at a time were stored: reading is to blame. */
async function storedOrRead(scope: Scope, dataset: Dataset, differences: readonly Difference[]): Promise<readonly Difference[]> {
  const lost = differences.some(({ clause }) => clause === READ_BACK.lost);
  if (!lost || differences.some(({ clause }) => clause !== READ_BACK.lost) || !(await isThereInPieces(scope, dataset))) return differences;
  return differences.map((one): Difference => ({ ...one, clause: "logs-4.query_range" }));
}

/** When entries come back altered, the ones that seem lost or added besides are the same ones. */
function nearestCause(differences: readonly Difference[]): readonly Difference[] {
  const altered = [READ_BACK.timestamp, READ_BACK.line, READ_BACK.misplaced, READ_BACK.labels];
  const causes = differences.filter(({ clause }) => altered.includes(clause));
  return causes.length > 0 ? causes : differences;
}

const BETWEEN = 1_000_000_007n;

/** Streams of the gallery: all lines in one stream, which is named twice in the push, and each label value in a stream of its own. */
function galleryStreams(): RelativeStream[] {
  const lines = GALLERY_LINES.map((line, index) => ({ offset: BigInt(index + 1) * BETWEEN, line }));
  const labels = { svc_size: "gallery" };
  return [
    { labels, entries: lines.slice(0, -1) },
    ...GALLERY_VALUES.map((value, index) => ({
      labels: { svc_colour: value },
      entries: [{ offset: BigInt(index + 1) * BETWEEN, line: `value ${index}` }],
    })),
    ...GALLERY_LABELS.map((own, index) => ({
      labels: own,
      entries: [{ offset: BigInt(index + 1) * BETWEEN, line: `labels ${index}` }],
    })),
    { labels, entries: lines.slice(-1) },
  ];
}

const gallery = logsCheck({
  slug: "gallery",
  title: "texts that look like something else come back as they were pushed, in lines and in label values",
  clauses: EXACT,
  profiles: ["release", "nightly"],
  async run(t) {
    const { dataset, losses, malformed, sightings } = await comeBack(t, await store(t, "gallery", { pushes: [galleryStreams()] }));
    t.judge(EXACT, nearestCause(losses), { sightings, exchanges: dataset.pushes });
    if (malformed.length > 0) t.judge("logs-2.range-result", malformed);
  },
});

function boldCheck(slug: string, title: string, stream: RelativeStream): Check {
  return logsCheck({
    slug,
    title,
    clauses: EXACT,
    profiles: ["release", "nightly"],
    async run(t) {
      const dataset = await store(t, slug, { pushes: [[stream]] });
      if (pushRefusal(dataset).length > 0) return t.notRun("this target refuses such a push; which ones it takes is not stated");
      const { losses, malformed, sightings } = await comeBack(t, dataset);
      t.judge(EXACT, nearestCause(losses), { sightings, exchanges: dataset.pushes });
      if (malformed.length > 0) t.judge("logs-2.range-result", malformed);
    },
  });
}

const MOST_TRIES = 8;

function grownEntries(first: number): RelativeStream[] {
  return [
    {
      labels: { svc_size: "grown" },
      entries: [0, 1, 2].map((index) => ({ offset: BigInt(first + index) * 1_000_000_007n + 3n, line: `grown ${first + index}` })),
    },
  ];
}

/** The same query whatever the set has grown to; `limit` makes it another one. */
function grownRange(dataset: Dataset, limit = 50): RangeParameters {
  return { ...wholeRange(dataset), limit };
}

/** A set that was pushed, read, and pushed to again. */
async function grown(t: CheckContext): Promise<Dataset> {
  const transport = t.run.transport("logs");
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    if (attempt > 0) await transport.budget.pause(transport.pauseAfter(attempt - 1));
    const dataset = useful(await comeBack(t, await store(t, `grown-${t.run.unique()}`, { pushes: [grownEntries(0)] })));
    await t.logs.queryRange(grownRange(dataset));
    const more = await extend(t, dataset, grownEntries(100));
    if (more !== null) return more;
  }
  return t.inconclusive(`pushing to a stream that was read before was not answered in ${MOST_TRIES} attempts`);
}

const addedLater = logsCheck({
  slug: "added-later",
  title: "entries pushed to a stream that was read before are in the next answer to the same query",
  clauses: ["logs-4.push", "logs-4.query_range"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await grown(t);
    const refusal = pushRefusal(dataset);
    if (refusal.length > 0) return t.judge("logs-4.push", refusal, { exchanges: dataset.pushes });
    const { differences, sightings } = await t.eventually({
      resource: dataset,
      read: () => t.logs.queryRange(grownRange(dataset)),
      judge: (exchange) => wholeDifferences(dataset, exchange),
    });
    // Another query over the same window tells entries that were not stored from an answer that was given before.
    const stale = differences.length > 0 && wholeDifferences(dataset, await t.logs.queryRange(grownRange(dataset, 51))).length === 0;
    t.judge(
      ["logs-4.push", "logs-4.query_range"],
      stale ? differences.map((one): Difference => ({ ...one, clause: "logs-4.query_range" })) : differences,
      { sightings },
    );
  },
});

const shape = logsCheck({
  slug: "shape",
  title: "a range query's answer is a list of objects with stream and values",
  clauses: ["logs-2.range-result"],
  async run(t) {
    const dataset = await t.use(hello);
    if (pushRefusal(dataset).length > 0) return t.inconclusive("precondition: nothing could be pushed (see logs-4.push)");
    const { value } = await readBack(t, dataset);
    const { differences } = streamsOf(value);
    t.judge("logs-2.range-result", differences, { exchanges: [value] });
  },
});

const empty = logsCheck({
  slug: "empty",
  title: "a selector that selects nothing is answered with an empty list",
  clauses: ["logs-4.query_range"],
  async run(t) {
    const dataset = await t.use(hello);
    const exchange = await t.logs.queryRange({
      query: `{${RUN_LABEL}="nobody-used-this-value"}`,
      start: dataset.start,
      end: dataset.end,
      limit: 10,
    });
    const { streams, differences } = streamsOf(exchange);
    const found: Difference[] = (streams ?? []).some(({ entries }) => entries.length > 0)
      ? [{ clause: "logs-4.query_range", path: "data.result", expected: "no entries", actual: show(streams?.map(({ labels }) => labels)) }]
      : [];
    t.judge("logs-4.query_range", [...differences, ...found]);
  },
});

/** How often settled data are read again: a right read does not heal a wrong one. */
const READS = { smoke: 1, release: 2, nightly: 3 };

const settled = logsCheck({
  slug: "settled",
  title: "entries that came back once still do when everything has settled",
  clauses: ["logs-4.push"],
  phase: "closing",
  async run(t) {
    const mine = t.run.settled.filter(({ service }) => service === "logs");
    const first = await t.use(hello);
    const again = (dataset: Dataset) => async (): Promise<Difference[]> =>
      wholeDifferences(dataset, await t.logs.queryRange(wholeRange(dataset)));
    if (pushRefusal(first).length > 0) return t.inconclusive("precondition: nothing could be pushed (see logs-4.push)");
    const reads = [{ resource: first, read: again(first) }, ...mine.map(({ resource, read }) => ({ resource, read: () => read(t) }))];
    const settle = t.run.patience("logs");
    await Promise.all(
      reads.map(async ({ resource, read }) => {
        const wait = resource.lastWriteAt + settle.windowMs - performance.now();
        if (wait > 0) await t.run.pause(wait + 1);
        for (let count = 0; count < t.pick(READS); count += 1) t.judge("logs-4.push", await read());
      }),
    );
  },
});

export const PUSH_CHECKS: readonly Check[] = [
  firstPush,
  payloads,
  sets,
  gallery,
  boldCheck("zero-byte", "a line with a zero byte comes back as it was pushed once it was accepted", {
    labels: {},
    entries: [{ offset: 1n, line: GALLERY_BOLD.line }],
  }),
  boldCheck("long-label-value", "a label value of 1,500 characters comes back as it was pushed once it was accepted", {
    labels: { svc_colour: GALLERY_BOLD.labelValue },
    entries: [{ offset: 1n, line: "long label value" }],
  }),
  addedLater,
  shape,
  empty,
  settled,
];

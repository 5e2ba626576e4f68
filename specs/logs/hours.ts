/** Section 4 across full hours of the clock, where real servers divide windows. Other datasets have no entries near a full hour. */
import { HIGHEST_LIMIT } from "../../src/datasets/requests.ts";
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import type { Assertion } from "../../src/harness/scope.ts";
import { differenceText } from "../../src/model/difference.ts";
import { type Direction, entriesOf, type LineFilter, type Matcher, within, containing } from "../../src/model/logs.ts";
import { type Dataset, colour, withStreams } from "../../src/datasets/datasets.ts";
import { type HourBoundaryData, newestMark, soonAfter, hourEdgeStreams, whileKept } from "../../src/datasets/hour-boundary-data.ts";
import { expressionAssertion, lengthened, reworded, timeOf } from "../../src/queries/metric-expressions.ts";
import { LONG_RANGES_REFUSED, metricAssertion, takesForm, takesLongRanges, COUNT } from "../../src/queries/metrics.ts";
import { aggregateOf } from "../../src/queries/metric-self-consistency.ts";
import type { Asked, Window } from "../../src/diagnosis/range-request.ts";
import { paged, PAGING_CLAUSES, disorderIn, EVERY, type Filtered, hourOrder, hoursOf, isOrdered } from "../../src/queries/paging.ts";
import { answeredFrom } from "../../src/queries/observations.ts";
import { selection } from "../../src/queries/range-query.ts";
import { unlessIn } from "../../src/queries/tenancy.ts";
import { type Kept, logsCheck, verifyOwn, aroundHours } from "./check.ts";
import { countOf } from "../../src/queries/window-cases.ts";
import { HOUR, SECOND } from "../../src/model/times.ts";

function hourCheck(
  slug: string,
  title: string,
  clauses: Check["clauses"],
  run: (t: CheckContext, set: HourBoundaryData, held: Kept) => Promise<void>,
  profiles: Check["profiles"] = ["release", "nightly"],
): Check {
  return logsCheck({
    slug: `hours-${slug}`,
    title,
    clauses,
    profiles,
    async run(t) {
      const set = await aroundHours(t);
      await run(t, set, (assertion) => whileKept(set, assertion));
    },
  });
}

/** Returns windows across a full hour, and windows that begin or end 500 ns or 0.5 ms from the entry at the full hour. */
function besideTheHour(dataset: Dataset): Window[] {
  const { start, end } = dataset;
  return hoursOf(dataset).flatMap((hour) => [
    { start, end: hour + 500n },
    { start: hour - 500n, end },
    { start: hour - 500n, end: hour + 500n },
    { start: hour - 500_000n, end: hour + 500_000n },
  ]);
}

/**
 * Reads a stream in a window that starts exactly 1 h before an entry, because a service may divide there. If the matcher of the stream is
 * not applied in a longer window either, that is the cause. Empty if the target returns too few hours.
 */
function fromHourBefore(dataset: Dataset, asked: Asked): Assertion[] {
  const hour = hoursOf(dataset).at(-1);
  const stream = dataset.streams.find(({ entries }) => entries.some(({ ts }) => ts === hour));
  if (hour === undefined || stream === undefined || hour - HOUR < dataset.start) return [];
  const own: Matcher = colour("=", stream.labels["svc_colour"] ?? "");
  const streams = within([stream], hour - HOUR, dataset.end);
  const part = { ...withStreams(dataset, streams), matchers: [...dataset.matchers, own], start: hour - HOUR };
  return [unlessIn([selection(dataset, { matchers: [own] })], selection(part, asked))];
}

const ends = hourCheck(
  "ends",
  "queries for windows across a full hour return and count an entry exactly at this hour, also if its stream ends there",
  ["logs-4.query_range", "logs-4.query"],
  async (t, _set, held) => {
    const set =
      (await t.use(hourEdgeStreams)) ??
      t.notRun(
        "the target refuses entries from before the last full hour of the clock, or shows too few of them; the document does not say how old entries may be",
      );
    const { dataset, hour } = set;
    const { start, end } = dataset;
    const windows = [
      { start, end },
      { start: hour - 1n, end },
      { start, end: hour + 1n },
    ];
    const reads = windows.flatMap((window) =>
      (["forward", "backward"] as const).map((direction) => selection(dataset, { window, cut: { limit: HIGHEST_LIMIT, direction } })),
    );
    const counts = [start, hour - 30_000_000_000n].map((from) =>
      metricAssertion(dataset, { ...COUNT, by: ["svc_colour"], window: { start: from, end: hour + 30_000_000_000n } }),
    );
    await t.verifyProbed(
      soonAfter([...reads, ...counts].map(held)),
      "the first read came too late after the push to judge the behaviour at full hours",
    );
  },
);

const EVEN: readonly LineFilter[] = [containing("even")];

const NOT_RED: readonly Matcher[] = [colour("!=", "red")];

/** A limit of less than half of the number of entries around a full hour. */
const FEW = 5;

/** For each direction, returns the line that a read finds last: after a full hour, and after more entries than the limit. */
function farLines({ streams }: Dataset): { readonly line: string; readonly direction: Direction }[] {
  const all = entriesOf(streams).toSorted((one, other) => (one.ts < other.ts ? -1 : 1));
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [
    { line: first.line, direction: "backward" },
    { line: last.line, direction: "forward" },
  ];
}

/** Lengths of long windows. A service may read their hours one by one. The second length is tried if the target refuses the first. */
const MANY_HOURS = [60n * HOUR, 9n * HOUR] as const;

/** Returns a filter. If older entries may still appear, it selects only lines of the newest hour. Undefined for only one hour. */
function knownLines({ dataset, hours, isOlderTaken }: HourBoundaryData): Filtered | undefined {
  if (!isOlderTaken) return EVERY;
  return hours > 1 ? { filters: [containing(`hour ${newestMark(dataset)} `)] } : undefined;
}

const pages = hourCheck(
  "pages",
  "paging across a full hour returns every entry",
  [PAGING_CLAUSES.forward, PAGING_CLAUSES.backward],
  async (t, { dataset }, held) => {
    const wrong = disorderIn(await t.use(hourOrder));
    if (wrong !== undefined)
      t.inconclusive(
        `precondition not met: the response to a query with a limit across a full hour is wrong (see ${wrong.clause}): ${wrong.path}: ${differenceText(wrong)}`,
      );
    for (const [direction, size] of [
      ["forward", 29],
      ["backward", 41],
    ] as const)
      await t.verify(held(paged(dataset, { move: "at the last timestamp", size, direction })));
  },
);

async function filtered(t: CheckContext, set: HourBoundaryData): Promise<Assertion[]> {
  const { dataset } = set;
  const known = knownLines(set);
  let window: Window | null = null;
  for (const length of known === undefined ? [] : MANY_HOURS) window ??= (await t.probe(answeredFrom(dataset, length, known))).seen;
  // If limited reads are wrong without a filter, limited reads with a filter prove nothing about filters. So they are not sent.
  const far = isOrdered(await t.use(hourOrder)) ? farLines(dataset) : [];
  return [
    selection(dataset, { filters: EVEN }),
    ...fromHourBefore(dataset, EVERY),
    ...(window === null
      ? []
      : (["forward", "backward"] as const).map((direction) =>
          selection(dataset, { ...known, window, cut: { limit: HIGHEST_LIMIT, direction } }),
        )),
    ...far.map(({ line, direction }) => selection(dataset, { filters: [containing(line)], cut: { limit: FEW, direction } })),
  ];
}

const reads = hourCheck(
  "windows",
  "for windows near or across a full hour, queries return, order, select and count exactly the entries between start and end",
  ["logs-4.query_range", "logs-4.1", "logs-4.3", "logs-4.query"],
  async (t, set, held) => {
    const { dataset } = set;
    const verify = async (clause: ClauseId, part: () => Promise<readonly Assertion[]>): Promise<void> =>
      t.verifyParts(clause, [async () => (await part()).map(held)]);
    await verify("logs-4.query_range", async () => [
      selection(dataset, {}),
      ...besideTheHour(dataset)
        .slice(t.pick({ smoke: -3, release: -8, nightly: -8 }))
        .map((window) => selection(dataset, { window })),
      ...fromHourBefore(dataset, {}),
    ]);
    // The fixture already handles entries that disappear, so these assertions are not wrapped.
    await t.verifyParts("logs-4.1", [async () => (await t.use(hourOrder)).map((finding) => async () => finding)]);
    await verify("logs-4.3", async () => filtered(t, set));
    if (!(await t.use(takesLongRanges))) return t.notRun(LONG_RANGES_REFUSED);
    await verify("logs-4.query", async () => [
      metricAssertion(dataset, countOf(dataset, { filters: EVEN })),
      metricAssertion(dataset, countOf(dataset, { matchers: NOT_RED })),
    ]);
  },
  ["smoke", "release", "nightly"],
);

const A_DAY = 24n * HOUR;

/** Ranges in days, hours and minutes. These ranges begin and end at times without entries. */
const SPELLED = [
  ["1h", 3_600n],
  ["2h", 7_200n],
  ["90m", 5_400n],
  ["1h30m", 5_400n],
  ["7200s", 7_200n],
  ["1d", 86_400n],
] as const;

/** Forms of a sum for which a service must combine the parts of a divided range in another way than for a plain sum. */
const IN_PARTS: readonly string[] = ["a sum of bytes_rate", "a sum of a range with an offset"];

/** The length of a range in ns. No entry is near the start of the range, either with or without the offset. */
const LONGER = 4_200n * SECOND;
const OFFSET = { written: "15m", ns: 900n * SECOND } as const;

const spelled = hourCheck(
  "spelled",
  "a metric query counts exactly the entries in a range of hours or days, for each unit in which the range can be written",
  ["logs-4.query"],
  async (t, { dataset, isOlderTaken }, held) => {
    const end = dataset.end - 75n * SECOND;
    const windows = SPELLED.map(([written, seconds]) => ({ written, window: { start: end - seconds * SECOND, end } }));
    const isLongTaken = await t.use(takesLongRanges);
    const known = windows.filter(
      ({ window }) => (!isOlderTaken || window.start >= dataset.start) && (isLongTaken || window.end - window.start <= HOUR),
    );
    if (known.length === 0)
      t.notRun(
        "the target does not show accepted entries that are at least one hour old; the document does not say how old entries may be",
      );
    for (const { written, window } of known)
      for (const metric of ["count_over_time", "rate"] as const)
        await t.verify(held(metricAssertion(dataset, { ...COUNT, metric, window, written })));
    // The last query is sent again for another time. A service may cache results by the text of the query.
    for (const { written, window } of known.slice(-1)) {
      const later = { start: window.start + SECOND, end: window.end + SECOND };
      await t.verify(held(metricAssertion(dataset, { ...COUNT, window: later, written })));
    }
    if (!isLongTaken) return;
    if (!isOlderTaken) {
      // The documents do not say how long a range may be. A day is the longest range that most services accept.
      const day = { ...COUNT, metric: "rate", window: { start: end - A_DAY, end }, written: "1d" } as const;
      const week = lengthened(dataset, day, "1w", 7);
      const { seen: taken, exchanges } = await t.probe(takesForm(week.text, end));
      const isTaken = taken?.first !== undefined;
      if (isTaken) await t.verify(held(expressionAssertion(dataset, week, taken)));
      t.observe("logs-4.query", "range-of-a-week", "whether a range of one week is accepted", { seen: isTaken, exchanges });
    }
    // Undocumented forms with a range that is evaluated in parts and ends before the time of the query.
    const later = { start: end - LONGER, end };
    if (isOlderTaken && later.start - OFFSET.ns < dataset.start) return;
    const inParts = { ...COUNT, written: "1h10m" };
    const before = { start: later.start - OFFSET.ns, end: end - OFFSET.ns };
    for (const form of reworded(dataset, { ...inParts, window: before }, OFFSET)) {
      if (!IN_PARTS.includes(form.form)) continue;
      const { seen: taken } = await t.probe(takesForm(form.text, timeOf(form)));
      if (taken !== null) await t.verify(held(expressionAssertion(dataset, form, taken)));
    }
    // Each stream has entries on both sides of the hour.
    const each = { ...inParts, by: null, window: later };
    await verifyOwn(t, dataset, each, [aggregateOf("count", dataset, each)]);
  },
);

export const HOUR_CHECKS: readonly Check[] = [ends, reads, pages, spelled];

import fc from "fast-check";
import { expect, test } from "vitest";
import { countEntries, type Entry, type Stream } from "../model/logs.ts";
import { cutPoints, type Dataset, timestamps } from "../datasets/datasets.ts";
import type { CaseFactor, CaseSubject } from "./case-subject.ts";
import { metricFactors, neutralMetric } from "./metric-levels.ts";
import { askedIn, neutralRange, type RangeDraft, rangeFactors } from "./range-levels.ts";

const SECOND = 1_000_000_000n;

const STREAMS: readonly Stream[] = ["red", "green", "blue"].map((colour, stream) => ({
  labels: { colour, size: stream === 0 ? "one" : "more", ...(stream === 0 ? { first: "yes" } : {}) },
  entries: Array.from({ length: 10 }, (_, index) => ({
    ts: BigInt(index * 30 + stream * 5 + 10) * SECOND + 7n,
    line: `line ${index} ${colour}`,
  })),
}));

const DATASET = { name: "test", streams: STREAMS, start: 0n, end: 400n * SECOND, entries: 30, matchers: [] } as unknown as Dataset;

/** Returns a subject whose drawn values are the first values that fit. */
function subjectAt(at: number): CaseSubject {
  const stream = STREAMS[at % STREAMS.length] as Stream;
  const points = cutPoints(DATASET);
  return {
    name: "test",
    dataset: DATASET,
    entry: stream.entries[at % stream.entries.length] as Entry,
    labels: stream.labels,
    points,
    quiet: points,
    taken: new Set(timestamps(DATASET)),
    mayBeginEarlier: true,
    mayLimit: true,
    guard: (assertion) => assertion,
    drawn: (_id, arbitrary, fits = () => true) => {
      const made = arbitrary();
      const all = made === null ? [] : fc.sample(made, { seed: at, numRuns: 20 });
      return all.find(fits) ?? all[0] ?? null;
    },
  };
}

function levelsOf<D>(factors: readonly CaseFactor<D>[], subject: CaseSubject, start: D): { readonly name: string; readonly draft: D }[] {
  return factors.flatMap(({ name, levels }) =>
    levels.slice(1).flatMap((level) => {
      const draft = level.change(start, subject);
      return draft === null ? [] : [{ name: `${name}: ${level.name}`, draft }];
    }),
  );
}

const keepFilters = <T>(filters: readonly T[]): T[] => [...filters];

test("the first level of each factor is neutral, and each other level changes the query", () => {
  const subject = subjectAt(4);
  const range = neutralRange(subject);
  for (const { levels } of rangeFactors(keepFilters)) expect(levels[0]?.change(range, subject)).toEqual(range);
  const changed = levelsOf(rangeFactors(keepFilters), subject, range);
  // An entry in the middle of a dataset has each level.
  expect(changed).toHaveLength(rangeFactors(keepFilters).reduce((sum, { levels }) => sum + levels.length - 1, 0));
  for (const { name, draft } of changed) expect(draft, name).not.toEqual(range);
  const metric = neutralMetric(subject);
  for (const { levels } of metricFactors(keepFilters)) expect(levels[0]?.change(metric, subject)).toEqual(metric);
  for (const { name, draft } of levelsOf(metricFactors(keepFilters), subject, metric)) expect(draft, name).not.toEqual(metric);
});

test("no edge of a window or range lies on an entry, and the start comes before the end", () => {
  const times = new Set(STREAMS.flatMap(({ entries }) => entries.map(({ ts }) => ts)));
  for (let at = 0; at < 30; at += 1) {
    const subject = subjectAt(at);
    const windows = [
      ...levelsOf(rangeFactors(keepFilters), subject, neutralRange(subject)).map(({ draft: { start, end } }) => ({ start, end })),
      ...levelsOf(metricFactors(keepFilters), subject, neutralMetric(subject)).map(({ draft }) => draft.window),
    ];
    for (const { start, end } of windows) {
      expect(start < end).toBe(true);
      expect(times.has(start) || times.has(end)).toBe(false);
    }
  }
});

test("the limit follows the number of selected entries, and a level that they are too few for does not exist", () => {
  const subject = subjectAt(3);
  const limitsOf = (draft: RangeDraft): Record<string, number | undefined> => {
    const factors = rangeFactors(keepFilters).filter(({ name }) => name === "limit");
    return Object.fromEntries(levelsOf(factors, subject, draft).map((one) => [one.name, askedIn(subject, one.draft).cut?.limit]));
  };
  expect(limitsOf(neutralRange(subject))).toMatchObject({
    "limit: not sent": 100,
    "limit: 1": 1,
    "limit: one less than selected": countEntries(STREAMS) - 1,
    "limit: as many as selected": countEntries(STREAMS),
    "limit: one more than selected": countEntries(STREAMS) + 1,
  });
  const nothing = limitsOf({ ...neutralRange(subject), end: 1n });
  expect(Object.keys(nothing)).toEqual(["limit: not sent", "limit: 1", "limit: one more than selected", "limit: the size of a batch"]);
});

/** Entries near the last full hours, where services divide windows: in the first and last ns and ms of each hour, and further away. */
import type { RelativeStream } from "../arbitraries/streams.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { type Assertion, fixture, type Scope } from "../harness/scope.ts";
import { countEntries, entriesOf, withEntries } from "../model/logs.ts";
import { range } from "./requests.ts";
import { type Dataset, textOf, wholeQuery, colour, withStreams } from "./datasets.ts";
import { nowOf, acceptedAt } from "./dataset-pushes.ts";
import { type Placing, lastFullHour } from "./placing.ts";
import { type Finding, together } from "../harness/finding.ts";
import { difference } from "../model/difference.ts";
import { HOUR, MILLISECOND, SECOND } from "../model/times.ts";

/** Offsets of entries from a full hour, in ns. The newest entry is so old that a usual error of a clock does not put it into the future. */
const OFFSETS: readonly bigint[] = [
  -1_500n * SECOND,
  -90n * SECOND,
  -SECOND,
  -MILLISECOND - 1n,
  -MILLISECOND + 1n,
  -2_000n,
  -1n,
  0n,
  1n,
  2_000n,
  MILLISECOND - 1n,
  MILLISECOND + 1n,
  SECOND,
  90n * SECOND,
];

/** The index of the last entry before a full hour, and of the first entry after it. Both have the same line. */
const [LAST_BEFORE, FIRST_BEHIND] = [5, 8] as const;

const COLOURS = ["red", "green", "blue"] as const;
/** Numbers of hours before the last full hour, in the order of the attempts. The documents do not say how old an entry may be. */
const REACHES = [3, 1, 0] as const;

/** The part of the dataset that this target accepts and returns. */
export interface HourBoundaryData {
  readonly dataset: Dataset;
  /** The number of full hours within the dataset. */
  readonly hours: number;
  /** A description of the hours that are missing in the dataset, or null if no hour is missing. */
  readonly refused: string | null;
  /** Whether the target accepted older entries, but reads near their hours did not return them. Later or larger reads may return them. */
  readonly isOlderTaken: boolean;
  /** The first full hour within the dataset, in ns. */
  readonly oldest: bigint;
}

/** Returns the entries around one full hour, distributed over three streams. `mark` is the number of the hour, counted from the oldest. */
function around(mark: number): RelativeStream[] {
  return COLOURS.map((colour, stream) => ({
    labels: { svc_colour: colour },
    entries: OFFSETS.flatMap((offset, index) =>
      (index + mark) % COLOURS.length === stream ? [{ offset: BigInt(mark) * HOUR + 2n * HOUR + offset, line: lineOf(mark, index) }] : [],
    ),
  }));
}

function lineOf(mark: number, index: number): string {
  const said = index === LAST_BEFORE ? FIRST_BEHIND : index;
  return `hour ${mark} ${said} ${said % 2 === 0 ? "even" : "odd"}`;
}

/** Returns the number of the newest hour. The lines of the hour contain this number. */
export function newestMark({ streams }: Dataset): number {
  return Math.max(...entriesOf(streams).map(({ line }) => Number(line.split(" ")[1])));
}

/** Pushes the entries around the last full hour and `reach` hours before it, oldest first. Resolves to null on a refusal. */
async function pushed(scope: Scope, reach: number, oldest: bigint): Promise<Dataset | null> {
  const pushes = Array.from({ length: reach + 1 }, (_, mark) => around(mark));
  return acceptedAt(scope, `hours-${reach}`, pushes, { anchor: oldest - 2n * HOUR, span: BigInt(reach + 4) * HOUR });
}

/** Returns the part of a dataset after `start`. */
function since(dataset: Dataset, start: bigint, end: bigint): Dataset {
  const streams = withEntries(dataset.streams, ({ ts }) => ts > start);
  return { ...withStreams(dataset, streams), start, end };
}

/** Whether a read returns the only entry near a time. */
export async function keeps(scope: Scope, dataset: Dataset, place: bigint): Promise<boolean> {
  return shows(scope, dataset, wholeQuery(dataset), place, 30n * SECOND);
}

/** Whether a query finds an entry of the dataset at most `around` ns from a time. */
async function shows(scope: Scope, dataset: Dataset, query: string, place: bigint, around: bigint): Promise<boolean> {
  const [start, end] = [place - around, place + around];
  const { value } = await scope.eventually({
    resource: dataset,
    read: async () => (await range({ query, start, end, limit: 10, direction: "forward" })(scope)).answer,
    judge: (streams) =>
      streams !== null && countEntries(streams) > 0
        ? []
        : [difference("logs-4.push", "data.result", "an entry that is hours old", "none", "too-few")],
  });
  return value !== null && countEntries(value) > 0;
}

/**
 * Resolves to a timestamp in ns: the target returns the later entries around the hour. Null if it returns no entry from before the hour.
 * `isLast` is true for the last hour of the dataset.
 */
async function keptSince(scope: Scope, dataset: Dataset, hour: bigint, isLast: boolean): Promise<bigint | null> {
  if (!(await keeps(scope, dataset, hour - 90n * SECOND))) return null;
  // If the newest entries are missing and older entries are returned, age is not the reason. So the missing entries are judged later.
  if (!(await keeps(scope, dataset, hour + 90n * SECOND))) return isLast ? hour - 120n * SECOND : null;
  // Each stream is read separately. A service may search another store for old entries, and the streams may arrive there at different
  // times.
  for (const value of COLOURS) {
    const query = textOf(dataset, { matchers: [colour("=", value)] });
    if (!(await shows(scope, dataset, query, hour, 60n * SECOND))) return null;
  }
  // If the target does not return the entry at 1,500 s before the hour, the dataset starts after this entry.
  return (await keeps(scope, dataset, hour - 1_500n * SECOND)) ? hour - 1_800n * SECOND : hour - 120n * SECOND;
}

/** Resolves to null if the target refuses entries before the last full hour, or does not return them. */
export const hourBoundaryData = fixture<HourBoundaryData | null>("logs", "entries around the last full hours", async (scope) => {
  const last = lastFullHour(await nowOf(scope));
  for (const reach of REACHES) {
    const dataset = await pushed(scope, reach, last - BigInt(reach) * HOUR);
    if (dataset === null) continue;
    // If the target does not return the entries of the oldest hours, these hours are left out of the dataset.
    for (let hours = reach + 1; hours > 0; hours -= 1) {
      const oldest = last - BigInt(hours - 1) * HOUR;
      const start = await keptSince(scope, dataset, oldest, hours === 1);
      if (start === null) continue;
      const refused = hours === REACHES[0] + 1 ? null : `entries of only ${hours} of ${REACHES[0] + 1} hours were accepted and shown`;
      const whole = since(dataset, start, last + 120n * SECOND);
      return { dataset: whole, hours, refused, isOlderTaken: whole.entries < dataset.entries, oldest };
    }
    return null;
  }
  return null;
});

/** Throws `Inconclusive` if the assertion finds a difference, and reads no longer show the old entries, which the documents allow. */
export function unlessGone(assertion: Assertion, areShown: (scope: Scope) => Promise<boolean>): Assertion {
  return async (scope) => {
    const finding = await assertion(scope);
    if (finding.differences.length === 0 || (await areShown(scope))) return finding;
    throw new Inconclusive("the target stopped showing its oldest entries during the run (see logs-3.states)");
  };
}

/**
 * Throws `Inconclusive` if the assertion finds a difference, and reads no longer show the old entries, which the documents allow. If only
 * the newest entries are missing, age is not the reason, and the difference is reported.
 */
export function whileKept({ dataset, hours, oldest }: HourBoundaryData, assertion: Assertion): Assertion {
  const newest = oldest + BigInt(hours - 1) * HOUR;
  return unlessGone(
    assertion,
    async (scope) =>
      (await keptSince(scope, dataset, oldest, hours === 1)) === dataset.start ||
      ((await keeps(scope, dataset, oldest - 90n * SECOND)) && !(await keeps(scope, dataset, newest + 90n * SECOND))),
  );
}

/** Throws `Inconclusive` if the assertion finds a difference and the first entry of the dataset has disappeared. */
export function whileBegun(dataset: Dataset, assertion: Assertion): Assertion {
  return unlessGone(assertion, async (scope) => keeps(scope, dataset, dataset.anchor));
}

/** Whether a read returns the oldest entry of each of `streams` streams. Each of them is at most 1 min from the anchor. */
export async function showsOldest(scope: Scope, dataset: Dataset, streams: number): Promise<boolean> {
  const [start, end] = [dataset.anchor - 60n * SECOND, dataset.anchor + 60n * SECOND];
  const { answer } = await range({ query: wholeQuery(dataset), start, end, limit: 100, direction: "forward" })(scope);
  return answer !== null && countEntries(answer) === streams;
}

/** The number of full hours that a target must return before streams of more than 2 h are pushed. */
export const OVER_HOURS = 2;
/**
 * The age of the oldest entry in ns. Real services search their memory for entries of up to 161 min or more, and their store for older
 * entries. Some services answer queries of several tenants wrongly at that age, so such queries use younger entries.
 */
const OLDEST_AGE = 145n * 60n * SECOND;

/**
 * Resolves to the time from `OLDEST_AGE` until now. Of streams in this time, a service has probably flushed all entries except the newest.
 * Resolves to null if the target returns too few old entries. The caller must check that reads return the pushed entries.
 */
export async function overHours(scope: Scope): Promise<Placing | null> {
  const set = await scope.use(hourBoundaryData);
  if (set === null || set.hours < OVER_HOURS) return null;
  return { anchor: (await nowOf(scope)) - OLDEST_AGE, span: OLDEST_AGE };
}

/** The time from the start of the dataset to the hour, in ns. */
const BEFORE = 1_800n * SECOND;

/** The times of entries relative to the hour, in s. */
const TIMES = { until: [-1_200n, -600n, 0n], since: [0n, 1n, 2n] } as const;

const streams = Object.entries(TIMES).map(([colour, times]): RelativeStream => ({
  labels: { svc_size: "hour", svc_colour: colour },
  entries: times.map((seconds) => ({ offset: BEFORE + seconds * SECOND, line: `${colour} the hour ${seconds}` })),
}));

interface HourEdgeStreams {
  readonly dataset: Dataset;
  /** The full hour that is in the middle of the streams, in ns. */
  readonly hour: bigint;
}

/** Streams around a full hour. Null if the target refuses their entries, or if reads do not return the oldest entries. */
export const hourEdgeStreams = fixture<HourEdgeStreams | null>("logs", "streams that end and begin at a full hour", async (scope) => {
  const set = await scope.use(hourBoundaryData);
  if (set === null) return null;
  const hour = set.oldest + BigInt(set.hours - 1) * HOUR;
  if (set.dataset.start > hour - BEFORE) return null;
  const dataset = await acceptedAt(scope, "until-the-hour", [streams], { anchor: hour - BEFORE, span: BEFORE + 60n * SECOND });
  return dataset && { dataset, hour };
});

/** The time after a push in which services rarely flush, in ms. */
const SOON_MS = 1_500;

function isTooLate({ differences, attempts }: Finding): boolean {
  return differences.length > 0 && (attempts?.[0]?.afterWriteMs ?? 0) > SOON_MS;
}

/**
 * After a flush, some services do not find the last entry of a stream at a full hour. So this drops each difference whose first read was
 * late. Resolves to null if no difference remains and a finding was dropped.
 */
export function soonAfter(assertions: readonly Assertion[]): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const findings = await Promise.all(assertions.map(async (assertion) => assertion(scope)));
    const inTime = findings.filter((finding) => !isTooLate(finding));
    const isWhole = inTime.length === findings.length || inTime.some(({ differences }) => differences.length > 0);
    return isWhole ? async () => together(inTime) : null;
  };
}

/**
 * Entries around the last full hours: in the last and first nanosecond and millisecond of each hour, and some distance away. Services
 * divide windows at full hours.
 */
import type { Payload, RelativeStream } from "../arbitraries/streams.ts";
import { isSuccess } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../harness/scope.ts";
import { countEntries, type Stream } from "../model/logs.ts";
import { range } from "./requests.ts";
import { type Dataset, nowOf, type Placing, textOf, storeAt, wholeQuery } from "./datasets.ts";
import { HOUR, lastFullHour } from "./placing.ts";
import { type Finding, together } from "../harness/finding.ts";

const SECOND = 1_000_000_000n;
const MILLISECOND = 1_000_000n;

/** Where entries lie, seen from a full hour. The nearest are a nanosecond apart; the newest is older than any clock is off. */
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

/** The last entry of a stream before a full hour says the same as its first one behind it. */
const [LAST_BEFORE, FIRST_BEHIND] = [5, 8] as const;

const COLOURS = ["red", "green", "blue"] as const;
/** Hours before the last full one that the set reaches back to, tried in this order: what a target takes is not stated. */
const REACHES = [3, 1, 0] as const;

/** What of the set this target takes and keeps. */
export interface HourBoundaryData {
  readonly dataset: Dataset;
  /** How many full hours lie within it. */
  readonly hours: number;
  /** Said of what was left out; null when all of it is there. */
  readonly refused: string | null;
  /**
   * Whether entries before the start of the set were taken that could not be read by themselves: they may come into sight at any time,
   * or be answered to a window that ends later.
   */
  readonly isOlderTaken: boolean;
  /** The first full hour within the set, ns. */
  readonly oldest: bigint;
}

/** The entries around one full hour, dealt out over three streams; `mark` counts hours from the oldest. */
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

/** The mark of the newest hour, as its lines hold it. */
export function newestMark({ streams }: Dataset): number {
  return Math.max(...streams.flatMap(({ entries }) => entries.map(({ line }) => Number(line.split(" ")[1]))));
}

/** The set of the last full hour and `reach` before it, oldest first, or null when a push of it is refused. */
async function pushed(scope: Scope, reach: number, oldest: bigint): Promise<Dataset | null> {
  const payload: Payload = { pushes: Array.from({ length: reach + 1 }, (_, mark) => around(mark)) };
  const dataset = await storeAt(scope, `hours-${reach}`, payload, { anchor: oldest - 2n * HOUR, span: BigInt(reach + 4) * HOUR });
  return dataset.pushes.every(isSuccess) ? dataset : null;
}

/** The part of the set from some time on. */
function since(dataset: Dataset, start: bigint, end: bigint): Dataset {
  const streams: Stream[] = dataset.streams
    .map(({ labels, entries }) => ({ labels, entries: entries.filter(({ ts }) => ts > start) }))
    .filter(({ entries }) => entries.length > 0);
  return { ...dataset, streams, entries: countEntries(streams), start, end };
}

/** Whether the entry that stands alone at a time can be read. */
export async function keeps(scope: Scope, dataset: Dataset, place: bigint): Promise<boolean> {
  return shows(scope, dataset, wholeQuery(dataset), place, 30n * SECOND);
}

/** Whether a query finds anything of a set `around` a time, ns. */
async function shows(scope: Scope, dataset: Dataset, query: string, place: bigint, around: bigint): Promise<boolean> {
  const [start, end] = [place - around, place + around];
  const { value } = await scope.eventually({
    resource: dataset,
    read: async () => (await range({ query, start, end, limit: 10, direction: "forward" })(scope)).answer,
    judge: (streams) =>
      streams !== null && countEntries(streams) > 0
        ? []
        : [{ clause: "logs-4.push", path: "data.result", expected: "an entry that is hours old", actual: "none" }],
  });
  return value !== null && countEntries(value) > 0;
}

/** From when on the entries around a full hour are kept, or null when nothing is kept before it. */
async function keptSince(scope: Scope, dataset: Dataset, hour: bigint): Promise<bigint | null> {
  if (!(await keeps(scope, dataset, hour - 90n * SECOND)) || !(await keeps(scope, dataset, hour + 90n * SECOND))) return null;
  // Each stream: a service may look for what is old elsewhere, where each of them comes at a time of its own.
  for (const value of COLOURS) {
    const query = textOf(dataset, { matchers: [{ name: "svc_colour", operator: "=", value }] });
    if (!(await shows(scope, dataset, query, hour, 60n * SECOND))) return null;
  }
  // What a target keeps may end anywhere, between the first two entries too.
  return (await keeps(scope, dataset, hour - 1_500n * SECOND)) ? hour - 1_800n * SECOND : hour - 120n * SECOND;
}

/** Resolves to null where this target takes or keeps no entries from before the last full hour. */
export const hourBoundaryData: Fixture<HourBoundaryData | null> = fixture("logs", "entries around the last full hours", async (scope) => {
  const last = lastFullHour(await nowOf(scope));
  for (const reach of REACHES) {
    const dataset = await pushed(scope, reach, last - BigInt(reach) * HOUR);
    if (dataset === null) continue;
    // What was taken and is not kept in the oldest hours is left out, as far as the first hour that is there.
    for (let hours = reach + 1; hours > 0; hours -= 1) {
      const oldest = last - BigInt(hours - 1) * HOUR;
      const start = await keptSince(scope, dataset, oldest);
      if (start === null) continue;
      const refused = hours === REACHES[0] + 1 ? null : `entries of only ${hours} of ${REACHES[0] + 1} hours were accepted and shown`;
      const whole = since(dataset, start, last + 120n * SECOND);
      return { dataset: whole, hours, refused, isOlderTaken: whole.entries < dataset.entries, oldest };
    }
    return null;
  }
  return null;
});

/**
 * An assertion of the set that blames nobody where old entries have gone meanwhile: how long and from when on a target shows entries that
 * are hours old is not stated, and a service that looks for the old ones elsewhere may be between the two. Where the newest have gone
 * and the oldest are there, it is not their age.
 */
export function whileKept({ dataset, hours, oldest }: HourBoundaryData, assertion: Assertion): Assertion {
  return async (scope) => {
    const finding = await assertion(scope);
    if (finding.differences.length === 0 || (await keptSince(scope, dataset, oldest)) === dataset.start) return finding;
    const newest = oldest + BigInt(hours - 1) * HOUR;
    if ((await keeps(scope, dataset, oldest - 90n * SECOND)) && !(await keeps(scope, dataset, newest + 90n * SECOND))) return finding;
    throw new Inconclusive("the target stopped showing its oldest entries during the run (see logs-3.states)");
  };
}

/** An assertion of a set that blames nobody where its first entry, which stands at its anchor, has gone meanwhile. */
export function whileBegun(dataset: Dataset, assertion: Assertion): Assertion {
  return async (scope) => {
    const finding = await assertion(scope);
    if (finding.differences.length === 0 || (await keeps(scope, dataset, dataset.anchor))) return finding;
    throw new Inconclusive("the target stopped showing its oldest entries during the run (see logs-3.states)");
  };
}

/** Whether the oldest entries of a set are shown, one of each of so many streams, all within a minute of its anchor. */
export async function showsOldest(scope: Scope, dataset: Dataset, streams: number): Promise<boolean> {
  const [start, end] = [dataset.anchor - 60n * SECOND, dataset.anchor + 60n * SECOND];
  const { answer } = await range({ query: wholeQuery(dataset), start, end, limit: 100, direction: "forward" })(scope);
  return answer !== null && countEntries(answer) === streams;
}

/** Full hours that a target must show before it is given streams that reach over more than two. */
export const OVER_HOURS = 2;
/**
 * Real services look into what they have not put away yet for 161 minutes and more, and for what is older elsewhere, where it comes later;
 * some mistake the window for several tenants where the two meet. No query for several tenants reaches so far back.
 */
const OLDEST_AGE = 145n * 60n * SECOND;

/**
 * From `OLDEST_AGE` ago until now: in streams so long a service may have put away all but the newest entry. Whether they are shown is to
 * be looked at. Null where this target shows little that is old.
 */
export async function overHours(scope: Scope): Promise<Placing | null> {
  const set = await scope.use(hourBoundaryData);
  if (set === null || set.hours < OVER_HOURS) return null;
  return { anchor: (await nowOf(scope)) - OLDEST_AGE, span: OLDEST_AGE };
}

/** How long before the hour the set begins. */
const BEFORE = 1_800n * SECOND;

/** Seconds from the hour. */
const TIMES = { until: [-1_200n, -600n, 0n], since: [0n, 1n, 2n] } as const;

const streams = Object.entries(TIMES).map(([colour, times]): RelativeStream => ({
  labels: { svc_size: "hour", svc_colour: colour },
  entries: times.map((seconds) => ({ offset: BEFORE + seconds * SECOND, line: `${colour} the hour ${seconds}` })),
}));

export interface HourEdgeStreams {
  readonly dataset: Dataset;
  /** ns. */
  readonly hour: bigint;
}

/** Null where this target does not take or keep what is around that hour, as far before it as this set begins. */
export const hourEdgeStreams: Fixture<HourEdgeStreams | null> = fixture(
  "logs",
  "streams that end and begin at a full hour",
  async (scope) => {
    const set = await scope.use(hourBoundaryData);
    if (set === null) return null;
    const hour = set.oldest + BigInt(set.hours - 1) * HOUR;
    if (set.dataset.start > hour - BEFORE) return null;
    const dataset = await storeAt(scope, "until-the-hour", { pushes: [streams] }, { anchor: hour - BEFORE, span: BEFORE + 60n * SECOND });
    return dataset.pushes.every(isSuccess) ? { dataset, hour } : null;
  },
);

/** Within this a service has hardly put away what was pushed. */
const SOON_MS = 1_500;

function isTooLate({ differences, attempts }: Finding): boolean {
  return differences.length > 0 && (attempts?.[0]?.afterWriteMs ?? 0) > SOON_MS;
}

/**
 * A look that carries out assertions at once and answers with what they found. What was wrong at a first look that came late is left out: of
 * what has been put away, real services of the current generation do not find a last entry exactly at a full hour. Null where something
 * was left out and nothing else is wrong, as what is left shows less than was asked.
 */
export function soonAfter(assertions: readonly Assertion[]): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const findings = await Promise.all(assertions.map(async (assertion) => assertion(scope)));
    const inTime = findings.filter((finding) => !isTooLate(finding));
    const isWhole = inTime.length === findings.length || inTime.some(({ differences }) => differences.length > 0);
    return isWhole ? async () => together(inTime) : null;
  };
}

/** Streams of two tenants. They have the same labels, begin and end at the same times, and are old enough to be flushed. */
import type { RelativeEntry } from "../arbitraries/streams.ts";
import type { Window } from "../diagnosis/range-request.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { Ask } from "../harness/expect.ts";
import { type Assertion, fixture, type Scope } from "../harness/scope.ts";
import { type Difference, show, difference } from "../model/difference.ts";
import { type Direction, entriesOf, limited, linesOf, type Stream, withEntries } from "../model/logs.ts";
import { durationText, sumText } from "../model/query-text.ts";
import type { Sample } from "../model/samples.ts";
import { type As, instant, range } from "./requests.ts";
import { type Dataset, wholeQuery, isAccepted } from "./datasets.ts";
import { nowOf, storeAt } from "./dataset-pushes.ts";
import type { Placing } from "./placing.ts";
import { overHours, unlessGone } from "./hour-boundary-data.ts";
import type { Tenant, TwoTenants } from "./two-tenants.ts";
import { HOUR, MINUTE } from "../model/times.ts";

/** The age of the last entry in ns. */
const LAST_AGE = 3n * MINUTE;
/** The number of entries of each tenant. They differ, so that a count shows whether a tenant reads entries of the other tenant. */
const AMOUNTS = { first: 4, second: 6 } as const;

type Owner = Tenant["owner"];

function oldEntries(owner: Owner, now: bigint): { offset: bigint; line: string }[] {
  const last = AMOUNTS[owner] - 1;
  return Array.from({ length: last + 1 }, (_, index) => ({
    offset: index === last ? now - LAST_AGE : BigInt(index) * 7n * MINUTE,
    line: `${owner} old ${index}`,
  }));
}

/** Returns a window of the past with three entries of the first tenant and five of the second. No entry is near an edge of the window. */
export function longAgo({ anchor }: Dataset): Window {
  return { start: anchor - 10n * MINUTE, end: anchor + 31n * MINUTE };
}

/** Returns a larger window with the same entries as `longAgo`. It contains a whole half hour, whose result a service may cache. */
export function inParts(dataset: Dataset): Window {
  const { start, end } = longAgo(dataset);
  return { start: start - HOUR, end };
}

/** Pushes a stream for each tenant, with the same labels. Resolves to null if a push was refused, or was repeated under another name. */
async function pushedByBoth(
  scope: Scope,
  name: string,
  placing: Placing,
  entries: (owner: Owner) => readonly RelativeEntry[],
): Promise<TwoTenants | null> {
  const { tenantId2 } = scope.logsTarget;
  const push = async (owner: Owner): Promise<Tenant> => {
    const override = owner === "second" ? { tenant: tenantId2 } : {};
    const payload = { pushes: [[{ labels: { svc_size: "old", svc_colour: "old" }, entries: entries(owner) }]] };
    const dataset = await storeAt(scope, name, payload, placing, override);
    return { owner, override, dataset, ownName: "svc_size", ownSize: "old", ownColour: "old" };
  };
  const second = await push("second");
  const first = await push("first");
  const isTaken = [first, second].every(({ dataset }) => dataset.name === name && isAccepted(dataset));
  return isTaken ? { first, second } : null;
}

/** Old streams of two tenants, pushed early. Null if such entries are refused or not returned, or if a push was repeated. */
export const flushedTenants = fixture<TwoTenants | null>("logs", "old streams of two tenants", async (scope) => {
  const placing = await overHours(scope);
  return placing === null ? null : pushedByBoth(scope, "old-tenants", placing, (owner) => oldEntries(owner, placing.span));
});

/** The distance between entries of the hourly streams, and the age of the first entry, in ns. The last entry is about 1 h old. */
const STEP = 5n * MINUTE;
const FIRST_AGE = 240n * MINUTE;
const HOURLY_ENTRIES = Number((FIRST_AGE - HOUR) / STEP) + 1;

/**
 * Streams of both tenants with an entry every 5 min, from 4 h to 1 h ago. A newer entry lets a service flush the older entries. No entry is
 * within 2 min of a full hour. The streams are pushed early in the run. Null if the target refuses such entries.
 */
export const hourlyTenants = fixture<TwoTenants | null>("logs", "hours of entries of two tenants", async (scope) => {
  const now = await nowOf(scope);
  const anchor = ((now - FIRST_AGE) / STEP) * STEP + STEP / 2n;
  const last = now - anchor - LAST_AGE;
  return pushedByBoth(scope, "hourly-tenants", { anchor, span: last }, (owner) =>
    [...Array.from({ length: HOURLY_ENTRIES }, (_, index) => BigInt(index) * STEP), last].map((offset, index) => ({
      offset: offset + (owner === "second" ? 1_000_000_001n : 1n),
      line: `${owner} hourly ${index}`,
    })),
  );
});

/** A window of one or two full hours of the clock, such as from 10:00 to 11:00. */
type ClockHour = Window;

/** Returns the full hours (such as 10:00 to 11:00) that have entries of the hourly streams, in ascending order. */
export function clockHours({ first }: TwoTenants): ClockHour[] {
  const times = entriesOf(first.dataset.streams).map(({ ts }) => ts);
  const hours = new Set(times.slice(0, HOURLY_ENTRIES).map((ts) => (ts / HOUR) * HOUR));
  return [...hours].map((start) => ({ start, end: start + HOUR }));
}

/** Returns the window that starts half an hour later. A service may read a half of it from memory, and a half from its store. */
export function halfAnHourLater({ start, end }: ClockHour): ClockHour {
  return { start: start + HOUR / 2n, end: end + HOUR / 2n };
}

interface HourRead<A> {
  readonly clause: ClauseId;
  readonly ask: (hour: ClockHour, as: As) => Ask<A>;
  /** The read of a single tenant. It has no low limit. */
  readonly askAlone: (hour: ClockHour, as: As) => Ask<A>;
  /** Returns a difference if the response for both tenants lacks an entry, and reads of a single tenant showed it before and afterwards. */
  readonly missing: (both: A, alone: readonly (readonly [before: A, after: A])[]) => Difference[];
  /** Whether the response for both tenants lacks at least one of the entries that it must have. `shown` has the entries of the window. */
  readonly lacks: (both: A, shown: readonly Stream[]) => boolean;
}

/** A limit above the number of entries of both streams. */
const MOST = 200;

const CLAUSE = "logs-5.2b";

const totalOf = (samples: readonly Sample[]): number => samples.reduce((sum, { value }) => sum + value, 0);

/** Reads the entries of a window. With a limit, the response must have the oldest or the newest entries, depending on the direction. */
function entriesOfHour(query: string, limit = MOST, direction: Direction = "backward"): HourRead<readonly Stream[]> {
  const due = (shown: readonly Stream[]): string[] => limited(shown, limit, direction).must.map(({ line }) => line);
  return {
    clause: "logs-4.query_range",
    ask: ({ start, end }, as) => range({ query, start, end, limit, direction }, as),
    askAlone: ({ start, end }, as) => range({ query, start, end, limit: MOST }, as),
    missing: (both, alone) => {
      const known = alone.flatMap(([before, after]) => withEntries(before, ({ line }) => linesOf(after).has(line)));
      // An entry that a single tenant does not always show may take the place of a known entry, so the limited response shows nothing.
      if (limit < MOST && [...linesOf(both)].some((line) => !linesOf(known).has(line)))
        throw new Inconclusive("a query of two tenants returned an entry that queries of each tenant alone do not always return");
      const shown = due(known);
      const lost = shown.filter((line) => !linesOf(both).has(line));
      const which =
        limit === MOST ? `the ${shown.length} entries` : `the ${direction === "backward" ? "newest" : "oldest"} ${shown.length} entries`;
      const expected = `${which} of this window: reads of each tenant alone showed them before and after this query`;
      const actual = `${lost.length} of these entries are missing; the first is ${show(lost[0])}`;
      return lost.length === 0 ? [] : [difference(CLAUSE, "data.result", expected, actual, limit < MOST ? "wrong-choice" : "too-few")];
    },
    lacks: (both, shown) => due(shown).some((line) => !linesOf(both).has(line)),
  };
}

function countOfHour(query: string): HourRead<readonly Sample[]> {
  const ask: HourRead<readonly Sample[]>["ask"] = ({ end }, as) => instant(query, end, as);
  return {
    clause: "logs-4.query",
    ask,
    askAlone: ask,
    missing: (both, alone) => {
      const shown = alone.reduce((sum, [before, after]) => sum + Math.min(totalOf(before), totalOf(after)), 0);
      const expected = `at least ${shown}, the sum of the counts of each tenant alone before and after this query`;
      return totalOf(both) >= shown ? [] : [difference(CLAUSE, "data.result", expected, `${totalOf(both)}`, "sample")];
    },
    lacks: (both, shown) => totalOf(both) < linesOf(shown).size,
  };
}

/** The streams that each tenant alone reads. */
export function shownAlone({ first, second }: TwoTenants): (scope: Scope) => Promise<readonly Stream[]> {
  return async (scope) => {
    const answers: Stream[] = [];
    for (const { dataset, override } of [first, second]) {
      const { start, end } = dataset;
      const { answer } = await range({ query: wholeQuery(dataset), start, end, limit: MOST }, { override })(scope);
      answers.push(...(answer ?? []));
    }
    return answers;
  };
}

function shownIn({ start, end }: ClockHour, streams: readonly Stream[]): Stream[] {
  return withEntries(streams, ({ ts }) => ts > start && ts < end);
}

/** Whether `shown` has entries of both tenants in an hour. */
export function isShownToBoth(hour: ClockHour, shown: readonly Stream[]): boolean {
  const lines = [...linesOf(shownIn(hour, shown))];
  return (["first", "second"] as const).every((owner) => lines.some((line) => line.startsWith(`${owner} `)));
}

/**
 * Returns assertions: in one hour, reads of both tenants return the entries `shown`, which each tenant alone reads. If entries are missing,
 * the request is repeated, and each tenant alone is read before and after it. If these reads lack an entry too, the entry is not judged.
 */
export function hourOfBoth(tenants: TwoTenants, hour: ClockHour, tenant: string, shown: readonly Stream[]): Assertion[] {
  const { dataset } = tenants.first;
  const own = shownIn(hour, shown);
  const count = sumText("count_over_time", { matchers: dataset.matchers, filters: [] }, durationText(hour.end - hour.start));
  return [
    hourAssertion(tenants, hour, tenant, own, entriesOfHour(wholeQuery(dataset))),
    hourAssertion(tenants, hour, tenant, own, countOfHour(count)),
  ];
}

/** A limit below the number of entries that both tenants have in one hour, and a limit above it. */
const LIMITS = [10, 30] as const;

/** Returns assertions: in two hours, reads of both tenants with a limit return the nearest of the entries that each tenant alone reads. */
export function nearestOfBoth(tenants: TwoTenants, hours: Window, tenant: string, shown: readonly Stream[]): Assertion[] {
  const query = wholeQuery(tenants.first.dataset);
  return (["backward", "forward"] as const).flatMap((direction) =>
    LIMITS.map((limit) => hourAssertion(tenants, hours, tenant, shownIn(hours, shown), entriesOfHour(query, limit, direction))),
  );
}

function hourAssertion<A>(
  { first, second }: TwoTenants,
  hour: ClockHour,
  tenant: string,
  shown: readonly Stream[],
  { clause, ask, askAlone, missing, lacks }: HourRead<A>,
): Assertion {
  const alone = [first, second].map(({ override }) => askAlone(hour, { override, clause }));
  const both = ask(hour, { override: { tenant }, clause: CLAUSE });
  const input = { hour: { start: hour.start.toString(), end: hour.end.toString() }, tenants: tenant };
  return async (scope) => {
    const quick = await both(scope);
    if (quick.answer !== null && !lacks(quick.answer, shown))
      return { clauses: [CLAUSE], differences: [], exchanges: quick.exchanges, input };
    for (const { dataset } of [first, second]) await scope.untilAfterWrite(dataset, scope.settle.deadlineMs);
    const before = await Promise.all(alone.map(async (one) => one(scope)));
    const named = await both(scope);
    const after = await Promise.all(alone.map(async (one) => one(scope)));
    const pairs = before.flatMap(({ answer }, index): (readonly [A, A])[] => {
      const later = after[index]?.answer ?? null;
      return answer === null || later === null ? [] : [[answer, later]];
    });
    const differences = named.answer === null ? named.malformed : missing(named.answer, pairs);
    return { clauses: [CLAUSE], differences, exchanges: [named, ...after, ...before].flatMap(({ exchanges }) => exchanges), input };
  };
}

/** Whether a read of a tenant returns the first entry of its stream. A service may have another maximum age for each tenant. */
export function beginsWithOldest({ dataset, override }: Tenant): (scope: Scope) => Promise<boolean> {
  const { start, end, streams } = dataset;
  return async (scope) => {
    const { answer } = await range({ query: wholeQuery(dataset), start, end, limit: 100, direction: "forward" }, { override })(scope);
    const first = streams[0]?.entries[0]?.ts;
    return first !== undefined && entriesOf(answer ?? []).some(({ ts }) => ts === first);
  };
}

/** Throws `Inconclusive` if the assertion finds a difference, and a read of one of the tenants no longer returns its oldest entry. */
export function whileBothBegin({ first, second }: TwoTenants, assertion: Assertion): Assertion {
  return unlessGone(assertion, async (scope) => (await beginsWithOldest(first)(scope)) && beginsWithOldest(second)(scope));
}

/**
 * Streams with one hour that is flushed in two parts, both of which a service must read. Each part also has entries hours away.
 * Only runs that have some minutes of time use these streams.
 */
import { type RelativeEntry, type RelativeStream, evenly } from "../arbitraries/streams.ts";
import { type Assertion, type Fixture, fixture } from "../harness/scope.ts";
import { countEntries, within } from "../model/logs.ts";
import { AWAY_MS } from "./archive.ts";
import { type Dataset, extend, nowOf, acceptedAt, isAccepted } from "./datasets.ts";
import { keeps, overHours, showsOldest, unlessGone } from "./hour-boundary-data.ts";
import { shown } from "./out-of-order-data.ts";
import { comeBack, useful } from "./read-back.ts";
import { HOUR, MINUTE, SECOND } from "../model/times.ts";

/** Ns from the oldest entry to the hour, and from the hour to the newest entry. These distances make both parts longer than 2 h. */
const BEFORE = 2n * HOUR - MINUTE;
const AFTER = 2n * HOUR + 45n * MINUTE;
const STREAMS = 3;
/** The number of entries of a stream in each part of the hour. */
const ENTRIES = 20;
/** The starts of the parts within the hour, in ns. Each part takes half of the distance between them. */
const PARTS = [10n * MINUTE, 30n * MINUTE] as const;
const STEP = 29n * SECOND;

const lineOf = (which: 0 | 1): string => `part ${which} `;

function part(which: 0 | 1, edge: (stream: number) => RelativeEntry): RelativeStream[] {
  return Array.from({ length: STREAMS }, (_, stream) => {
    const begin = BEFORE + PARTS[which] + BigInt(stream) * SECOND + 7n;
    const own = evenly(ENTRIES, STEP, begin, (index) => `${lineOf(which)}of ${stream}, ${index} ${index % 2 === 0 ? "even" : "odd"}`);
    return {
      labels: { svc_size: "twice", svc_colour: `twice ${stream}` },
      entries: [...own, edge(stream)].toSorted((one, other) => (one.offset < other.offset ? -1 : 1)),
    };
  });
}

const first = part(0, (stream) => ({ offset: BigInt(stream) * SECOND, line: `the oldest of ${stream}` }));
const second = part(1, (stream) => ({ offset: BEFORE + AFTER - 5n * MINUTE + BigInt(stream) * SECOND, line: `the newest of ${stream}` }));

/** The first part, pushed early in a run. The value is null if the target refuses such entries or does not return them. */
export const firstPart: Fixture<Dataset | null> = fixture(
  "logs",
  "the first part of streams, pushed so early that it is flushed before the second part",
  async (scope) => {
    if ((await overHours(scope)) === null) return null;
    const hour = (((await nowOf(scope)) - AFTER) / HOUR) * HOUR;
    return acceptedAt(scope, "twice", [first], { anchor: hour - BEFORE, span: BEFORE + AFTER });
  },
);

/** The streams with the second part, pushed when the first may be flushed. The fixture is complete when both may be flushed. */
const secondPart: Fixture<Dataset | null> = fixture("logs", "streams whose entries of one hour are flushed in two parts", async (scope) => {
  const begun = await scope.use(firstPart);
  if (begun === null) return null;
  await scope.untilAfterWrite(begun, AWAY_MS);
  if (!(await keeps(scope, begun, begun.anchor))) return null;
  const dataset = await extend(scope, useful(await comeBack(scope, begun)), second);
  if (dataset === null || !isAccepted(dataset)) return null;
  await scope.untilAfterWrite(dataset, AWAY_MS);
  return shown(scope, dataset, ({ line }) => line.startsWith(lineOf(1)));
});

/** Throws `Inconclusive` if the assertion finds a difference and an oldest entry is gone, which the documents allow. */
export function whileAllShown(whole: Dataset, assertion: Assertion): Assertion {
  return unlessGone(assertion, async (scope) => showsOldest(scope, whole, STREAMS));
}

export interface TwoParts {
  readonly whole: Dataset;
  readonly hour: Dataset;
  /** A time between the parts, in ns. */
  readonly between: bigint;
}

/** The streams of both parts, as reads returned them, or null if such entries are refused or not returned, which the documents allow. */
export const twoFlushes: Fixture<TwoParts | null> = fixture("logs", "an hour that is flushed in two parts", async (scope) => {
  const whole = await scope.use(secondPart);
  if (whole === null) return null;
  const hour = whole.anchor + BEFORE;
  const window = { start: hour + MINUTE, end: hour + 50n * MINUTE };
  const streams = within(whole.streams, window.start, window.end);
  return { whole, hour: { ...whole, ...window, streams, entries: countEntries(streams) }, between: hour + 25n * MINUTE };
});

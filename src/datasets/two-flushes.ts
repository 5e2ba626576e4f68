/**
 * Streams of which one hour is put away in two parts, one long after the other: a service reads that hour out of both, and both have
 * entries hours away from it. For runs that have the minutes that this takes.
 */
import type { RelativeEntry, RelativeStream } from "../arbitraries/streams.ts";
import { isSuccess } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { type Assertion, type Fixture, fixture } from "../harness/scope.ts";
import { countEntries, within } from "../model/logs.ts";
import { AWAY_MS } from "./archive.ts";
import { type Dataset, extend, nowOf, storeAt } from "./datasets.ts";
import { keeps, overHours, showsOldest } from "./hour-boundary-data.ts";
import { shown } from "./out-of-order-data.ts";
import { HOUR } from "./placing.ts";
import { comeBack, useful } from "./read-back.ts";

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;

/** From the oldest entry to the hour that is read, and from there to the newest: with either a part spans more than two hours. */
const BEFORE = 2n * HOUR - MINUTE;
const AFTER = 2n * HOUR + 45n * MINUTE;
const STREAMS = 3;
/** Entries of a stream in either part of the hour. */
const ENTRIES = 20;
/** Where the parts begin within the hour; each takes half as long as it is to the next. */
const PARTS = [10n * MINUTE, 30n * MINUTE] as const;
const STEP = 29n * SECOND;

const lineOf = (which: 0 | 1): string => `part ${which} `;

function part(which: 0 | 1, edge: (stream: number) => RelativeEntry): RelativeStream[] {
  return Array.from({ length: STREAMS }, (_, stream) => {
    const own = Array.from({ length: ENTRIES }, (_entry, index): RelativeEntry => ({
      offset: BEFORE + PARTS[which] + BigInt(index) * STEP + BigInt(stream) * SECOND + 7n,
      line: `${lineOf(which)}of ${stream}, ${index} ${index % 2 === 0 ? "even" : "odd"}`,
    }));
    return {
      labels: { svc_size: "twice", svc_colour: `twice ${stream}` },
      entries: [...own, edge(stream)].toSorted((one, other) => (one.offset < other.offset ? -1 : 1)),
    };
  });
}

const first = part(0, (stream) => ({ offset: BigInt(stream) * SECOND, line: `the oldest of ${stream}` }));
const second = part(1, (stream) => ({ offset: BEFORE + AFTER - 5n * MINUTE + BigInt(stream) * SECOND, line: `the newest of ${stream}` }));

/** The first part, pushed early in a run; null where this target does not take or show entries that are so old. */
export const firstPart: Fixture<Dataset | null> = fixture("logs", "streams with one hour that is flushed", async (scope) => {
  if ((await overHours(scope)) === null) return null;
  const hour = (((await nowOf(scope)) - AFTER) / HOUR) * HOUR;
  const dataset = await storeAt(scope, "twice", { pushes: [first] }, { anchor: hour - BEFORE, span: BEFORE + AFTER });
  return dataset.pushes.every(isSuccess) ? dataset : null;
});

/** The same with the second part, which came when the first could have been put away; it can have been put away as well by then. */
const secondPart: Fixture<Dataset | null> = fixture("logs", "streams with one hour that is flushed twice", async (scope) => {
  const begun = await scope.use(firstPart);
  if (begun === null) return null;
  await scope.untilAfterWrite(begun, AWAY_MS);
  if (!(await keeps(scope, begun, begun.anchor))) return null;
  const dataset = await extend(scope, useful(await comeBack(scope, begun)), second);
  if (dataset === null || !dataset.pushes.every(isSuccess)) return null;
  await scope.untilAfterWrite(dataset, AWAY_MS);
  return shown(scope, dataset, ({ line }) => line.startsWith(lineOf(1)));
});

/** An assertion that blames nobody where the oldest entry of some stream is not shown any more: which a target shows is not stated. */
export function whileAllShown(whole: Dataset, assertion: Assertion): Assertion {
  return async (scope) => {
    const finding = await assertion(scope);
    if (finding.differences.length === 0 || (await showsOldest(scope, whole, STREAMS))) return finding;
    throw new Inconclusive("the target stopped showing its oldest entries during the run (see logs-3.states)");
  };
}

export interface TwoParts {
  readonly whole: Dataset;
  /** The hour alone. */
  readonly hour: Dataset;
  /** Between the parts, ns. */
  readonly between: bigint;
}

/** Null where this target does not take or show such entries; which it takes, and from when on it shows them, is not stated. */
export const twoFlushes: Fixture<TwoParts | null> = fixture("logs", "an hour that is flushed in two parts", async (scope) => {
  const whole = await scope.use(secondPart);
  if (whole === null) return null;
  const hour = whole.anchor + BEFORE;
  const window = { start: hour + MINUTE, end: hour + 50n * MINUTE };
  const streams = within(whole.streams, window.start, window.end);
  return { whole, hour: { ...whole, ...window, streams, entries: countEntries(streams) }, between: hour + 25n * MINUTE };
});

/** Entries beside others that are hours old and that a service may have put away by then: equal to them in other streams, or at their times. */
import type { RelativeEntry, RelativeStream } from "../../arbitraries/streams.ts";
import { isSuccess } from "../../client/exchange.ts";
import { type Fixture, fixture } from "../../harness/scope.ts";
import { countEntries } from "../../model/logs.ts";
import { type Dataset, extend, nowOf, storeAt } from "./datasets.ts";
import { hourSet } from "./hour-set.ts";
import { lateSet, shown } from "./late-set.ts";
import { HOUR } from "./placing.ts";

const MINUTE = 60_000_000_000n;
/** Where the first entries lie: many services look into what they have not put away for three hours. */
const AGE = 3n * HOUR - 8n * MINUTE;
/** Full hours that a target must show for that. */
const HOURS = 4;

/** From the first to the last entry of a stream it is more than two hours, after which a service may put away all of it. */
const FIRST = 0n;
const SAME = [121n, 122n, 123n] as const;
const LAST = 125n;

const STREAMS = 6;
const LATE = "late";

function streams(size: string, entries: (stream: number) => readonly RelativeEntry[]): RelativeStream[] {
  return Array.from({ length: STREAMS }, (_, stream) => ({
    labels: { svc_size: size, svc_colour: `beside ${stream}` },
    entries: entries(stream),
  }));
}

/** The same entries in every stream that has them. */
const same: readonly RelativeEntry[] = SAME.map((minutes) => ({ offset: minutes * MINUTE + 7n, line: `same ${minutes}` }));

const before = streams("old", (stream) => [
  { offset: FIRST, line: `first ${stream}` },
  ...same,
  { offset: LAST * MINUTE, line: `last ${stream}` },
]);

const equal = streams("equal", () => same);

const late = streams("old", (stream) => same.map(({ offset }) => ({ offset, line: `${LATE} ${stream}` })));

/** Pushed early in a run; null where this target does not take or show entries that are so old. */
export const oldStreams: Fixture<Dataset | null> = fixture("logs", "streams of more than two hours", async (scope) => {
  const hours = (await scope.use(hourSet))?.hours ?? 0;
  if (hours < HOURS) return null;
  const anchor = (await nowOf(scope)) - AGE;
  const dataset = await storeAt(scope, "beside-old", { pushes: [before] }, { anchor, span: (LAST + 1n) * MINUTE });
  return dataset.pushes.every(isSuccess) ? dataset : null;
});

/** The same with what was pushed long after it; null where that was not taken or nothing so old is to be had. */
export const besideOld: Fixture<Dataset | null> = fixture("logs", "entries beside others that are hours old", async (scope) => {
  const old = await scope.use(oldStreams);
  if (old === null) return null;
  const isLateTaken = (await scope.use(lateSet)) !== null;
  await scope.untilAfterWrite(old, scope.settle.deadlineMs);
  const dataset = await extend(scope, old, isLateTaken ? [...equal, ...late] : equal);
  if (dataset === null || !dataset.pushes.every(isSuccess)) return null;
  if (!isLateTaken) return dataset;
  return (await shown(scope, dataset, ({ line }) => line.startsWith(LATE), 1)) ?? withoutLate(dataset);
});

function withoutLate(dataset: Dataset): Dataset {
  const left = dataset.streams.map(({ labels, entries }) => ({ labels, entries: entries.filter(({ line }) => !line.startsWith(LATE)) }));
  return { ...dataset, streams: left, entries: countEntries(left) };
}

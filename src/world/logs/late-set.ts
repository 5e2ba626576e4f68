/** Entries that are older than what their stream holds already: which of them a service takes is not stated, what it shows of them is judged. */
import type { RelativeStream } from "../../arbitraries/streams.ts";
import { noise } from "../../arbitraries/noise.ts";
import { isSuccess } from "../../client/exchange.ts";
import { type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import type { AnsweredStream } from "../../model/log-answer.ts";
import { range } from "./asks.ts";
import { type Dataset, store, wholeQuery } from "./datasets.ts";

const SECOND = 1_000_000_000n;

/** The late entries lie between these, seen from the anchor of the set; everything else is newer. */
export const LATE = { from: 5n * SECOND, to: 200n * SECOND } as const;
const NEWER = 220n * SECOND;
const NEWEST = 480n * SECOND;

/** More than a block of 256 KiB, so that the late entries come to a stream of which a part is put away. */
function ascending(colour: string): RelativeStream {
  return {
    labels: { svc_size: "late", svc_colour: colour },
    entries: Array.from({ length: 250 }, (_, index) => ({
      offset: NEWER + BigInt(index) * 700_000_003n,
      line: `in time ${colour} ${index} ${noise(index, 1_100)}`,
    })),
  };
}

function late(colour: string): RelativeStream {
  return {
    labels: { svc_size: "late", svc_colour: colour },
    entries: Array.from({ length: 40 }, (_, index) => ({
      offset: LATE.from + BigInt(index) * 4_500_000_007n,
      line: `late ${colour} ${index}`,
    })),
  };
}

function newest(colour: string): RelativeStream {
  return {
    labels: { svc_size: "late", svc_colour: colour },
    entries: [0n, 1n, 2n].map((index) => ({ offset: NEWEST + index * SECOND, line: `newest ${colour} ${index}` })),
  };
}

/**
 * Whether any late entry can be read: taken and not shown is what some services do with entries that are late. Looked for from the
 * oldest entry on, and by no window of their own: a window that leaves them out is a defect to be found.
 */
async function shows(scope: Scope, dataset: Dataset): Promise<boolean> {
  const { start, end } = dataset;
  const isLate = (streams: readonly AnsweredStream[]): boolean =>
    streams.some(({ entries }) => entries.some(({ ts }) => ts < dataset.anchor + LATE.to));
  const { value } = await scope.eventually({
    resource: dataset,
    read: async () => (await range({ query: wholeQuery(dataset), start, end, limit: 1_000, direction: "forward" })(scope)).answer,
    judge: (streams) =>
      streams !== null && isLate(streams)
        ? []
        : [{ clause: "logs-4.push", path: "data.result", expected: "entries that came late", actual: "none" }],
  });
  return value !== null && isLate(value);
}

/** One stream that ends with the late entries and one that goes on after them; null where they are refused or not shown. */
export const lateSet: Fixture<Dataset | null> = fixture("logs", "entries that came late", async (scope) => {
  const pushes = [[ascending("last"), ascending("between")], [late("last"), late("between")], [newest("between")]];
  const dataset = await store(scope, "late-entries", { pushes });
  return dataset.pushes.every(isSuccess) && (await shows(scope, dataset)) ? dataset : null;
});

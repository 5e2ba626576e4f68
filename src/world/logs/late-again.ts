/** Entries that come late to a stream of which a service may have put away what it held: they lie among those, and all are one stream. */
import type { RelativeStream } from "../../arbitraries/streams.ts";
import { isSuccess } from "../../client/exchange.ts";
import { type Fixture, fixture } from "../../harness/scope.ts";
import { type Dataset, extend, store } from "./datasets.ts";
import { lateSet, shown } from "./late-set.ts";
import { visible } from "./reading.ts";

const SECOND = 1_000_000_000n;
const COLOURS = ["one", "other"] as const;
const AGAIN = "again";
/** The time after which a service may have put the entries away. */
const PUT_AWAY_MS = 9_000;

/** Entries every ten seconds from `from` seconds on. */
function entries(word: string, from: bigint, count: number): RelativeStream[] {
  return COLOURS.map((colour, stream) => ({
    labels: { svc_size: "late again", svc_colour: colour },
    entries: Array.from({ length: count }, (_, index) => ({
      offset: (from + BigInt(index) * 10n) * SECOND + BigInt(stream) * 11n,
      line: `${word} ${colour} ${index}`,
    })),
  }));
}

/** What was pushed early in a run; reads of it alone are not to be asked again once more has come. */
export const beforeLate: Fixture<Dataset> = fixture(
  "logs",
  "streams that get out-of-order entries, soon and minutes later",
  async (scope) => visible(scope, await store(scope, "late-again", { pushes: [entries("before", 1n, 40)] })),
);

/** Why nothing is to be seen of late entries: what of them a target takes and shows is not stated, and a push happens once only. */
export type Unseen = "not shown" | "not answered";

/** The same with the late entries that this target shows, once nothing of it was written for a while. */
export const lateAgain: Fixture<Dataset | Unseen> = fixture(
  "logs",
  "out-of-order entries, pushed soon after the others and minutes later",
  async (scope) => {
    if ((await scope.use(lateSet)).shown === null) return "not shown";
    const before = await scope.use(beforeLate);
    await scope.untilAfterWrite(before, Math.min(PUT_AWAY_MS, scope.settle.deadlineMs));
    const dataset = await extend(scope, before, entries(AGAIN, 105n, 12));
    if (dataset === null) return "not answered";
    const seen = dataset.pushes.every(isSuccess) ? await shown(scope, dataset, ({ line }) => line.startsWith(AGAIN), 1) : null;
    return seen ?? "not shown";
  },
);

/** The same when a service may have put away the late ones as well, beside what it had put away before. */
export const lateAgainSettled: Fixture<Dataset | Unseen> = fixture("logs", "out-of-order entries, also after a flush", async (scope) => {
  const dataset = await scope.use(lateAgain);
  if (typeof dataset !== "string") await scope.untilAfterWrite(dataset, scope.settle.windowMs);
  return dataset;
});

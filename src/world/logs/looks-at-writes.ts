/** Looks at what the log document leaves open about pushes and tenants, which is not judged, and at what it does not. */
import { type Answered, statusOf } from "../../client/exchange.ts";
import { pushBody } from "../../client/logs.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import { countEntries } from "../../model/logs.ts";
import { streamsOf } from "./answers.ts";
import { type Dataset, RUN_LABEL, SET_LABEL, store, stored } from "./datasets.ts";
import { bodyShape } from "./looks.ts";
import { selection } from "./range-query.ts";
import { visible, wholeRange } from "./reading.ts";

export async function malformedPush({ logs }: Scope): Promise<unknown> {
  const answer = await logs.probePush("push (malformed)", '{"streams": 1}');
  return { status: statusOf(answer), body: bodyShape(answer) };
}

export async function withoutTenant({ logs }: Scope): Promise<number> {
  return statusOf(await logs.probe("labels without a tenant", "labels", {}, { tenant: null }));
}

/** How many entries are answered for one that was pushed twice; null where the answer cannot be read. */
export async function twice(scope: Scope): Promise<number | null> {
  const entry = { offset: 60_000_000_000n, line: "twice" };
  const dataset = await visible(
    scope,
    await store(scope, "duplicate", { pushes: [[{ labels: {}, entries: [entry] }], [{ labels: {}, entries: [entry] }]] }),
  );
  const { streams } = streamsOf(await scope.logs.queryRange(wholeRange(dataset)));
  return streams === null ? null : countEntries(streams);
}

/** Whether an entry with an empty line is answered that is the only one of its stream; null where the answer cannot be read. */
export async function emptyLineAlone(scope: Scope): Promise<boolean | null> {
  const dataset = await store(scope, "empty-alone", { pushes: [[{ labels: {}, entries: [{ offset: 60_000_000_000n, line: "" }] }]] });
  const { streams } = streamsOf(await scope.logs.queryRange(wholeRange(dataset)));
  return streams === null ? null : countEntries(streams) > 0;
}

interface Late {
  readonly dataset: Dataset;
  /** What the older entry was answered. */
  readonly late: Answered;
}

/** A stream of one entry, and a push of one that is older. */
const lateToOne: Fixture<Late> = fixture("logs", "a push of entries that are older than the entries of the stream", async (scope) => {
  const entry = { offset: 60_000_000_000n, line: "newest" };
  const dataset = await store(scope, "late", { pushes: [[{ labels: {}, entries: [entry] }]] });
  const labels = { [RUN_LABEL]: scope.run.runId, [SET_LABEL]: dataset.name };
  const body = pushBody([{ labels, entries: [{ ts: dataset.anchor + 1n, line: "late" }] }]);
  return { dataset, late: await scope.logs.probePush("push (out of order)", body) };
});

/** The status of a push that is older than what its stream holds. */
export async function lateWrite(scope: Scope): Promise<number> {
  return statusOf((await scope.use(lateToOne)).late);
}

/** What was there before an older entry came is read in windows behind that one, whatever became of it. */
export const newestAfterLate: Assertion = async (scope) => {
  const { dataset: pushed, late } = await scope.use(lateToOne);
  const dataset = stored(pushed);
  const window = { start: dataset.anchor + 30_000_000_000n, end: dataset.end };
  const finding = await selection({ ...dataset, lastWriteAt: late.endedAt }, { window }, "logs-4.query_range")(scope);
  return { ...finding, exchanges: [...finding.exchanges, late] };
};

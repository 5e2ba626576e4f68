/** Makes assertions about pushes: reads return the pushed entries completely. */
import type { Payload, RelativeStream } from "../arbitraries/streams.ts";
import { type Answered, isAnswered, isPassing, isSuccess, statusOf } from "../client/exchange.ts";
import type { RangeParameters } from "../client/logs.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { expecting } from "../harness/expect.ts";
import { type Finding, together } from "../harness/finding.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../harness/scope.ts";
import type { Difference } from "../model/difference.ts";
import { type LineFilter, containing } from "../model/logs.ts";
import { logQueryText } from "../model/query-text.ts";
import { range } from "../datasets/requests.ts";
import { type Dataset, extend, maskedPush, placedSet, refusalFinding, store } from "../datasets/datasets.ts";
import { hello } from "../datasets/first-push.ts";
import type { Age } from "../datasets/placing.ts";
import { countOf } from "../queries/window-cases.ts";
import { metricText, metricAssertion } from "../queries/metrics.ts";
import { comeBack, compareWhole, type PushedSet, readBack, visible, wholeRange } from "../datasets/read-back.ts";

/** The first small dataset as it was returned. A closing check reads it again. */
export const firstRead: Fixture<PushedSet> = fixture("logs", "a first push, read back", async (scope) => {
  const dataset = await scope.use(hello);
  const pushed = await comeBack(scope, dataset);
  if (refusalFinding(dataset) === null) scope.revisit(dataset, readBack(dataset));
  return pushed;
});

/** Returns an assertion that the first push is accepted and its entries are returned. Other checks judge the form of the response. */
export function firstPush(dataset: Dataset): Assertion {
  return async (scope) => {
    const { finding } = await scope.use(firstRead);
    return { ...finding, clauses: ["logs-4.push"], exchanges: [...finding.exchanges, ...dataset.pushes] };
  };
}

/** Returns an assertion that pushes a payload as a new dataset and reads it. A closing check reads it again if the first read was right. */
export function comesBack(name: string, payload: Payload): Assertion {
  return async (scope) => judgedPush(scope, await store(scope, `${name}-${scope.unique()}`, payload));
}

async function judgedPush(scope: Scope, dataset: Dataset): Promise<Finding> {
  const { finding } = await comeBack(scope, dataset);
  if (finding.differences.length === 0) scope.revisit(dataset, readBack(dataset));
  return { ...finding, exchanges: [...finding.exchanges, ...dataset.pushes] };
}

/** Pushes a payload that a server may refuse. Resolves to the assertion that reads it, or to null after a refusal. */
export function onceTaken(name: string, payload: Payload): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const dataset = await store(scope, name, payload);
    return refusalFinding(dataset) === null ? (later) => judgedPush(later, dataset) : null;
  };
}

/** Calls `attempt` with pauses until it resolves to a value. Throws `Inconclusive` with `failure` if it resolves to null `most` times. */
export async function untilDefinite<T>(
  { run }: Scope,
  most: number,
  failure: string,
  attempt: (index: number) => Promise<T | null>,
): Promise<T> {
  for (let index = 0; index < most; index += 1) {
    if (index > 0) await run.pause(run.transport("logs").pauseAfter(index - 1));
    const value = await attempt(index);
    if (value !== null) return value;
  }
  throw new Inconclusive(failure);
}

const MOST_TRIES = 8;

const GROWN = { svc_size: "grown", svc_colour: "red" } as const;
const BESIDE = { svc_size: "beside", svc_colour: "blue" } as const;
/** A new stream whose label values all exist in other streams. */
const TOGETHER = { ...GROWN, svc_colour: BESIDE.svc_colour } as const;

function grownEntries(first: number): RelativeStream[] {
  // The new stream is neither the first nor the last stream of its push.
  return [GROWN, ...(first === 0 ? [] : [TOGETHER]), BESIDE].map((labels, stream) => ({
    labels,
    entries: [0, 1, 2].map((index) => ({
      offset: BigInt(first + index) * 1_000_000_007n + BigInt(stream) * 11n + 3n,
      line: `grown ${first + index}`,
    })),
  }));
}

/** Sends all queries that are repeated after a push, so that a service may cache their results. */
async function askFirst(scope: Scope, dataset: Dataset): Promise<void> {
  for (const asked of sameRanges(dataset)) await scope.logs.queryRange(asked);
  // The count has the same text before and after the push, because a service may cache results by the text of the query.
  const counted = countOf(dataset);
  await scope.logs.query(metricText(dataset, counted), counted.window.end);
}

/** Returns the same queries before and after a push: one without a filter, and one with a filter that each line passes. */
function sameRanges(dataset: Dataset): readonly [plain: RangeParameters, filtered: RangeParameters] {
  const rangeOf = (filters: readonly LineFilter[]): RangeParameters => ({
    ...wholeRange(dataset),
    query: logQueryText({ matchers: dataset.matchers, filters }),
    limit: 50,
  });
  return [rangeOf([]), rangeOf(FILTERED)];
}

/** Each line passes both filters. */
const FILTERED = [containing("grown")] as const;
const FILTERED_OTHERWISE = [containing("rown")] as const;

/** The entries of the second push are this number of seconds after the anchor, the largest distance that datasets of each age allow. */
const LATER: Readonly<Record<Age, number>> = { settled: 100, young: 12 };

/** Resolves to a dataset that was pushed, read and pushed to again. Throws `Inconclusive` if no second push has a definite response. */
async function grown(scope: Scope, age: Age): Promise<Dataset> {
  const failure = `a push to a stream that had been read was not answered in ${MOST_TRIES} attempts`;
  return untilDefinite(scope, MOST_TRIES, failure, async () => {
    const pushed = await store(scope, `grown-${scope.unique()}`, { pushes: [grownEntries(0)] }, undefined, age);
    const dataset = await visible(scope, pushed);
    await askFirst(scope, dataset);
    return extend(scope, dataset, grownEntries(LATER[age]));
  });
}

/**
 * Resolves to a dataset whose queries were sent before its first push. Its entries are as young as the target accepts,
 * because a service may cache results about older times, but not about the last minute.
 */
async function begun(scope: Scope): Promise<Dataset> {
  let age: Age = "young";
  const failure = `after a query that rightly found nothing, the push of the entries that it selects was not answered in ${MOST_TRIES} attempts`;
  return untilDefinite(scope, MOST_TRIES, failure, async () => {
    const { dataset } = await placedSet(scope, `asked-before-${scope.unique()}`, grownEntries(0), age);
    await askFirst(scope, dataset);
    const exchange = await scope.logs.push(dataset.streams);
    if (!isAnswered(exchange) || isPassing(statusOf(exchange))) return null;
    const pushed: Dataset = { ...dataset, pushes: [exchange], lastWriteAt: exchange.endedAt };
    if (isSuccess(exchange) || age === "settled") return pushed;
    // If the clock of a service is slow, the service takes such young entries for entries from the future, and refuses them.
    age = "settled";
    return null;
  });
}

const STALE = "logs-4.query_range";
const ANEW = ["logs-4.push", STALE] as const;

/** Repeats the query for the whole dataset. If another query over the same window is right, the first response was stale. */
function askedAgain(dataset: Dataset, asked: RangeParameters, other: Partial<RangeParameters>): Assertion {
  const compared = compareWhole(dataset);
  return async (scope) => {
    const assertion = expecting({ clauses: ANEW, of: dataset, ask: range(asked), expect: (streams) => compared(streams).differences });
    const finding = await assertion(scope);
    if (finding.differences.length === 0) return finding;
    const another = await range({ ...asked, ...other })(scope);
    if (another.answer === null || compared(another.answer).differences.length > 0) return finding;
    const differences = finding.differences.map((one): Difference => ({ ...one, clause: STALE }));
    return { ...finding, differences, held: ["logs-4.push"] };
  };
}

/** Returns an assertion that the repeated queries return the entries that were pushed since the first time. */
function answeredAnew(prepared: (scope: Scope) => Promise<Dataset>): Assertion {
  return async (scope) => {
    const dataset = await prepared(scope);
    const refusal = refusalFinding(dataset);
    if (refusal !== null) {
      await maskedPush(scope, refusal.exchanges[0] as Answered, []);
      return { ...refusal, clauses: ANEW };
    }
    const [plain, filtered] = sameRanges(dataset);
    const finding = await askedAgain(dataset, plain, { limit: 51 })(scope);
    if (finding.differences.length > 0) return finding;
    const beside = await askedAgain(dataset, filtered, {
      query: logQueryText({ matchers: dataset.matchers, filters: FILTERED_OTHERWISE }),
    })(scope);
    // If the filter also removes entries from new results, other checks judge this.
    return beside.differences.some(({ clause }) => clause !== STALE) ? finding : together([finding, beside]);
  };
}

/** Entries are pushed to streams that were read before, and to a new stream. The entries are as young as the entries of `begun`. */
export const addedLater = answeredAnew(async (scope) => grown(scope, "young"));

/** Entries are pushed after the same query had found nothing. */
export const askedBefore = answeredAnew(begun);

/** Sends the same count before and after a push, to streams with entries and to new streams. The entries are young. */
export const countedBefore: readonly Assertion[] = [async (scope: Scope) => grown(scope, "young"), begun].map(
  (prepared) => async (scope) => {
    const dataset = await prepared(scope);
    const refusal = refusalFinding(dataset);
    if (refusal === null) return metricAssertion(dataset, countOf(dataset))(scope);
    await maskedPush(scope, refusal.exchanges[0] as Answered, []);
    return refusal;
  },
);

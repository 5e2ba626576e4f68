/**
 * Makes assertions about pushes: reads return all pushed entries, also those that are pushed after a first read. A rejected push must not
 * change later responses.
 */
import type { Payload, RelativeStream } from "../arbitraries/streams.ts";
import { type Answered, isAnswered, isPassing, isSuccess, statusOf } from "../client/exchange.ts";
import type { RangeParameters } from "../client/logs.ts";
import { BudgetExhausted, Inconclusive } from "../client/inconclusive.ts";
import { expecting } from "../harness/expect.ts";
import { type Finding, together } from "../harness/finding.ts";
import { type Assertion, fixture, type Scope } from "../harness/scope.ts";
import { type Difference, show, difference } from "../model/difference.ts";
import { type LineFilter, containing, entriesOf, exactly } from "../model/logs.ts";
import { logQueryText } from "../model/query-text.ts";
import { range, streamsOf } from "../datasets/requests.ts";
import { type Dataset, refusalFinding, setLabels } from "../datasets/datasets.ts";
import { extend, judgedRefusal, placedSet, store, placingFor } from "../datasets/dataset-pushes.ts";
import type { Placing, Age } from "../datasets/placing.ts";
import { hello } from "../datasets/first-push.ts";
import { countOf } from "../queries/window-cases.ts";
import { metricText, metricAssertion } from "../queries/metrics.ts";
import { comeBack, compareWhole, type PushedSet, readBack, visible, wholeRange } from "../datasets/read-back.ts";
import { type Tenant, type TwoTenants, twoTenants } from "../datasets/two-tenants.ts";

/** The first small dataset, as a read returned it. A check at the end of the run reads it again. */
export const firstRead = fixture<PushedSet>("logs", "a first push, read back", async (scope) => {
  const dataset = await scope.use(hello);
  const pushed = await comeBack(scope, dataset);
  if (refusalFinding(dataset) === null) scope.revisit(dataset, readBack(dataset));
  return pushed;
});

/** Returns an assertion: the first push is accepted, and a read returns its entries. Other checks judge the form of the response. */
export function firstPush(dataset: Dataset): Assertion {
  return async (scope) => {
    const { finding } = await scope.use(firstRead);
    return { ...finding, clauses: ["logs-4.push"], exchanges: [...finding.exchanges, ...dataset.pushes] };
  };
}

/** Returns an assertion that pushes a payload as a new dataset and reads it. If the read is right, it is repeated at the end of the run. */
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

/** Calls `attempt` with pauses until it resolves to a value. After `most` calls without a value, throws `Inconclusive` with `failure`. */
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

/** Resolves to null if there is no response. Some services close the connection as soon as a body is too long or not JSON. */
export async function answeredOrNot(push: () => Promise<Answered>): Promise<Answered | null> {
  try {
    return await push();
  } catch (error) {
    if (error instanceof Inconclusive && !(error instanceof BudgetExhausted)) return null;
    throw error;
  }
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

/** Sends all queries once. They are repeated after a push, and a service may have cached their results. */
async function askFirst(scope: Scope, dataset: Dataset): Promise<void> {
  for (const asked of sameRanges(dataset)) await scope.logs.queryRange(asked);
  // The count has the same text before and after the push, because a service may cache results by the text of the query.
  const counted = countOf(dataset);
  await scope.logs.query(metricText(dataset, counted), counted.window.end);
}

/** Returns the queries that are sent before and after a push: one without a filter, and one with a filter that each line passes. */
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

/** The entries of the second push are this number of seconds later than those of the first. Each age has enough time for that. */
const LATER: Readonly<Record<Age, number>> = { settled: 100, young: 12 };

/** Pushes a dataset, reads it, and pushes more entries to it. Throws `Inconclusive` if no second push has a definite response. */
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
 * Resolves to a dataset whose queries were sent before its first push. Its entries are as young as the target accepts: services may cache
 * results for earlier times, but must not for the last minute.
 */
async function begun(scope: Scope): Promise<Dataset> {
  let age: Age = "young";
  const failure = `after a query that correctly found nothing, the push of the entries that it selects was not answered in ${MOST_TRIES} attempts`;
  return untilDefinite(scope, MOST_TRIES, failure, async () => {
    const { dataset } = await placedSet(scope, `asked-before-${scope.unique()}`, grownEntries(0), age);
    await askFirst(scope, dataset);
    const exchange = await scope.logs.push(dataset.streams);
    if (!isAnswered(exchange) || isPassing(statusOf(exchange))) return null;
    const pushed: Dataset = { ...dataset, pushes: [exchange], lastWriteAt: exchange.endedAt };
    if (isSuccess(exchange) || age === "settled") return pushed;
    // If the clock of a service is slow, such young entries are in its future, and the service may refuse them.
    age = "settled";
    return null;
  });
}

const STALE = "logs-4.query_range";
const ANEW = ["logs-4.push", STALE] as const;

/** Repeats the query for the whole dataset. If it is wrong and a different query over the same window is right, the response was stale. */
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

/** Returns an assertion: the repeated queries return the entries that were pushed after the first queries. */
function answeredAnew(prepared: (scope: Scope) => Promise<Dataset>): Assertion {
  return async (scope) => {
    const dataset = await prepared(scope);
    const refusal = await judgedRefusal(scope, dataset);
    if (refusal !== null) return { ...refusal, clauses: ANEW };
    const [plain, filtered] = sameRanges(dataset);
    const finding = await askedAgain(dataset, plain, { limit: 51 })(scope);
    if (finding.differences.length > 0) return finding;
    const beside = await askedAgain(dataset, filtered, {
      query: logQueryText({ matchers: dataset.matchers, filters: FILTERED_OTHERWISE }),
    })(scope);
    // If a filtered read lacks entries for another reason than a stale response, other checks report this.
    return beside.differences.some(({ clause }) => clause !== STALE) ? finding : together([finding, beside]);
  };
}

/** Entries are pushed to streams that were read before, and to a new stream. The entries are as young as those of `begun`. */
export const addedLater = answeredAnew(async (scope) => grown(scope, "young"));

/** Entries are pushed after a query found nothing. The repeated query must find them. */
export const askedBefore = answeredAnew(begun);

/** Sends the same count before and after a push, to streams with entries and to new streams. The entries are young. */
export const countedBefore: readonly Assertion[] = [async (scope: Scope) => grown(scope, "young"), begun].map(
  (prepared) => async (scope) => {
    const dataset = await prepared(scope);
    return (await judgedRefusal(scope, dataset)) ?? metricAssertion(dataset, countOf(dataset))(scope);
  },
);

/** A label name that only refused pushes contain. */
const LEFT = "svc_abc";

const STREAMS: readonly RelativeStream[] = [{}, { svc_size: "after-one" }, { svc_size: "after-two" }].map((labels, stream) => ({
  labels,
  entries: [0, 1].map((index) => ({ offset: BigInt(index * 3 + stream) * 1_000_000_007n, line: `after ${stream} ${index}` })),
}));

/** Returns push bodies that are invalid only in the entries of their stream. */
function wrongPushes(labels: Readonly<Record<string, string>>): readonly { readonly what: string; readonly body: string }[] {
  const body = JSON.stringify({ streams: [{ stream: labels, values: [["no time", "refused"]] }] });
  return [
    { what: "a timestamp that is not a number", body },
    { what: "no end", body: body.slice(0, body.indexOf("no time")) },
  ];
}

/** Pushes invalid bodies, and then a dataset to read. Resolves to null if an invalid push succeeds, which the documents allow. */
export async function afterRefusedPush(scope: Scope): Promise<Assertion | null> {
  const value = `${scope.run.runId}:refused`;
  const refusals: Answered[] = [];
  for (const { what, body } of wrongPushes({ ...setLabels(scope, "refused"), [LEFT]: value })) {
    const answer = await answeredOrNot(async () => scope.logs.probePush(`push with ${what}`, body));
    if (answer !== null && isSuccess(answer)) return null;
    if (answer !== null) refusals.push(answer);
  }
  const dataset = await store(scope, "after-refused", { pushes: [STREAMS] });
  return async (later) => {
    const { finding } = await comeBack(later, dataset);
    const [deciding] = finding.exchanges as readonly Answered[];
    const streams = deciding === undefined ? null : streamsOf(deciding).answer;
    const leftOver = (streams ?? []).findIndex(({ labels }) => labels[LEFT] === value);
    const path = `data.result[${leftOver}].stream.${LEFT}`;
    const left = difference("logs-2.Stream", path, "absent, because only refused pushes contained it", show(value), "present");
    const differences = [...(leftOver < 0 ? [] : [left]), ...finding.differences];
    return { ...finding, differences, exchanges: [...finding.exchanges, ...dataset.pushes, ...refusals] };
  };
}

const SET = "refused-of-another";
const TENANT_CLAUSE = "logs-5.2a";

/** The number of refused pushes of each tenant. A faulty service may store a part of a refused push together with the next push. */
const TIMES = 2;

const lineOf = ({ owner }: Tenant): string => `${owner}, of a push that was refused`;

/** Returns a push body that is valid, except that its end is missing. */
function withoutEnd(scope: Scope, tenant: Tenant, { anchor }: Placing): string {
  const labels = setLabels(scope, SET);
  const whole = { stream: labels, values: [[anchor.toString(), lineOf(tenant)]] };
  const body = JSON.stringify({ streams: [whole, { stream: { ...labels, svc_size: "cut" }, values: [["no end"]] }] });
  return body.slice(0, body.indexOf("no end"));
}

/** Whether a status says that the request is invalid. The statuses 429 and 5xx prove nothing about the body. */
function isRefusal(status: number): boolean {
  return status >= 400 && !isPassing(status);
}

/** Invalid pushes of both tenants, before their other pushes. Null if one is accepted, which the documents allow. */
export const refusedOfBoth = fixture<(TwoTenants & { readonly placing: Placing }) | null>(
  "logs",
  "refused pushes of two tenants",
  async (scope) => {
    const tenants = await scope.use(twoTenants);
    const placing = await placingFor(scope, "settled");
    for (let time = 0; time < TIMES; time += 1)
      for (const one of [tenants.first, tenants.second]) {
        const body = withoutEnd(scope, one, placing);
        const answer = await answeredOrNot(async () => scope.logs.probePush("push without an end", body, one.override));
        if (answer === null || !isRefusal(statusOf(answer))) return null;
      }
    return { ...tenants, placing };
  },
);

/** After both tenants have pushed other entries, no tenant may read lines of a refused push of the other tenant. */
export function leftToAnother({ first, second, placing }: TwoTenants & { readonly placing: Placing }): Assertion {
  const read = (mine: Tenant, theirs: Tenant): Assertion => {
    const { anchor, span } = placing;
    return async (scope) => {
      const query = logQueryText({ matchers: exactly(setLabels(scope, SET)), filters: [] });
      return expecting({
        clauses: TENANT_CLAUSE,
        of: mine.dataset,
        ask: range({ query, start: anchor - 1_000_000_000n, end: anchor + span, limit: 10 }, { override: mine.override }),
        expect: (streams) =>
          entriesOf(streams)
            .filter(({ line }) => line === lineOf(theirs))
            .map(({ line }) =>
              difference(TENANT_CLAUSE, "data.result", "no entry of a refused push of the other tenant", show(line), "other-tenant"),
            ),
        input: { "refused earlier push of the other tenant": withoutEnd(scope, theirs, placing) },
      })(scope);
    };
  };
  return async (scope) => together(await Promise.all([read(first, second)(scope), read(second, first)(scope)]));
}

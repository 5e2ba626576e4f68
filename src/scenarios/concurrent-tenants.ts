/** Tests concurrent pushes of two tenants, and equal entries of two tenants. Each tenant must keep its own entries. */
import { isAnswered, isSuccess } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { type Assertion, fixture, type Scope } from "../harness/scope.ts";
import { countEntries, exactly, type Labels, type Matcher, mergeStreams, type Stream } from "../model/logs.ts";
import { type Dataset, setLabels, withStreams, colour } from "../datasets/datasets.ts";
import { extend, judgedRefusal, maskedStreams, placingFor } from "../datasets/dataset-pushes.ts";
import type { Placing } from "../datasets/placing.ts";
import { untilDefinite, refusedOfBoth } from "./pushes.ts";
import { type Parted, type Tenant, type TwoTenants, twoTenants } from "../datasets/two-tenants.ts";
import type { RangeParameters } from "../client/logs.ts";
import { type Expectation, expecting, malformedFirst } from "../harness/expect.ts";
import { together } from "../harness/finding.ts";
import { entryKey } from "../model/assigned.ts";
import { type Difference, show, difference } from "../model/difference.ts";
import { type AnsweredStream, entryDifferences, READ_BACK } from "../model/log-answer.ts";
import { durationText, logQueryText, sumText } from "../model/query-text.ts";
import type { Sample } from "../model/samples.ts";
import { type As, HIGHEST_LIMIT, instant, range, streamsOf as streamsIn } from "../datasets/requests.ts";
import { selection } from "../queries/range-query.ts";
import { bothBlame, listing } from "../queries/tenancy.ts";
import { metricAssertion } from "../queries/metrics.ts";
import { countOf } from "../queries/window-cases.ts";
import { SECOND } from "../model/times.ts";

/** The number of concurrent pushes of each tenant, and the number of rounds. There are several, because two pushes overlap only for ms. */
const LANES = 4;
const ROUNDS = { release: 2, nightly: 8 } as const;
/** The number of new streams in a push, and of entries in a stream. Many streams make a push slow. A read can return a whole round. */
const STREAMS = 16;
const ENTRIES = 12;
const BETWEEN = 500_000_003n;

/**
 * Returns streams. Each line has `word` and the position of the entry. If the target has refused a push of this size, the streams have
 * fewer entries.
 */
function streamsOf(scope: Scope, set: string, first: bigint, word: string, lane = 0, count = ENTRIES): Stream[] {
  const streams = Array.from({ length: STREAMS }, (_, stream) => ({
    labels: { ...setLabels(scope, set), svc_zz: `stream-${lane}-${stream}` },
    entries: Array.from({ length: count }, (_entry, index) => ({
      ts: first + BigInt(stream * ENTRIES + index) * BETWEEN,
      line: `${word} ${lane} ${stream} ${index}`,
    })),
  }));
  return count > 1 && scope.logs.isTooLarge(streams) ? streamsOf(scope, set, first, word, lane, Math.ceil(count / 2)) : streams;
}

/** Pushes as a tenant. Resolves to null if the push fails. Throws `Masked` if a part of the push is always refused. */
async function pushedAs(
  scope: Scope,
  tenant: Tenant,
  set: string,
  { anchor, span }: Placing,
  streams: readonly Stream[],
): Promise<Tenant | null> {
  const exchange = await scope.logs.push(streams, tenant.override);
  if (!isAnswered(exchange)) return null;
  if (!isSuccess(exchange)) {
    await maskedStreams(scope, exchange, streams);
    return null;
  }
  const matchers = exactly(setLabels(scope, set));
  const [start, end] = [anchor - 2n * BETWEEN, anchor + span + 2n * BETWEEN];
  const dataset = { name: set, streams, matchers, anchor, start, end, entries: countEntries(streams), pushes: [exchange] };
  return { ...tenant, dataset: { ...dataset, lastWriteAt: exchange.endedAt } };
}

function joined(one: Tenant, other: Tenant): Tenant {
  const [before, after] = [one.dataset, other.dataset];
  const dataset = {
    ...withStreams(before, [...before.streams, ...after.streams]),
    pushes: [...before.pushes, ...after.pushes],
    lastWriteAt: Math.max(before.lastWriteAt, after.lastWriteAt),
  };
  return { ...one, dataset };
}

function alone(tenant: Tenant, matcher: Matcher): Tenant {
  return { ...tenant, dataset: { ...tenant.dataset, matchers: [...tenant.dataset.matchers, matcher] } };
}

/** Returns one dataset with all concurrent pushes. If one was refused, returns a dataset for each pair of accepted pushes. */
function setsOf(lanes: readonly Lane[]): TwoTenants[] {
  if (lanes.length < LANES)
    return lanes.map(({ first, second, matcher }) => ({ first: alone(first, matcher), second: alone(second, matcher) }));
  const of = (owner: "first" | "second"): Tenant => lanes.map((lane) => lane[owner]).reduce(joined);
  return [{ first: of("first"), second: of("second") }];
}

interface Lane {
  readonly matcher: Matcher;
  readonly first: Tenant;
  readonly second: Tenant;
}

/** Pushes the same streams as both tenants. A label has the number of the sender (lane). Resolves to null if a push is refused. */
async function pushedLane(scope: Scope, tenants: TwoTenants, name: string, lane: number, placing: Placing): Promise<Lane | null> {
  const matcher: Matcher = colour("=", `lane-${lane}`);
  const [first, second] = await Promise.all(
    [tenants.first, tenants.second].map(async (one) => {
      const nanosecond = one.owner === "second" ? 1n : 0n;
      const streams = streamsOf(scope, name, placing.anchor + nanosecond, one.owner, lane);
      const own = streams.map(({ labels, entries }) => ({ labels: { ...labels, [matcher.name]: matcher.value }, entries }));
      return pushedAs(scope, one, name, placing, own);
    }),
  );
  return first && second ? { matcher, first, second } : null;
}

/** Datasets that both tenants pushed concurrently under the same name. */
export const tenantsAtOnce = fixture<readonly TwoTenants[]>("logs", "pushes of two tenants at the same time", async (scope) => {
  const tenants = await scope.use(twoTenants);
  await scope.use(refusedOfBoth);
  const placing = await placingFor(scope, "settled");
  const rounds = ROUNDS[scope.settings.profile === "nightly" ? "nightly" : "release"];
  const all: TwoTenants[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const lanes = Array.from({ length: LANES }, async (_, lane) => pushedLane(scope, tenants, `at-once-${round}`, lane, placing));
    all.push(...setsOf((await Promise.all(lanes)).filter((lane) => lane !== null)));
  }
  if (all.length === 0) throw new Inconclusive(`none of ${rounds * LANES} pairs of concurrent pushes was accepted`);
  return all;
});

/** The maximum number of attempts. An attempt fails if the push of one tenant is not accepted. */
const MOST_ATTEMPTS = 4;

/**
 * Returns streams with the same entries for both tenants. Only the last timestamps differ: in some streams the first tenant has the later
 * one, in others the second. A service that finds the tenant of an entry by its line or its order mixes the tenants.
 */
function alike(scope: Scope, { owner }: Tenant, set: string, { anchor }: Placing): Stream[] {
  const place = owner === "second" ? 1 : 0;
  return streamsOf(scope, set, anchor, "equal").map(({ labels, entries }, stream) => {
    // This entry replaces the last entry of the stream. A further entry could make a service refuse the push.
    const ts = (entries.at(-1)?.ts ?? anchor) + BigInt((stream + place) % 2);
    return { labels, entries: [...entries.slice(0, -1), { ts, line: "not at the same time" }] };
  });
}

function wholeOf({ matchers, start, end }: Dataset): RangeParameters {
  return { query: logQueryText({ matchers, filters: [] }), start, end, limit: HIGHEST_LIMIT };
}

/** The clauses that an entry in a wrong stream of its own tenant violates. The other tenant cannot be the cause of that. */
const OTHER_STREAM = { labels: READ_BACK.labels, misplaced: READ_BACK.misplaced } as const;

/** A tenant must read its dataset. A missing entry or wrong timestamp violates the clause of tenants. A wrong stream does not. */
function stored({ dataset, override }: Tenant): Assertion {
  const clause = "logs-5.2a";
  const { streams } = dataset;
  return expecting({
    clauses: clause,
    of: dataset,
    ask: range(wholeOf(dataset), { override }),
    // If a line has a wrong timestamp, it is probably the entry of the other tenant.
    expect: (answered) => entryDifferences(streams, answered, { ...bothBlame(clause), ...OTHER_STREAM, timestamp: clause }, streams),
    input: { "pushed by both tenants": "the same entries of the same streams" },
  });
}

/**
 * The same entries of both tenants, pushed one after the other. Throws `Inconclusive` if in each attempt a push failed, or if the first
 * tenant cannot read its entries before the second tenant pushes.
 */
export const equalSets = fixture<TwoTenants>("logs", "the same entries pushed by each of two tenants", async (scope) => {
  const tenants = await scope.use(twoTenants);
  const placing = await placingFor(scope, "settled");
  const failure = `precondition not met: the target did not accept the pushes of both tenants in ${MOST_ATTEMPTS} attempts (see logs-4.push)`;
  return untilDefinite(scope, MOST_ATTEMPTS, failure, async (attempt) => {
    const set = `equal-in-both-${attempt}`;
    const push = async (tenant: Tenant): Promise<Tenant | null> => {
      const streams = alike(scope, tenant, set, placing);
      const part = async (from: number, to?: number): Promise<Tenant | null> => {
        const parts = streams.map(({ labels, entries }) => ({ labels, entries: entries.slice(from, to) }));
        return pushedAs(scope, tenant, set, placing, parts);
      };
      // The first push has the same body for both tenants. A service may wrongly treat the push of the second tenant as a retry.
      const [common, own] = [await part(0, -1), await part(-1)];
      if (common === null || own === null) return null;
      const pushes = [...common.dataset.pushes, ...own.dataset.pushes];
      return { ...own, dataset: { ...withStreams(own.dataset, streams), pushes } };
    };
    const first = await push(tenants.first);
    if (first === null) return null;
    if ((await stored(first)(scope)).differences.length > 0)
      throw new Inconclusive("precondition not met: the dataset of one tenant is not returned as it was pushed (see logs-4.push)");
    const second = await push(tenants.second);
    return second === null ? null : { first, second };
  });
});

/** Returns an assertion that each tenant reads its own entries. */
export function equalInBoth({ first, second }: TwoTenants): Assertion {
  return async (scope) => together(await Promise.all([first, second].map(async (tenant) => stored(tenant)(scope))));
}

/** Returns the only value of a label in these streams. Returns null if the label has no value or several values. */
function valueIn(homes: readonly (Labels | undefined)[], name: string): string | null {
  const [value, ...others] = new Set(homes.map((labels) => labels?.[name]));
  return value === undefined || others.length > 0 ? null : value;
}

/** Returns the names of labels that have one value in all streams of the first tenant, and another in all streams of the second. */
function namesApart(answered: readonly AnsweredStream[], { first, second }: TwoTenants): string[] {
  const homesOf = ({ dataset: { streams } }: Tenant): (Labels | undefined)[] =>
    streams.map((stream) => {
      const own = stream.entries.at(-1)?.ts;
      return answered.find(({ entries }) => entries.some(({ ts }) => ts === own))?.labels;
    });
  const [ours, theirs] = [homesOf(first), homesOf(second)];
  return Object.keys(ours[0] ?? {}).filter((name) => {
    const [one, other] = [valueIn(ours, name), valueIn(theirs, name)];
    return one !== null && other !== null && one !== other;
  });
}

/**
 * Whether a read of both tenants distinguishes their streams by labels that the service adds. If not, equal entries of both tenants are
 * entries of the same stream, and the service may merge them.
 */
export function distinguished(sets: TwoTenants, tenant: string): (scope: Scope) => Promise<boolean> {
  const { dataset } = sets.second;
  return async (scope) => {
    await scope.untilAfterWrite(dataset, scope.settle.usualMs);
    const { query, start, end, limit } = wholeOf(dataset);
    const parameters = { query, start: start.toString(), end: end.toString(), limit: `${limit ?? HIGHEST_LIMIT}` };
    const answer = await scope.logs.probe("query_range of two tenants with equal datasets", "query_range", parameters, { tenant });
    return isSuccess(answer) && namesApart(streamsIn(answer).answer ?? [], sets).length > 0;
  };
}

interface Union {
  readonly answered: readonly AnsweredStream[];
  readonly samples: readonly Sample[];
}

const COUNTED = "data.result";

function unionDifferences({ answered, samples }: Union, sets: TwoTenants): Difference[] {
  const { first, second } = sets;
  const clause = "logs-5.2b";
  const came = new Map<string, number>();
  for (const { entries } of answered) for (const entry of entries) came.set(entryKey(entry), (came.get(entryKey(entry)) ?? 0) + 1);
  const equal = first.dataset.streams.flatMap(({ entries }) => entries.slice(0, -1));
  const once = equal.filter((entry) => (came.get(entryKey(entry)) ?? 0) < 2);
  const [entry] = once;
  if (entry !== undefined) {
    const expected = `each entry that both tenants pushed, once per tenant (the service adds labels that distinguish the streams: ${namesApart(answered, sets).join(", ")})`;
    const actual = `${once.length} of these ${equal.length} entries were returned only once or not at all; the first is ${show([entry.ts.toString(), entry.line])}`;
    return [difference(clause, "data.result of query_range", expected, actual, "too-few")];
  }
  const all = countEntries(first.dataset.streams) + countEntries(second.dataset.streams);
  const counted = samples.reduce((sum, { value }) => sum + value, 0);
  if (counted >= all) return [];
  return [difference(clause, COUNTED, `${all}, as many as a range query of both tenants returns`, String(counted), "sample")];
}

/** If labels distinguish the tenants, a read of both must return their equal entries twice, and a sum must count them twice. */
export function equalOfBoth(sets: TwoTenants, tenant: string): Assertion {
  const { matchers, start, end } = sets.second.dataset;
  const as = { override: { tenant }, clause: "logs-5.2b" } as const;
  // The range has whole seconds, so it may begin a little before the dataset. There is no entry there.
  const seconds = (end - start) / SECOND + 1n;
  const count = sumText("count_over_time", { matchers, filters: [] }, durationText(seconds * SECOND));
  const [askEntries, askCount] = [range(wholeOf(sets.second.dataset), as), instant(count, end, as)];
  const expectation: Expectation<Union> = {
    clauses: "logs-5.2b",
    of: sets.second.dataset,
    ask: async (scope) => {
      const [entries, counted] = [await askEntries(scope), await askCount(scope)];
      return {
        answer: entries.answer === null || counted.answer === null ? null : { answered: entries.answer, samples: counted.answer },
        malformed: [...entries.malformed, ...counted.malformed],
        exchanges: malformedFirst([entries, counted]),
      };
    },
    expect: (union) => {
      const differences = unionDifferences(union, sets);
      return { differences, held: differences.length === 0 ? ["logs-5.2b"] : [], telling: differences[0]?.path === COUNTED ? 1 : 0 };
    },
    cause: async (scope) => {
      const counts = [sets.first, sets.second].map(({ dataset, override }) => metricAssertion(dataset, countOf(dataset), { override }));
      for (const control of [equalInBoth(sets), ...counts]) {
        const alone = await control(scope);
        if (alone.differences.length > 0) return alone;
      }
      return null;
    },
    input: { "pushed by both tenants": "the same entries of the same streams, and one different entry of each tenant" },
  };
  return expecting(expectation);
}

/** Returns an assertion about a read of all entries. No other query has the same limit, so no cache has its result yet. */
function readAll(dataset: Dataset, as: As): Assertion {
  return selection(dataset, { cut: { limit: 999, direction: "backward" } }, undefined, as);
}

/** After a push of the second tenant, a repeated query of both tenants must return the new entry. The service may have cached the query. */
export function afterPushOfOne({ first, second, whole }: Parted, ids: readonly [first: string, second: string]): Assertion {
  const override = { tenant: ids[1] };
  const ofBoth = (dataset: Dataset, theirs: Dataset): Assertion =>
    listing(ids.join("|"), (as) => readAll(dataset, as), [readAll(first, {}), readAll(theirs, { override })]);
  return async (scope) => {
    const finding = await ofBoth(whole, second)(scope);
    if (finding.differences.length > 0) return finding;
    const entries = [{ offset: 11_000_000_011n, line: "after the first response" }];
    const streams = [{ labels: { svc_colour: "later" }, entries }];
    const more = await extend(scope, second, streams, override);
    if (more === null) throw new Inconclusive("a push of the second tenant was not answered, so its content is unknown");
    const refusal = await judgedRefusal(scope, more, streams);
    if (refusal !== null) return refusal;
    const all = mergeStreams([...first.streams, ...more.streams]);
    return ofBoth({ ...withStreams(whole, all), lastWriteAt: more.lastWriteAt }, more)(scope);
  };
}

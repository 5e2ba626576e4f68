/** Entries that two tenants push alike: each has stored its own, and both are there where both are read and told apart. */
import { isSuccess } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { RangeParameters } from "../../client/logs.ts";
import { type Expectation, expecting, malformedFirst } from "../../harness/expect.ts";
import { together } from "../../harness/finding.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import { entryKey } from "../../model/assigned.ts";
import { type Difference, show } from "../../model/difference.ts";
import { type AnsweredStream, entryDifferences, READ_BACK } from "../../model/log-answer.ts";
import { countEntries, type Labels, type Stream } from "../../model/logs.ts";
import { durationText, logQueryText, sumText } from "../../model/query-text.ts";
import type { Sample } from "../../model/samples.ts";
import { streamsOf as streamsIn } from "./answers.ts";
import { instant, range } from "./asks.ts";
import { type Dataset, type Placing, placingFor } from "./datasets.ts";
import { bothBlame, MOST } from "./tenancy.ts";
import { pushedAs, streamsOf } from "./tenants-at-once.ts";
import { type Tenant, type TwoTenants, twoTenants } from "./two-tenants.ts";

/** How often the same entries are pushed anew where one of two pushes is not accepted. */
const MOST_ATTEMPTS = 4;
const SECOND = 1_000_000_000n;

/**
 * Streams that both tenants have, with the same entries, and at the end of each one entry that the other tenant has at another time, now
 * sooner and now later: a service that splits streams by what their lines say, or by where they stand, does not tell tenants apart.
 */
function alike(scope: Scope, { owner }: Tenant, set: string, { anchor }: Placing): Stream[] {
  const place = owner === "second" ? 1 : 0;
  return streamsOf(scope, set, anchor, "equal").map(({ labels, entries }, stream) => {
    // In place of the last one: a service may take no more entries at once.
    const ts = (entries.at(-1)?.ts ?? anchor) + BigInt((stream + place) % 2);
    return { labels, entries: [...entries.slice(0, -1), { ts, line: "not at the same time" }] };
  });
}

function wholeOf({ matchers, start, end }: Dataset): RangeParameters {
  return { query: logQueryText({ matchers, filters: [] }), start, end, limit: MOST };
}

/** A tenant has its entries, but not where it pushed them: no other tenant explains that. */
const OTHER_STREAM = { labels: READ_BACK.labels, misplaced: READ_BACK.misplaced } as const;

/** Reads a set of a tenant; what is missing or at another time blames that there is another tenant, what is in a wrong stream does not. */
function stored({ dataset, override }: Tenant): Assertion {
  const clause = "logs-5.2a";
  const { streams } = dataset;
  return expecting({
    clauses: clause,
    of: dataset,
    ask: range(wholeOf(dataset), { override }),
    // The same line at another time is the other tenant's.
    expect: (answered) => entryDifferences(streams, answered, { ...bothBlame(clause), ...OTHER_STREAM, timestamp: clause }, streams),
    input: { "pushed by both tenants": "the same entries of the same streams" },
  });
}

/**
 * The same entries of the same streams, pushed by one tenant after the other. Throws `Inconclusive` where no two pushes are accepted,
 * or the set of the first tenant alone is not read as it was pushed.
 */
export const equalSets: Fixture<TwoTenants> = fixture("logs", "the same entries pushed by each of two tenants", async (scope) => {
  const tenants = await scope.use(twoTenants);
  const placing = await placingFor(scope, "settled");
  const transport = scope.run.transport("logs");
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    if (attempt > 0) await scope.run.pause(transport.pauseAfter(attempt - 1));
    const set = `equal-in-both-${attempt}`;
    const push = async (tenant: Tenant): Promise<Tenant | null> =>
      pushedAs(scope, tenant, set, placing, alike(scope, tenant, set, placing));
    const first = await push(tenants.first);
    if (first === null) continue;
    if ((await stored(first)(scope)).differences.length > 0)
      throw new Inconclusive("precondition not met: the dataset of one tenant is not returned as it was pushed (see logs-4.push)");
    const second = await push(tenants.second);
    if (second !== null) return { first, second };
  }
  throw new Inconclusive(
    `precondition not met: the target did not accept the pushes of both tenants in ${MOST_ATTEMPTS} attempts (see logs-4.push)`,
  );
});

/** Each tenant has stored its own. */
export function equalInBoth({ first, second }: TwoTenants): Assertion {
  return async (scope) => together(await Promise.all([first, second].map(async (tenant) => stored(tenant)(scope))));
}

/** The one value that a label has in all of some streams; null when it has none, or several. */
function valueIn(homes: readonly (Labels | undefined)[], name: string): string | null {
  const [value, ...others] = new Set(homes.map((labels) => labels?.[name]));
  return value === undefined || others.length > 0 ? null : value;
}

/** The names of labels that have, in every stream that both tenants have, one value for what the first alone has and another for the second. */
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
 * Whether a read of both tenants tells their streams apart, by labels that the service adds. Where it does not, equal entries of both
 * are equal entries of one stream, which may collapse.
 */
export function toldApart(sets: TwoTenants, tenant: string): (scope: Scope) => Promise<boolean> {
  const { dataset } = sets.second;
  return async (scope) => {
    await scope.untilAfterWrite(dataset, scope.settle.usualMs);
    const { query, start, end, limit } = wholeOf(dataset);
    const parameters = { query, start: start.toString(), end: end.toString(), limit: `${limit ?? MOST}` };
    const answer = await scope.logs.probe("query_range of equal sets of two tenants", "query_range", parameters, { tenant });
    return isSuccess(answer) && namesApart(streamsIn(answer).streams ?? [], sets).length > 0;
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
    const expected = `each entry that both tenants pushed, once per tenant (the streams differ in ${namesApart(answered, sets).join(", ")})`;
    const actual = `${once.length} of these ${equal.length} entries are not returned twice; the first is ${show([entry.ts.toString(), entry.line])}`;
    return [{ clause, path: "data.result of query_range", expected, actual }];
  }
  const all = countEntries(first.dataset.streams) + countEntries(second.dataset.streams);
  const counted = samples.reduce((sum, { value }) => sum + value, 0);
  if (counted >= all) return [];
  return [{ clause, path: COUNTED, expected: `${all}, as many as a range query of both tenants returns`, actual: String(counted) }];
}

/** A read of both tenants that tells their streams apart has what they have in common in both, and a sum counts it twice. */
export function equalOfBoth(sets: TwoTenants, tenant: string): Assertion {
  const { matchers, start, end } = sets.second.dataset;
  const as = { override: { tenant }, clause: "logs-5.2b" } as const;
  // Of whole seconds: nothing of the set lies before it.
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
      const alone = await equalInBoth(sets)(scope);
      return alone.differences.length > 0 ? alone : null;
    },
    input: { "pushed by both tenants": "the same entries of the same streams, and one different entry of each tenant" },
  };
  return expecting(expectation);
}

/** Makes assertions about reads of one tenant, and of several tenants together. */
import { clauseByKindOf, type Window, type Cut } from "../diagnosis/range-request.ts";
import { type Answered, isSuccess } from "../client/exchange.ts";
import { Inconclusive, Masked } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { type Ask, expecting } from "../harness/expect.ts";
import type { CheckContext } from "../harness/context.ts";
import type { Finding } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import type { Resource } from "../harness/settle.ts";
import { type Difference, show, difference } from "../model/difference.ts";
import {
  type AnsweredStream,
  type ClauseByKind,
  entryDifferences,
  limitDifferences,
  orderDifferences,
  READ_BACK,
  unselected,
  sized,
} from "../model/log-answer.ts";
import { entriesOf, limited, type LineFilter, linesOf, type MetricFunction, sample, select, type Stream, within } from "../model/logs.ts";
import { durationText, logQueryText, sumText } from "../model/query-text.ts";
import { sameSample } from "../model/samples.ts";
import { type As, HIGHEST_LIMIT, instant, names, range, values, listOf, streamsOf as streamsIn } from "../datasets/requests.ts";
import { type Dataset, RUN_LABEL, SET_LABEL, wholeQuery } from "../datasets/datasets.ts";
import { inBothOrders, type Parted, type Tenant, type TwoTenants, wordsOfBoth } from "../datasets/two-tenants.ts";
import { type CaseSubject, subjectsOf } from "./case-subject.ts";
import { SECOND } from "../model/times.ts";
import { missingItemText } from "../model/missing-entries.ts";

/** A read that is sent for one or several tenants. Its response is compared with the data of the tenants `owners`. */
export interface TenantRead {
  /** Returns an assertion: this read returns the data of `owners`, and no data of `others`. Data of another tenant violate `clause`. */
  readonly assertion: (owners: readonly Tenant[], others: readonly Tenant[], as: As, clause: ClauseId) => Assertion;
}

function lastWritten(owners: readonly Tenant[]): Resource {
  const [first, ...others] = owners.map(({ dataset }) => dataset);
  if (first === undefined) throw new Error("a read needs at least one tenant");
  return others.reduce((latest, one) => (one.lastWriteAt > latest.lastWriteAt ? one : latest), first);
}

function streamsOf(owners: readonly Tenant[]): Stream[] {
  return owners.flatMap(({ dataset }) => dataset.streams);
}

/** Returns a range query that selects the datasets of both tenants. The datasets may have the same name or not. */
export function entriesRead({ matchers, start, end }: Dataset, cut: Cut | null = null, filters: readonly LineFilter[] = []): TenantRead {
  const query = { matchers, filters };
  return {
    assertion: (owners, others, as, clause) => {
      const expected = within(select(streamsOf(owners), query), start, end);
      const further = matchers.filter(({ name }) => name !== RUN_LABEL && name !== SET_LABEL);
      const clauseByKind = clause === "logs-5.2b" ? bothBlame(clause) : clauseByKindOf({ filters, matchers: further });
      return expecting({
        clauses: clause,
        of: lastWritten(owners),
        ask: range({ query: logQueryText(query), start, end, ...(cut ?? { limit: 100 }) }, { ...as, series: expected.length }),
        expect: (streams) => {
          const leaked = leaks(streams, streamsOf(others), clause);
          if (leaked.length > 0) return leaked;
          if (cut === null) return entryDifferences(expected, streams, clauseByKind, streamsOf(owners));
          const extra = unselected(streamsOf(owners), expected, streams, clauseByKind.extra);
          if (extra.length > 0) return extra;
          return [
            ...limitDifferences(limited(expected, cut.limit, cut.direction), expected, streams, clauseByKind),
            ...orderDifferences(streams, cut.direction),
          ];
        },
      });
    },
  };
}

/** In a read of several tenants, each missing or misplaced entry violates the clause about such reads. */
export function bothBlame(clause: ClauseId): ClauseByKind {
  const all = { lost: clause, extra: clause, labels: clause, misplaced: clause, repeated: clause } as const;
  return { ...READ_BACK, ...all, "too-few": clause, "too-many": clause, "wrong-choice": clause };
}

/** Returns differences for entries that only another tenant pushed. */
function leaks(streams: readonly AnsweredStream[], foreign: readonly Stream[], clause: ClauseId): Difference[] {
  const theirs = linesOf(foreign);
  const leaked = entriesOf(streams).filter(({ line }) => theirs.has(line));
  const [first] = leaked;
  if (first === undefined) return [];
  const actual = `${sized(leaked.length)} of the other tenant; the first is ${show(first.line)}`;
  return [difference(clause, "data.result", "only the tenant's own entries", actual, "other-tenant")];
}

/** Returns a window of 10 min around datasets of both tenants. The datasets must be some minutes old. */
function around({ anchor }: Dataset): Window {
  return { start: anchor - 570n * SECOND, end: anchor + 30n * SECOND };
}

/** Returns a metric query over a window in which the tenants have different counts. The result then shows whose entries it counts. */
export function metricRead(
  dataset: Dataset,
  metric: MetricFunction,
  {
    aggregated = true,
    window: { start, end } = around(dataset),
    filters = [],
  }: { readonly aggregated?: boolean; readonly window?: Window; readonly filters?: readonly LineFilter[] } = {},
): TenantRead {
  const query = { matchers: dataset.matchers, filters };
  const length = durationText(end - start);
  const text = aggregated ? sumText(metric, query, length) : `${metric}(${logQueryText(query)}[${length}])`;
  const amountOf = (tenants: readonly Tenant[]): number =>
    sample(metric, entriesOf(within(select(streamsOf(tenants), query), start, end)), Number((end - start) / SECOND));
  return {
    assertion: (owners, others, as, clause) => {
      const expected = amountOf(owners);
      return expecting({
        clauses: clause,
        of: lastWritten(owners),
        ask: instant(text, end, as),
        expect: (samples) => {
          const total = samples.reduce((sum, { value }) => sum + value, 0);
          if (sameSample(total, expected)) return [];
          const wanted = `${expected}, the ${metric} of the entries that the tenant pushed`;
          const isOf = (tenants: typeof owners): boolean => others.length > 0 && sameSample(total, amountOf(tenants));
          const whose = isOf(others)
            ? "the result of the other tenant"
            : isOf([...owners, ...others])
              ? "the result with the entries of the other tenant"
              : "";
          if (whose !== "") return [difference(clause, "data.result", wanted, `${total}, ${whose}`, "other-tenant-sample")];
          return [difference(clause === "logs-5.2a" ? "logs-4.query" : clause, "data.result", wanted, String(total), "sample")];
        },
      });
    },
  };
}

/** The lists that differ between the tenants: the label names, and the values of two labels. Each tenant has its own item in each list. */
const LISTS = {
  names: { label: null, own: ({ ownName }: Tenant): string => ownName },
  sizes: { label: "svc_size", own: ({ ownSize }: Tenant): string => ownSize },
  colours: { label: "svc_colour", own: ({ ownColour }: Tenant): string => ownColour },
} as const;

/** Returns a read of the names, or of the values of a label. The list must have the item of each owner, and no item of `others`. */
export function listRead(which: keyof typeof LISTS): TenantRead {
  const { label, own } = LISTS[which];
  const path = label === null ? "data (label names)" : `data (values of ${label})`;
  return {
    assertion: (owners, others, as, clause) => {
      const ask: Ask<readonly string[]> = label === null ? names(as) : values(label, as);
      return expecting({
        clauses: clause,
        of: lastWritten(owners),
        ask,
        expect: (list) => {
          const leaked = others.map(own).filter((one) => list.includes(one));
          const expected = "only names and values that this tenant pushed";
          if (leaked.length > 0)
            return leaked.map((one) => difference(clause, path, expected, `${show(one)} of the other tenant`, "other-tenant"));
          // A missing value violates the clause of the list if the list has no value of the other tenant. The isolation of tenants is then
          // not violated.
          const listClause = clause === "logs-5.2a" ? (label === null ? "logs-4.labels" : "logs-4.label-values") : clause;
          return owners
            .map(own)
            .filter((one) => !list.includes(one))
            .map((one) => difference(listClause, path, `${show(one)} in the list`, missingItemText([one], list), "lost"));
        },
      });
    },
  };
}

/** Returns an assertion that a tenant reads its own data, and no data of the other tenant. */
export function isolated(read: TenantRead, mine: Tenant, theirs: Tenant): Assertion {
  return async (scope) => {
    const finding = await read.assertion([mine], [theirs], { override: mine.override }, "logs-5.2a")(scope);
    if (finding.differences.every(({ clause }) => clause === "logs-5.2a")) return finding;
    const all = { limit: HIGHEST_LIMIT, direction: "forward" } as const;
    // The service may have stored the missing entries of a tenant for the other tenant.
    const others = await entriesRead(mine.dataset, all).assertion([theirs], [mine], { override: theirs.override }, "logs-5.2a")(scope);
    const gone = others.differences.filter(({ clause }) => clause === "logs-5.2a");
    if (gone.length > 0) return hiddenBy(finding, { ...others, differences: gone });
    // If an entry was never stored, filtered reads and counts do not have it either. So a read without filters comes first.
    const own = await entriesRead(mine.dataset, all).assertion([mine], [theirs], { override: mine.override }, "logs-5.2a")(scope);
    return own.differences.length === 0 ? finding : hiddenBy(finding, own);
  };
}

function hiddenBy(finding: Finding, cause: Finding): Finding {
  return { ...finding, differences: cause.differences, held: [], exchanges: [...cause.exchanges, ...finding.exchanges] };
}

/** A request for both tenants must return the data of both. If a request for one tenant has the same difference, the cause is another. */
export function union(read: TenantRead, { first, second }: TwoTenants, tenant: string): Assertion {
  return async (scope) => {
    const finding = await read.assertion([first, second], [], { override: { tenant }, clause: "logs-5.2b" }, "logs-5.2b")(scope);
    if (finding.differences.length === 0) return finding;
    for (const [mine, theirs] of inBothOrders({ first, second }).toReversed()) {
      const alone = await read.assertion([mine], [theirs], { override: mine.override }, "logs-5.2a")(scope);
      if (alone.differences.length > 0) return hiddenBy(finding, alone);
    }
    return finding;
  };
}

/** Returns an assertion about a request that lists several tenants. The controls are the same requests for single tenants. */
export function listing(tenant: string, ask: (as: As) => Assertion, controls: readonly Assertion[] = [ask({})]): Assertion {
  const clause = "logs-5.2b";
  return async (scope) => {
    const finding = await unlessIn(controls, ask({ override: { tenant } }))(scope);
    const isOwn = finding.exchanges[0]?.request.headers["x-scope-orgid"] === tenant;
    const differences = finding.differences.map((one): Difference => (isOwn ? { ...one, clause } : one));
    return { ...finding, clauses: [clause], differences, held: differences.length === 0 ? [clause] : [] };
  };
}

/** If a control request has differences, they are reported instead. Otherwise a wrong filter would be blamed on the list of tenants. */
export function unlessIn(controls: readonly Assertion[], assertion: Assertion): Assertion {
  return async (scope) => {
    const finding = await assertion(scope);
    for (const control of finding.differences.length === 0 ? [] : controls) {
      const cause = await control(scope);
      if (cause.differences.length > 0) return hiddenBy(finding, cause);
    }
    return finding;
  };
}

/** Returns the parameters of a range query for a whole dataset, without a limit. */
function windowText(dataset: Dataset): Record<string, string> {
  return { query: wholeQuery(dataset), start: dataset.start.toString(), end: dataset.end.toString() };
}

/** Resolves to whose data a request returns that also names a tenant without data. The documents do not say if this is allowed. */
export function besideNobody({ first }: TwoTenants, tenant: string): (scope: Scope) => Promise<"both" | "one" | "nothing" | "refused"> {
  return async ({ logs }) => {
    const what = "query_range for a tenant without data and two tenants with data";
    const answer = await logs.probe(what, "query_range", windowText(first.dataset), { tenant });
    if (!isSuccess(answer)) return "refused";
    const shown = [...linesOf(streamsIn(answer).answer ?? [])];
    const owners = (["first", "second"] as const).filter((owner) => shown.some((line) => line.startsWith(`${owner} `)));
    return (["nothing", "one", "both"] as const)[owners.length] ?? "nothing";
  };
}

/** Whether the target accepts a list of several tenants. A service may accept queries for several tenants and refuse label lists. */
export function listsTenants(path: string, tenant: string): (scope: Scope) => Promise<boolean> {
  return async ({ logs }) => isSuccess(await logs.probe(`${path} of several tenants`, path, {}, { tenant }));
}

/**
 * A tenant without pushes must read no data of others. `near` is a tenant id that is similar to that of another tenant. Without `near`,
 * lists are read too. Resolves to null if each read is refused, because a refusal and an empty response are both legal.
 */
export function seenByNobody({ first, second }: TwoTenants, tenant: string, near?: string): (scope: Scope) => Promise<Assertion | null> {
  const clause = "logs-5.2a";
  const pushed = [first, second] as const;
  const read = async ({ logs }: Scope): Promise<readonly Answered[]> => {
    const ask = async (path: string, parameters: Readonly<Record<string, string>> = {}): Promise<Answered> =>
      logs.probe(`${path} of a tenant without data`, path, parameters, { tenant });
    return Promise.all([
      ...pushed.map(({ dataset }) => ask("query_range", windowText(dataset))),
      ...(near === undefined ? [ask("labels"), ask("label/svc_size/values")] : []),
    ]);
  };
  const own = pushed.flatMap(({ ownName, ownSize }) => [ownName, ownSize]);
  const nearby = near === undefined ? {} : { "a tenant with a similar id that pushed": near };
  const shownIn = (answer: Answered): Difference[] => {
    if (!isSuccess(answer)) return [];
    const listed = listOf(answer, "logs-4.label-values").answer ?? [];
    const shown = own.filter((one) => listed.includes(one));
    return [
      ...leaks(streamsIn(answer).answer ?? [], streamsOf(pushed), clause),
      ...shown.map((one) => difference(clause, "data", "nothing, because this tenant never pushed", show(one), "foreign")),
    ];
  };
  return async (scope) => {
    const [{ dataset }] = pushed;
    const { start, end } = dataset;
    const parameters = { query: wholeQuery(dataset), limit: "1", start: start.toString(), end: end.toString() };
    if (!isSuccess(await scope.logs.probe("query_range of a tenant without data", "query_range", parameters, { tenant }))) return null;
    return expecting({
      clauses: clause,
      of: lastWritten(pushed),
      ask: async (asking) => {
        const answers = await read(asking);
        if (!answers.some(isSuccess)) throw new Inconclusive("no read of a tenant without data succeeded");
        const exchanges = answers.toSorted((one, other) => shownIn(other).length - shownIn(one).length);
        return { answer: answers, malformed: [], exchanges };
      },
      expect: (answers) => answers.flatMap(shownIn),
      input: { "read by a tenant that never pushed": tenant, ...nearby },
    });
  };
}

/** Resolves to a dataset of both tenants, or to null if the target refuses so many streams, which the documents allow. */
export async function dividedWords(t: CheckContext): Promise<Parted | null> {
  try {
    return await t.use(wordsOfBoth);
  } catch (error) {
    if (!(error instanceof Masked)) throw error;
    t.masked(error);
    return null;
  }
}

/** Alternates between subjects of both tenants. For each level, some results then have entries of both tenants. */
export function ofEachTenant(scope: Scope, name: string, { first, second, whole }: Parted): (at: number) => CaseSubject {
  const ofFirst = subjectsOf(scope, name, whole, { entriesOf: first });
  const ofSecond = subjectsOf(scope, name, whole, { entriesOf: second });
  return (at) => (at % 2 === 0 ? ofSecond : ofFirst)(at);
}

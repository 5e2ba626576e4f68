/** Trials of what tenants see: one by itself, and several named together. */
import type { ClauseId } from "../../contract/catalogue.ts";
import { type Ask, expecting } from "../../harness/expect.ts";
import type { Finding, Trial } from "../../harness/finding.ts";
import type { Resource } from "../../harness/settle.ts";
import { type Difference, show } from "../../model/difference.ts";
import { type AnsweredStream, type Blame, departures, limitDepartures, orderDepartures, READ_BACK } from "../../model/log-answer.ts";
import { type Direction, limited, type LineFilter, type MetricFunction, sample, select, type Stream } from "../../model/logs.ts";
import { logQueryText, sumText } from "../../model/query-text.ts";
import { type Sample, sameSample } from "../../model/samples.ts";
import { type As, instant, names, range, values } from "./asks.ts";
import type { Dataset } from "./datasets.ts";
import type { Tenant, TwoTenants } from "./two-tenants.ts";

/** A read as some tenant, and what is wrong with its answer when the streams of `owners` are all there is. */
export interface TenantRead {
  readonly what: string;
  /** `clause` is what a wrong answer is blamed on. */
  readonly trial: (owners: readonly Tenant[], as: As, clause: ClauseId) => Trial;
}

function lastWritten(owners: readonly Tenant[]): Resource {
  const [first, ...others] = owners.map(({ dataset }) => dataset);
  if (first === undefined) throw new Error("a read of no tenant");
  return others.reduce((latest, one) => (one.lastWriteAt > latest.lastWriteAt ? one : latest), first);
}

function streamsOf(owners: readonly Tenant[]): Stream[] {
  return owners.flatMap(({ dataset }) => dataset.streams);
}

interface Cut {
  readonly limit: number;
  readonly direction: Direction;
}

/** A range query for the sets of both tenants, which have one name or two. */
export function entriesRead({ matchers, start, end }: Dataset, cut: Cut | null = null, filters: readonly LineFilter[] = []): TenantRead {
  const query = { matchers, filters };
  return {
    what: "query_range",
    trial: (owners, as, clause) => {
      const blame: Blame = {
        ...READ_BACK,
        lost: clause,
        extra: clause,
        labels: clause,
        misplaced: clause,
        repeated: clause,
        "too-few": clause,
        "too-many": clause,
        "wrong-choice": clause,
      };
      const expected = select(streamsOf(owners), query);
      return expecting({
        clauses: clause,
        of: lastWritten(owners),
        ask: range({ query: logQueryText(query), start, end, ...(cut ?? { limit: 100 }) }, as),
        expect: (streams) =>
          cut === null
            ? departures(expected, streams, blame)
            : [...limitedIn(expected, streams, cut, blame), ...orderDepartures(streams, cut.direction)],
      });
    },
  };
}

function limitedIn(expected: readonly Stream[], streams: readonly AnsweredStream[], { limit, direction }: Cut, blame: Blame): Difference[] {
  const strangers = departures(expected, streams, { ...blame, lost: "logs-4.push" }).filter(({ clause }) => clause !== "logs-4.push");
  return strangers.length > 0 ? strangers : limitDepartures(limited(expected, limit, direction), expected, streams, blame);
}

const SECONDS = 600;

/** A metric query over everything that the sets of both tenants hold. */
export function metricRead({ matchers, anchor }: Dataset, metric: MetricFunction, aggregated = true): TenantRead {
  const query = { matchers, filters: [] };
  const text = aggregated ? sumText(metric, query, "10m") : `${metric}(${logQueryText(query)}[10m])`;
  return {
    what: metric,
    trial: (owners, as, clause) => {
      const entries = select(streamsOf(owners), query).flatMap((stream) => stream.entries);
      const expected = sample(metric, entries, SECONDS);
      return expecting({
        clauses: clause,
        of: lastWritten(owners),
        ask: instant(text, anchor + 300n * 1_000_000_000n, as),
        expect: (samples) => totalDeparture(samples, expected, clause, `${metric} of ${entries.length} entries`),
      });
    },
  };
}

function totalDeparture(samples: readonly Sample[], expected: number, clause: ClauseId, what: string): Difference[] {
  const total = samples.reduce((sum, { value }) => sum + value, 0);
  return sameSample(total, expected) ? [] : [{ clause, path: "data.result", expected: `${expected}, the ${what}`, actual: String(total) }];
}

/** The list of label names, or of the values of a label: what each owner has is in it, and nothing of `others`. */
export function listRead(which: "names" | "sizes", others: readonly Tenant[], label = "svc_size"): TenantRead {
  const own = ({ ownName, ownSize }: Tenant): string => (which === "names" ? ownName : ownSize);
  const path = which === "names" ? "data (label names)" : `data (values of ${label})`;
  return {
    what: which === "names" ? "labels" : "label values",
    trial: (owners, as, clause) => {
      const ask: Ask<readonly string[]> = which === "names" ? names(as) : values(label, as);
      return expecting({
        clauses: clause,
        of: lastWritten(owners),
        ask,
        expect: (list) => [
          ...owners
            .map(own)
            .filter((one) => !list.includes(one))
            .map((one): Difference => ({ clause, path, expected: `${show(one)} in the list`, actual: show(list) })),
          ...others
            .map(own)
            .filter((one) => list.includes(one))
            .map((one): Difference => ({
              clause,
              path,
              expected: "only what the tenant itself pushed",
              actual: `${show(one)} of the other tenant`,
            })),
        ],
      });
    },
  };
}

/** What each read is blamed on when a tenant by itself, whom nobody shares anything with, is answered wrongly. */
function plainClause(what: string): ClauseId {
  switch (what) {
    case "query_range":
      return "logs-4.query_range";
    case "labels":
      return "logs-4.labels";
    case "label values":
      return "logs-4.label-values";
    default:
      return "logs-4.query";
  }
}

/**
 * One tenant sees what it pushed and nothing of the other. A wrong answer is a matter of tenants when the other's entries explain it:
 * else the same read of `control`, which only one tenant has, is answered wrongly as well and is the cause.
 */
export function isolated(read: TenantRead, mine: Tenant, control: TenantRead, alone: Tenant): Trial {
  return async (scope) => {
    const finding = await read.trial([mine], { override: mine.override }, "logs-5.2a")(scope);
    if (finding.differences.length === 0) return finding;
    const plain = await control.trial([alone], { override: alone.override }, plainClause(control.what))(scope);
    return plain.differences.length === 0 ? finding : hiddenBy(finding, plain);
  };
}

function hiddenBy(finding: Finding, cause: Finding): Finding {
  return { ...finding, differences: cause.differences, kept: [], exchanges: [...cause.exchanges, ...finding.exchanges] };
}

/** A request that lists both tenants reads both; what a tenant by itself is not shown either is no matter of naming both. */
export function union(read: TenantRead, { first, second }: TwoTenants, tenant: string): Trial {
  return async (scope) => {
    const finding = await read.trial([first, second], { override: { tenant }, clause: "logs-5.2b" }, "logs-5.2b")(scope);
    if (finding.differences.length === 0) return finding;
    for (const one of [first, second]) {
      const alone = await read.trial([one], { override: one.override }, "logs-5.2a")(scope);
      if (alone.differences.length > 0) return hiddenBy(finding, alone);
    }
    return finding;
  };
}

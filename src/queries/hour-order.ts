/** Sends range queries with a limit over full hours. Several checks need to know whether the target answers such queries correctly. */
import type { RelativeStream } from "../arbitraries/streams.ts";
import { type Assertion, fixture, type Scope } from "../harness/scope.ts";
import type { Finding } from "../harness/finding.ts";
import type { Asked } from "../diagnosis/range-request.ts";
import type { Difference } from "../model/difference.ts";
import { compare, entriesOf, type LineFilter, type Matcher, containing, matcher } from "../model/logs.ts";
import { type Dataset, colour, acceptedAt } from "../datasets/datasets.ts";
import { type HourBoundaryData, hourBoundaryData, whileKept } from "../datasets/hour-boundary-data.ts";
import { selection } from "./range-query.ts";
import { HOUR, SECOND } from "../model/times.ts";

/** Returns the full hours within a dataset in ascending order. The dataset has an entry exactly at each of these hours. */
export function hoursOf({ streams }: Dataset): bigint[] {
  const exact = entriesOf(streams).filter(({ line }) => line.includes(" 7 "));
  return exact.map(({ ts }) => ts).toSorted(compare);
}

export interface Filtered {
  readonly filters: readonly LineFilter[];
}

/** A filter that each line passes. A service may execute queries with a filter by other code. */
export const EVERY: Filtered = { filters: [containing("hour")] };

const ONE_STREAM: readonly Matcher[] = [colour("=", "green")];

/** Returns reads of one or all streams, limited to about the entries of the newest hour. A smoke run sends half of these reads. */
function limitedReads({ settings }: Scope, dataset: Dataset): Asked[] {
  const { start, end } = dataset;
  const isSmoke = settings.profile === "smoke";
  const last = dataset.entries - 1;
  return [
    ...(["backward", "forward"] as const).flatMap((direction) =>
      (isSmoke ? [1, 6, 8, 15] : [1, 6, 7, 8, 14, 15, last]).map((limit): Asked => ({ cut: { limit, direction } })),
    ),
    ...(["backward", "forward"] as const).flatMap((direction) =>
      (isSmoke ? [15] : [15, last]).map((limit): Asked => ({ ...EVERY, cut: { limit, direction } })),
    ),
    // The limit is higher than the number of entries of the stream in the newest half hour.
    ...(["backward", "forward"] as const).map((direction): Asked => ({ ...EVERY, matchers: ONE_STREAM, cut: { limit: 4, direction } })),
    // A read finds fewer entries than its limit in its first hour, because the window has only a part of this hour. In the next hour, each
    // stream has more entries than the read still needs.
    ...hoursOf(dataset)
      .slice(isSmoke ? -1 : -2)
      .flatMap((hour) =>
        (isSmoke ? [3] : [3, 4]).flatMap((limit): Asked[] => [
          { window: { start, end: hour + 500n }, cut: { limit, direction: "backward" } },
          { window: { start: hour - 500n, end }, cut: { limit, direction: "forward" } },
        ]),
      ),
  ];
}

/** Three entries per direction: one before the last full hour, and two behind. The stream with the farthest entry sorts first. */
const FEW = [
  { direction: "backward", offsets: [-20n, 10n, -10n] },
  { direction: "forward", offsets: [20n, -10n, 10n] },
] as const;

/** A read with this limit leaves out one of three matching entries. */
const ALL_BUT_ONE = 2;

/** Resolves to reads whose limit excludes the farthest entry, or to an empty list if the target refuses the entries. */
async function readsOfFew(scope: Scope, { hours, oldest }: HourBoundaryData): Promise<Assertion[]> {
  const streams = FEW.flatMap(({ direction, offsets }) =>
    offsets.map((offset, stream): RelativeStream => ({
      labels: { svc_size: direction, svc_colour: `few ${stream}` },
      entries: [{ offset: (offset + 60n) * SECOND, line: `few ${direction} ${stream}` }],
    })),
  );
  const place = { anchor: oldest + BigInt(hours - 1) * HOUR - 60n * SECOND, span: 90n * SECOND };
  const few = await acceptedAt(scope, "hour-few", [streams], place);
  if (few === null) return [];
  return FEW.map(({ direction }) => {
    const matchers = [matcher("svc_size", "=", direction)] as const;
    return selection(few, { matchers, cut: { limit: ALL_BUT_ONE, direction } }, "logs-4.1");
  });
}

/** Findings of limited reads, up to the first difference. The list is empty if the target returns no entries of these hours. */
export const hourOrder = fixture<readonly Finding[]>("logs", "limited reads across full hours", async (scope) => {
  const set = await scope.use(hourBoundaryData);
  if (set === null) return [];
  const findings: Finding[] = [];
  const reads = limitedReads(scope, set.dataset).map((asked) => selection(set.dataset, asked, "logs-4.1"));
  for (const read of [...reads, ...(await readsOfFew(scope, set))]) {
    const finding = await whileKept(set, read)(scope);
    findings.push(finding);
    if (finding.differences.length > 0) break;
  }
  return findings;
});

export function isOrdered(findings: readonly Finding[]): boolean {
  return disorderIn(findings) === undefined;
}

/** Returns the first difference of limited reads across full hours. Returns undefined if there is none. */
export function disorderIn(findings: readonly Finding[]): Difference | undefined {
  return findings.flatMap(({ differences }) => differences)[0];
}

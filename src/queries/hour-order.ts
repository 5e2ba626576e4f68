/** Range queries with a limit across full hours. Several checks need to know whether the target answers them correctly. */
import type { RelativeStream } from "../arbitraries/streams.ts";
import { isSuccess } from "../client/exchange.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../harness/scope.ts";
import type { Finding } from "../harness/finding.ts";
import type { Asked } from "../diagnosis/range-request.ts";
import type { Difference } from "../model/difference.ts";
import type { LineFilter, Matcher } from "../model/logs.ts";
import { type Dataset, storeAt } from "../datasets/datasets.ts";
import { type HourBoundaryData, hourBoundaryData, whileKept } from "../datasets/hour-boundary-data.ts";
import { HOUR } from "../datasets/placing.ts";
import { selection } from "./range-query.ts";

/** The full hours within a set, oldest first: an entry lies at each. */
export function hoursOf({ streams }: Dataset): bigint[] {
  const exact = streams.flatMap(({ entries }) => entries.filter(({ line }) => line.includes(" 7 ")).map(({ ts }) => ts));
  return exact.toSorted((one, other) => Number(one - other));
}

export interface Filtered {
  readonly filters: readonly LineFilter[];
}

/** What every line holds: a service may read what passes a filter in another way than all there is. */
export const EVERY: Filtered = { filters: [{ operator: "|=", text: "hour" }] };

const ONE_STREAM: readonly Matcher[] = [{ name: "svc_colour", operator: "=", value: "green" }];

/** Limits of what one stream or all hold in the newest hour, and one more and one less. */
function limitedReads(dataset: Dataset): Asked[] {
  const { start, end } = dataset;
  return [
    ...(["backward", "forward"] as const).flatMap((direction) =>
      [1, 6, 7, 8, 14, 15, dataset.entries - 1].map((limit): Asked => ({ cut: { limit, direction } })),
    ),
    ...(["backward", "forward"] as const).flatMap((direction) =>
      [15, dataset.entries - 1].map((limit): Asked => ({ ...EVERY, cut: { limit, direction } })),
    ),
    // Of one stream more than it holds in the newest half hour.
    ...(["backward", "forward"] as const).map((direction): Asked => ({ ...EVERY, matchers: ONE_STREAM, cut: { limit: 4, direction } })),
    // What little of one hour lies in the window is less than the limit; the rest is less than any stream holds in the next.
    ...hoursOf(dataset)
      .slice(-2)
      .flatMap((hour) =>
        [3, 4].flatMap((limit): Asked[] => [
          { window: { start, end: hour + 500n }, cut: { limit, direction: "backward" } },
          { window: { start: hour - 500n, end }, cut: { limit, direction: "forward" } },
        ]),
      ),
  ];
}

const SECOND = 1_000_000_000n;

/**
 * One entry beyond the last full hour, seen from where a limited read begins, and two before it, of which the stream that comes first in
 * any order of labels has the farther one.
 */
const FEW = [
  { direction: "backward", offsets: [-20n, 10n, -10n] },
  { direction: "forward", offsets: [20n, -10n, 10n] },
] as const;

/** Of three. */
const ALL_BUT_ONE = 2;

/** Reads of both sides of the last full hour that leave out what is farthest; none where these few are not taken. */
async function readsOfFew(scope: Scope, { hours, oldest }: HourBoundaryData): Promise<Assertion[]> {
  const streams = FEW.flatMap(({ direction, offsets }) =>
    offsets.map((offset, stream): RelativeStream => ({
      labels: { svc_size: direction, svc_colour: `few ${stream}` },
      entries: [{ offset: (offset + 60n) * SECOND, line: `few ${direction} ${stream}` }],
    })),
  );
  const place = { anchor: oldest + BigInt(hours - 1) * HOUR - 60n * SECOND, span: 90n * SECOND };
  const few = await storeAt(scope, "hour-few", { pushes: [streams] }, place);
  if (!few.pushes.every(isSuccess)) return [];
  return FEW.map(({ direction }) => {
    const matchers = [{ name: "svc_size", operator: "=", value: direction }] as const;
    return selection(few, { matchers, cut: { limit: ALL_BUT_ONE, direction } }, "logs-4.1");
  });
}

/** What limited reads showed, as far as the first that was answered wrongly; empty where the target shows nothing of these hours. */
export const hourOrder: Fixture<readonly Finding[]> = fixture("logs", "limited reads across full hours", async (scope) => {
  const set = await scope.use(hourBoundaryData);
  if (set === null) return [];
  const findings: Finding[] = [];
  const reads = limitedReads(set.dataset).map((asked) => selection(set.dataset, asked, "logs-4.1"));
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

/** What is wrong with limited reads across full hours; undefined if nothing is. */
export function disorderIn(findings: readonly Finding[]): Difference | undefined {
  return findings.flatMap(({ differences }) => differences)[0];
}

/** Limited reads across full hours of the clock: several checks need to know whether they are right. */
import { type Fixture, fixture } from "../../harness/scope.ts";
import type { Finding } from "../../harness/finding.ts";
import type { Asked } from "../../blame/asked.ts";
import type { Dataset } from "./datasets.ts";
import { hourSet, whileKept } from "./hour-set.ts";
import { selection } from "./range-query.ts";

/** The full hours within a set, oldest first: an entry lies at each. */
export function hoursOf({ streams }: Dataset): bigint[] {
  const exact = streams.flatMap(({ entries }) => entries.filter(({ line }) => line.includes(" 7 ")).map(({ ts }) => ts));
  return exact.toSorted((one, other) => Number(one - other));
}

/** Limits of what one stream or all hold in the newest hour, and one more and one less. */
function limitedReads(dataset: Dataset): Asked[] {
  const { start, end } = dataset;
  return [
    ...(["backward", "forward"] as const).flatMap((direction) =>
      [1, 6, 7, 8, 9, 16, dataset.entries - 1].map((limit): Asked => ({ cut: { limit, direction } })),
    ),
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

/** What limited reads showed, as far as the first that was answered wrongly; empty where the target shows nothing of these hours. */
export const hourOrder: Fixture<readonly Finding[]> = fixture("logs", "limited reads across full hours", async (scope) => {
  const set = await scope.use(hourSet);
  if (set === null) return [];
  const findings: Finding[] = [];
  for (const asked of limitedReads(set.dataset)) {
    const finding = await whileKept(set, selection(set.dataset, asked, "logs-4.1"))(scope);
    findings.push(finding);
    if (finding.differences.length > 0) break;
  }
  return findings;
});

export function isOrdered(findings: readonly Finding[]): boolean {
  return findings.every(({ differences }) => differences.length === 0);
}

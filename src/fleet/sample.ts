/** Draws a random sample of the faults, and computes the confidence interval of the share of faults that were detected. */
import fc from "fast-check";
import type { FaultRow } from "./matrix.ts";

export const ENGINE_CHECKS: readonly string[] = [
  "admin-4.3/histories",
  "logs-4.query_range/cases",
  "logs-4.query_range/settled-cases",
  "logs-4.query/cases",
];

/** Draws `count` of the ids. Equal seeds draw equal ids. */
export function sampled(ids: readonly string[], count: number, seed: number): string[] {
  const most = Math.min(count, ids.length);
  return fc.sample(fc.shuffledSubarray([...ids], { minLength: most, maxLength: most }), { seed, numRuns: 1 })[0] ?? [];
}

/** Returns the 95 % confidence interval of a share, in per cent (Wilson score interval). */
export function interval(hits: number, all: number): readonly [from: number, to: number] {
  const z = 1.96;
  const share = hits / all;
  const middle = share + z ** 2 / (2 * all);
  const width = z * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2));
  const [from, to] = [middle - width, middle + width].map((edge) => (100 * edge) / (1 + z ** 2 / all));
  return [Math.max(0, from ?? 0), Math.min(100, to ?? 100)];
}

/** Returns the share of detected faults for each document. If only a part of the fleet was run, adds a confidence interval. */
export function shares(faults: readonly FaultRow[]): string[] {
  return (
    [
      ["both documents", ""],
      ["admin API", "admin-"],
      ["log API", "logs-"],
    ] as const
  ).flatMap(([what, prefix]) => {
    const own = faults.filter(({ clause }) => clause.startsWith(prefix));
    if (own.length === 0) return [];
    const hits = own.filter(({ diagnosed }) => diagnosed).length;
    const [from, to] = interval(hits, own.length);
    const share = ((100 * hits) / own.length).toFixed(0);
    return [`${what}: ${hits} of ${own.length} faults caught (${share} %, 95 % confidence ${from.toFixed(0)} to ${to.toFixed(0)} %)`];
  });
}

/** Parses the durations of ranges: numbers with units, from the largest unit to the smallest, such as `1h30m`. */

const SECOND = 1_000_000_000n;

/** Nanoseconds per unit, in the order in which a duration has its units. */
const UNITS: readonly (readonly [unit: string, ns: bigint])[] = [
  ["y", 365n * 86_400n * SECOND],
  ["w", 7n * 86_400n * SECOND],
  ["d", 86_400n * SECOND],
  ["h", 3_600n * SECOND],
  ["m", 60n * SECOND],
  ["s", SECOND],
  ["ms", 1_000_000n],
];

const SHAPE = new RegExp(`^${UNITS.map(([unit]) => `(?:(\\d+)${unit})?`).join("")}$`);

/** Returns the length of a duration in nanoseconds, or undefined if the text is not a duration. */
export function durationNs(text: string): bigint | undefined {
  if (text === "") return undefined;
  const terms = SHAPE.exec(text)?.slice(1);
  return terms?.reduce((sum, term, index) => sum + BigInt(term ?? 0) * (UNITS[index]?.[1] ?? 0n), 0n);
}

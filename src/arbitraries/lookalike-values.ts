/** Lists values of limits that a server may confuse with an absent value, with a value of another type, or with a truncated value. */
import { LIMIT_NAMES, LIMITS, type LimitName, type LimitValue } from "../contract/limits.ts";

/** The limits whose value may be any text. */
const FREE_TEXTS = LIMIT_NAMES.filter(
  (name) => LIMITS[name].type === "string" && !["ingestion_rate_strategy", "s3_sse_type", "s3_sse_kms_encryption_context"].includes(name),
);

/** Texts that servers confuse with an absent value, a number, a boolean or code. In each round, each limit in FREE_TEXTS gets one. */
const LOOKALIKE_TEXTS = [
  "null",
  "007",
  "true",
  "1e3",
  "NULL",
  "-0",
  "false",
  "1.0",
  "0x10",
  "NaN",
  "{}",
  "[]",
  "${HOME}",
  "a #b",
  "a: b",
  "yes",
  "}{{",
  '"limits"',
  "%41%20b+c",
  "2026-01-01",
  "aGVsbG8gd29ybGQ=",
  "a,b;c|d",
  "&amp;<b>",
  "\\n\\u0041",
];
/** The bounds of integer types that a server may use although they are too small for a limit, and numbers near these bounds. */
const BOUNDARIES = [
  127, 128, 255, 256, 32_767, 32_768, 65_535, 65_536, 16_777_217, 2_147_483_647, 2_147_483_648, 4_294_967_295, 4_294_967_296, 4_294_967_297,
];
/** Durations in nanoseconds that are not a whole number of seconds. In some of them, the fraction of a second begins with zeros. */
const TIMES = [1, 1_000_000_001, 60_050_000_000, 90_000_000_007, 3_600_000_500_000, 999_999_999];
const DURATIONS = ["25h", "36h", "90s", "100m", "1h1m1s", "61m"];
const PERIODS = ["367d", "8d", "70y", "250y", "3y", "1000d"];
/** Lists of label names: names of service discovery, lists with equal length and first item, and items that may be lost or divided. */
const LISTS = [
  ["null", "007"],
  ["null", "008"],
  ["__replica__", "__meta_x", "_"],
  ["__replica__", "__meta_y", "_"],
  [" blank ", "with,comma"],
  ["", "after nothing"],
];

/** The number of rounds for which `lookalikeValue` has values. */
export const LOOKALIKE_ROUNDS = 6;

/** Returns a value that a server may confuse with another value. It is new in each round, and undefined if the limit has no such value. */
export function lookalikeValue(name: LimitName, round: number): LimitValue | undefined {
  const place = LIMIT_NAMES.indexOf(name) * LOOKALIKE_ROUNDS + round;
  switch (LIMITS[name].type) {
    case "integer":
      if (LIMITS[name].time === true) return TIMES[round];
      return round === 0 ? 1 : BOUNDARIES[place % BOUNDARIES.length];
    case "string":
      return FREE_TEXTS.includes(name)
        ? LOOKALIKE_TEXTS[(FREE_TEXTS.indexOf(name) + round * FREE_TEXTS.length) % LOOKALIKE_TEXTS.length]
        : undefined;
    case "duration":
      return DURATIONS[round];
    case "retention":
      return PERIODS[round];
    case "list":
      return LISTS[round];
    case "boolean":
      return undefined;
  }
}

const NEGATIVES = [-1, -2, -128, -(2 ** 31), -(2 ** 32) - 1];

/** Returns a negative integer, which a server may refuse or read as "no limit". Returns undefined if the limit is not a plain number. */
export function negativeValue(name: LimitName): LimitValue | undefined {
  const { type, time } = LIMITS[name];
  return type === "integer" && time !== true ? NEGATIVES[LIMIT_NAMES.indexOf(name) % NEGATIVES.length] : undefined;
}

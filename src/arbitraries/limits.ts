/** Generates values and subsets of limits. Values that servers usually accept are separate: the documents do not define valid values. */
import fc from "fast-check";
import { fewer } from "./lists.ts";
import { noise } from "./noise.ts";
import { LIMITS, LIMIT_NAMES, type LimitName, type Limits, type LimitValue } from "../contract/limits.ts";

const INT32 = 2 ** 31 - 1;

/** Generates label names in mixed case with at most 60 characters. */
const labelName = fc
  .tuple(fc.constantFrom(..."abcxyzABCXYZ_"), fc.string({ unit: fc.constantFrom(..."abcdwxyzABWXYZ0189_"), maxLength: 59 }))
  .map(([first, rest]) => first + rest);

/** Durations of at most 3 years. A separate check sends longer ones, so that a server that cannot store them fails only that check. */
const RETENTION = {
  days: fc.integer({ min: 1, max: 1_095 }).map((count) => `${count}d`),
  years: fc.integer({ min: 1, max: 3 }).map((count) => `${count}y`),
};

const TEXTS: Partial<Record<LimitName, readonly string[]>> = {
  ingestion_rate_strategy: ["global"],
  s3_sse_type: ["SSE-KMS", "SSE-S3"],
  s3_sse_kms_key_id: [
    "alias/plumbline",
    "1234abcd-12ab-34cd-56ef-1234567890ab",
    "arn:aws:kms:us-east-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
  ],
  s3_sse_kms_encryption_context: [
    '{"department":"10103.0"}',
    '{ "department": "10103.0",  "number": 1.0 }',
    '{ "team": "plumbline",  "department": "10103.0" }',
    '{"plumbline":"yes"}',
    // The next text is an encryption context in base64, as clients send it in a header.
    "eyJkZXBhcnRtZW50IjoiMTAxMDMuMCJ9",
  ],
  per_tenant_override_config: ["/etc/Overrides.yaml", "overrides/Tenant-1.yaml"],
};

/** Generates values that differ from the documented default of the limit, and that servers of such an API usually accept. */
export function ordinaryValue(name: LimitName): fc.Arbitrary<LimitValue> {
  const { type, default: usual } = LIMITS[name];
  switch (type) {
    case "integer":
      return fc.integer({ min: 1, max: INT32 }).filter((value) => value !== usual);
    case "boolean":
      return fc.constant(usual !== true);
    case "duration":
      return fc.integer({ min: 1, max: 365 }).map((days) => `${24 * days}h`);
    case "retention":
      return fc.oneof(RETENTION.days, RETENTION.years);
    case "list":
      return fc.uniqueArray(labelName, { minLength: 1, maxLength: 4 });
    case "string":
      return TEXTS[name] === undefined ? labelName.filter((value) => value !== usual) : fc.constantFrom(...TEXTS[name]);
  }
}

export interface Writable {
  readonly names: readonly LimitName[];
  readonly valueOf: (name: LimitName) => fc.Arbitrary<LimitValue>;
}

/** The range of large integers. For a limit in nanoseconds, the smallest of them is 1.5 s. */
const LARGE = { min: 1_500_000_000, max: INT32 };
const SMALL = { min: 1, max: 1_000 };

/** Generates ordinary values with large integers and years. A server with an upper bound refuses or lowers large integers. */
export function largeValue(name: LimitName): fc.Arbitrary<LimitValue> {
  return LIMITS[name].type === "retention" ? RETENTION.years : within(LARGE, name);
}

/** Generates ordinary values with small integers and days. A server with a lower bound refuses or raises small integers. */
export function smallValue(name: LimitName): fc.Arbitrary<LimitValue> {
  return LIMITS[name].type === "retention" ? RETENTION.days : within(SMALL, name);
}

function within(range: { readonly min: number; readonly max: number }, name: LimitName): fc.Arbitrary<LimitValue> {
  const { type, default: usual } = LIMITS[name];
  return type === "integer" ? fc.integer(range).filter((value) => value !== usual) : ordinaryValue(name);
}

const LONG_TEXT = 4_096;
const LONG_NAME = "label_".padEnd(40, "x");

/** Words from many scripts and planes of Unicode. Unicode normalisation does not change these words. */
const SCRIPTS = 'Grüße Ωμέγα Привет مرحبا 指標 データ 한국어 ไทย नमस्ते \u{1f600} \u{1d4b3} "quoted" back\\slash a\tb'.split(" ");
const scriptedText = fc.shuffledSubarray(SCRIPTS, { minLength: SCRIPTS.length }).map((words) => `  ${words.join(" ")} `);

const longText = fc.integer({ min: 1, max: INT32 }).map((seed) => noise(seed, LONG_TEXT));

/** The limits of type string, in the order of the table. As unusual values, they get in turn a long text and a text of many scripts. */
const TEXT_LIMITS = LIMIT_NAMES.filter((name) => LIMITS[name].type === "string");

/** Generates values that a server may refuse. A server that accepts such a value must keep the value exactly. */
export function unusualValue(name: LimitName): fc.Arbitrary<LimitValue> {
  switch (LIMITS[name].type) {
    case "integer":
      return LIMIT_NAMES.indexOf(name) % 3 === 0
        ? fc.constant(Number.MAX_SAFE_INTEGER)
        : fc.oneof(fc.integer({ min: INT32 + 1, max: Number.MAX_SAFE_INTEGER }), fc.constantFrom(INT32 + 1, 2 ** 32, 2 ** 53 - 2));
    case "string":
      return TEXT_LIMITS.indexOf(name) % 2 === 0 ? longText : scriptedText;
    case "list":
      return fc.uniqueArray(labelName, { minLength: 39, maxLength: 39 }).map((names) => [...names, LONG_NAME]);
    default:
      return ordinaryValue(name);
  }
}

/** Returns the zero value of a limit. A server may confuse it with "not set". Returns undefined if no zero value can be sent. */
export function zeroValue(name: LimitName, noItems: LimitValue = null): LimitValue | undefined {
  switch (LIMITS[name].type) {
    case "integer":
      return 0;
    case "boolean":
      return false;
    case "string":
      return "";
    case "list":
      return noItems;
    case "duration":
      return "0s";
    case "retention":
      return undefined;
  }
}

/** Returns values to try after an ordinary value was refused. `usual` is the default, or undefined if it cannot be sent. */
export function otherValues(name: LimitName): { readonly ordinary: readonly LimitValue[]; readonly usual: LimitValue | undefined } {
  const { type, default: usual, time } = LIMITS[name];
  switch (type) {
    case "integer": {
      const near = typeof usual === "number" ? [usual - 1, usual + 1].filter((value) => value > 0) : [];
      const others = time === true ? [3_600_000_000_000, 86_400_000_000_000, 1_000] : [100, 9_999, 1_000_000];
      return { ordinary: [...others, ...near].filter((value) => value !== usual), usual };
    }
    case "duration":
      return { ordinary: ["1h", "24h", "90s", "9d"], usual };
    case "retention":
      return { ordinary: ["365d", "1y", "30d", "3650d"], usual: undefined };
    case "boolean":
      return { ordinary: [], usual };
    case "string":
      return { ordinary: TEXTS[name] ?? ["plumbline"], usual };
    case "list":
      // `usual` is undefined, because the default is null: a service that accepts only null accepts no list.
      return { ordinary: [["plumbline"], ["cluster"]], usual: undefined };
  }
}

/** Generates a value for each limit of `names`. */
export function everyLimit({ names, valueOf }: Writable): fc.Arbitrary<Limits> {
  return fc.record(Object.fromEntries(names.map((name) => [name, valueOf(name)])));
}

/**
 * Generates a subset of the limits, at least one and often few. Some have their defaults. Names and values are generated independently, so
 * that each can shrink without the other.
 */
export function limitSubset({ names, valueOf }: Writable, maxLength = names.length): fc.Arbitrary<Limits> {
  const name = fc.constantFrom(...names);
  const chosen = fc.oneof(
    { weight: 2, arbitrary: fc.uniqueArray(name, { minLength: 1, maxLength: Math.min(3, maxLength) }) },
    { weight: 3, arbitrary: fc.uniqueArray(name, { minLength: 1, maxLength }) },
  );
  const values = fc.record(Object.fromEntries(names.map((one) => [one, orDefault(one, valueOf(one))])));
  return fc.tuple(fewer(chosen, 1), values).map(([some, all]) => picked(some, all));
}

function picked(names: readonly LimitName[], values: Limits): Limits {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

function orDefault(name: LimitName, ordinary: fc.Arbitrary<LimitValue>): fc.Arbitrary<LimitValue> {
  const { default: usual, type } = LIMITS[name];
  if (usual === undefined || type === "retention") return ordinary;
  return fc.oneof({ weight: 6, arbitrary: ordinary }, { weight: 1, arbitrary: fc.constant(usual) });
}

/**
 * Divides the limits into three parts. Consecutive limits of the table are related, and go to different parts. So each limit is sent
 * without its related limits, and a read shows whether it changes their defaults.
 */
export function threeHands(writable: Writable): fc.Arbitrary<readonly [Limits, Limits, Limits]> {
  const { names } = writable;
  const deals = Array.from({ length: Math.ceil(names.length / 3) }, () => fc.shuffledSubarray([0, 1, 2], { minLength: 3 }));
  const order = fc.shuffledSubarray([...names], { minLength: names.length });
  return fc.tuple(fc.tuple(...deals), order, everyLimit(writable)).map(([dealt, shuffled, values]) => {
    const handOf = new Map(names.map((name, index) => [name, dealt[Math.floor(index / 3)]?.[index % 3]]));
    const hand = (which: number): Limits =>
      Object.fromEntries(shuffled.filter((name) => handOf.get(name) === which).map((name) => [name, values[name]]));
    return [hand(0), hand(1), hand(2)];
  });
}

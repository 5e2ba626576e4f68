/** Limit values and subsets. Value domains are not stated, so what every server should take is told apart from the rest. */
import fc from "fast-check";
import { fewer } from "./lists.ts";
import { noise } from "./noise.ts";
import { LIMITS, LIMIT_NAMES, type LimitName, type Limits, type LimitValue } from "../contract/limits.ts";

const INT32 = 2 ** 31 - 1;

/** Label names in mixed case up to 60 characters. */
const labelName = fc
  .tuple(fc.constantFrom(..."abcxyzABCXYZ_"), fc.string({ unit: fc.constantFrom(..."abcdwxyzABWXYZ0189_"), maxLength: 59 }))
  .map(([first, rest]) => first + rest);

/**
 * A duration `<n>d` or `<n>y` of at most three years. Longer ones have a check of their own: a server that cannot hold them must not
 * spoil the instances of all others.
 */
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
    // The form in which such a context is sent in a header.
    "eyJkZXBhcnRtZW50IjoiMTAxMDMuMCJ9",
  ],
  per_tenant_override_config: ["/etc/Overrides.yaml", "overrides/Tenant-1.yaml"],
};

/** Values of one limit that differ from its documented default and that a server of such an API takes. */
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

/** How values of the limits are drawn for a target: which limits it lets be set, and to what. */
export interface Writable {
  readonly names: readonly LimitName[];
  readonly valueOf: (name: LimitName) => fc.Arbitrary<LimitValue>;
}

/** Integers that are large for a limit; as nanoseconds they are seconds. */
const LARGE = { min: 1_500_000_000, max: INT32 };
const SMALL = { min: 1, max: 1_000 };

/** Ordinary values, of an integer only large ones: a ceiling refuses those, or cuts them. A retention period is in years. */
export function largeValue(name: LimitName): fc.Arbitrary<LimitValue> {
  return LIMITS[name].type === "retention" ? RETENTION.years : within(LARGE, name);
}

/** Ordinary values, of an integer only small ones: a floor refuses those, or raises them. A retention period is in days. */
export function smallValue(name: LimitName): fc.Arbitrary<LimitValue> {
  return LIMITS[name].type === "retention" ? RETENTION.days : within(SMALL, name);
}

function within(range: { readonly min: number; readonly max: number }, name: LimitName): fc.Arbitrary<LimitValue> {
  const { type, default: usual } = LIMITS[name];
  return type === "integer" ? fc.integer(range).filter((value) => value !== usual) : ordinaryValue(name);
}

const LONG_TEXT = 4_096;

/** Letters of every plane and script, with blanks around; none of it is changed by Unicode normalisation. */
const SCRIPTS = [
  "Grüße",
  "Ωμέγα",
  "Привет",
  "مرحبا",
  "指標",
  "データ",
  "한국어",
  "ไทย",
  "नमस्ते",
  "\u{1f600}",
  "\u{1d4b3}",
  '"quoted"',
  "back\\slash",
  "a\tb",
];
const scriptedText = fc.shuffledSubarray(SCRIPTS, { minLength: SCRIPTS.length }).map((words) => `  ${words.join(" ")} `);

const longText = fc.integer({ min: 1, max: INT32 }).map((seed) => noise(seed, LONG_TEXT));

/** Limits that hold a text, one after the other: every second gets a long one, the others one in many scripts. */
const TEXT_LIMITS = LIMIT_NAMES.filter((name) => LIMITS[name].type === "string");

/** Values that a server may refuse, but must keep exactly once it has taken them. */
export function unusualValue(name: LimitName): fc.Arbitrary<LimitValue> {
  switch (LIMITS[name].type) {
    case "integer":
      return LIMIT_NAMES.indexOf(name) % 3 === 0
        ? fc.constant(Number.MAX_SAFE_INTEGER)
        : fc.oneof(fc.integer({ min: INT32 + 1, max: Number.MAX_SAFE_INTEGER }), fc.constantFrom(INT32 + 1, 2 ** 32, 2 ** 53 - 2));
    case "string":
      return TEXT_LIMITS.indexOf(name) % 2 === 0 ? longText : scriptedText;
    case "list":
      return fc.uniqueArray(labelName, { minLength: 40, maxLength: 40 });
    default:
      return ordinaryValue(name);
  }
}

/** The value by which "set to zero" could be mistaken for "not set"; undefined where the type has none on write. A list is set to `noItems`. */
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

/** Values to try where an ordinary one was refused: near the default and of other magnitudes; `usual` is the default itself, if it can be sent. */
export function otherValues(name: LimitName): { readonly ordinary: readonly LimitValue[]; readonly usual: LimitValue | undefined } {
  const { type, default: usual, time } = LIMITS[name];
  switch (type) {
    case "integer": {
      const near = typeof usual === "number" ? [usual - 1, usual + 1].filter((value) => value > 0) : [];
      const others = time === true ? [3_600_000_000_000, 86_400_000_000_000, 1_000] : [9_999, 100, 1_000_000];
      return { ordinary: [...near, ...others].filter((value) => value !== usual), usual };
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
      return { ordinary: [["plumbline"]], usual };
  }
}

/** One value for each of `names`. */
export function everyLimit({ names, valueOf }: Writable): fc.Arbitrary<Limits> {
  return fc.record(Object.fromEntries(names.map((name) => [name, valueOf(name)])));
}

/**
 * A non-empty subset of the limits, now and then a documented default among the values; small subsets are common. Names and values
 * are drawn side by side, so that each shrinks without drawing the other anew.
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
 * The limits dealt out into three hands, each with ordinary values: every limit is in exactly one. Of three rows that follow each
 * other in the table each goes to another hand: related limits stand together there, and one that is sent without its neighbours
 * shows whether it changes what they are filled with.
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

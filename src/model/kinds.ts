/** Lists the kinds of differences, with the words and facts that depend on the kind. */

interface KindFacts {
  /** The verb phrase of a title, after the place of the difference. */
  readonly is: string;
  /** The verb phrase about the result of a log query, after its endpoint. The items of the result stand in place of `*`. */
  readonly returns?: string;
  /** The words for further differences of this kind. Words with `*`, which stands for the entries, are not counted. */
  readonly more: string;
  /** Whether the actual value says in words what is wrong, so that a message does not write `got` before it. */
  readonly says?: true;
  /** Whether no late push can cause the difference. */
  readonly neverLate?: true;
}

const LACKS = { is: "lacks data", more: "missing *" };
const HAS_MORE = { is: "has data that it must not have", returns: "returns * that must not be returned", more: "unexpected *" };
const OTHER_TENANT = { is: "has entries of another tenant", more: "* of another tenant" };

const FACTS = {
  value: { is: "has another value", more: "wrong value" },
  type: { is: "has a value of another type", more: "wrongly typed value" },
  absent: { is: "is absent", more: "absent value" },
  present: { is: "is present, but must be absent", more: "unexpected value" },
  differing: { is: "differs between instances", more: "differing value" },
  form: { is: "is not as promised", more: "invalid part" },
  status: { is: "is answered with", more: "wrong response" },
  refused: { is: "is refused", more: "refused request", says: true },
  lost: { ...LACKS, returns: "does not return all *", says: true },
  "too-few": { ...LACKS, returns: "returns too few *" },
  "too-many": { is: "has another value", returns: "returns too many *", more: "unexpected *", neverLate: true },
  extra: { ...HAS_MORE, says: true, neverLate: true },
  foreign: HAS_MORE,
  repeated: { is: "has data more than once", returns: "returns * more than once", more: "repeated entry" },
  order: { is: "is in the wrong order", returns: "returns * in the wrong order", more: "wrong order", says: true, neverLate: true },
  timestamp: { is: "has wrong timestamps", returns: "returns * with wrong timestamps", more: "wrong timestamp", neverLate: true },
  line: { is: "has another line", returns: "returns * with altered lines", more: "altered line" },
  misplaced: { is: "has entries in a wrong stream", returns: "returns * in a wrong stream", more: "misplaced entry" },
  labels: { is: "has another value", returns: "returns a stream with wrong labels", more: "wrong label set" },
  "wrong-choice": { is: "has wrong entries", returns: "does not return the wanted *", more: "wrong *" },
  edge: { is: "has only some of the entries with one timestamp", returns: "returns only some * with one timestamp", more: "missing *" },
  sample: { is: "has another value", returns: "returns a wrong sample value", more: "wrong sample" },
  "sample-time": { is: "has another value", returns: "returns samples with a wrong timestamp", more: "wrong timestamp" },
  group: { ...HAS_MORE, returns: "returns a wrong group", more: "wrong group" },
  "lost-group": { is: LACKS.is, returns: "does not return all groups", more: "missing group", says: true },
  "other-tenant": { ...OTHER_TENANT, returns: "returns * of another tenant", neverLate: true },
  "other-tenant-sample": { ...OTHER_TENANT, returns: "uses entries of another tenant" },
} as const satisfies Readonly<Record<string, KindFacts>>;

export type DifferenceKind = keyof typeof FACTS;

export const KINDS: Readonly<Record<DifferenceKind, KindFacts>> = FACTS;

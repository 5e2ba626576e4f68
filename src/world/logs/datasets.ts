/** Streams that a run pushes: each set is marked with the run and a name of its own, and placed minutes in the past. */
import type { Payload, RelativeStream } from "../../arbitraries/streams.ts";
import { type LogsOverride, pushOf } from "../../client/logs.ts";
import { type Answered, isAnswered, isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive, Masked } from "../../client/inconclusive.ts";
import { type Age, clearOfHalfHours, SPAN, YOUNG_BEFORE, YOUNG_SPAN } from "./placing.ts";
import type { Finding } from "../../harness/finding.ts";
import { RUN_LABEL } from "../../harness/every-response.ts";
import type { RunServices, Scope } from "../../harness/scope.ts";
import type { Resource } from "../../harness/settle.ts";
import { type Difference, show } from "../../model/difference.ts";
import { compare, countEntries, labelKey, type Labels, type Matcher, mergeStreams, type Stream } from "../../model/logs.ts";
import { READ_BACK_CLAUSES } from "../../model/log-answer.ts";
import { logQueryText } from "../../model/query-text.ts";

export { RUN_LABEL };
export const SET_LABEL = "plumbline_set";

const SECOND = 1_000_000_000n;

export interface Dataset extends Resource {
  /** The streams with all their labels and entries, each label set once. */
  readonly streams: readonly Stream[];
  /** The matchers that select this set and nothing else. */
  readonly matchers: readonly Matcher[];
  readonly anchor: bigint;
  /** A window that covers every entry with room at both ends. */
  readonly start: bigint;
  readonly end: bigint;
  readonly entries: number;
  readonly pushes: readonly Answered[];
  /** Whether something was left out of it that the target refuses; the push that was refused for it may have stored the rest. */
  readonly isReduced?: true;
}

/** The labels that mark a stream as of this run and this set. */
function own(scope: Scope, set: string): Labels {
  return { [RUN_LABEL]: scope.run.runId, [SET_LABEL]: set };
}

function placed(scope: Scope, set: string, anchor: bigint, streams: readonly RelativeStream[]): Stream[] {
  return streams.map(({ labels, entries }) => ({
    labels: { ...own(scope, set), ...labels },
    entries: entries.map(({ offset, line }) => ({ ts: anchor + offset, line })),
  }));
}

/** The target's clock in nanoseconds; where it is not known yet it is read from whatever a request is answered. */
export async function nowOf(scope: Scope): Promise<bigint> {
  // Only the Date header is wanted here: whether the list is answered or refused is for the checks of that endpoint.
  if (scope.run.transport("logs").clockOffsetMs === null) await scope.logs.probe("labels", "labels", {});
  return BigInt(Math.floor(scope.targetNow())) * 1_000_000n;
}

/** The anchor for a new set: minutes before now by the target's clock, and clear of full and half hours. */
async function anchorFor(scope: Scope, age: Age): Promise<bigint> {
  const now = await nowOf(scope);
  return age === "settled" ? clearOfHalfHours(now) : (now / SECOND) * SECOND - YOUNG_BEFORE;
}

export async function anchorOf(scope: Scope): Promise<bigint> {
  return anchorFor(scope, "settled");
}

/**
 * Pushes a payload as a new set. After 429, 5xx or no answer it is pushed anew under another name.
 * The set's last push is not a success when the service refused it. Throws `Inconclusive` when pushes were never answered.
 */
export async function store(scope: Scope, name: string, payload: Payload, override?: LogsOverride, age: Age = "settled"): Promise<Dataset> {
  const young = age === "young" ? await storeAt(scope, name, payload, await placingFor(scope, age), override) : null;
  if (young !== null && young.pushes.every(isSuccess)) return young;
  // A service whose clock is behind may take entries that young for ones of the future: which it takes is not stated.
  return storeAt(scope, young === null ? name : `${name}-older`, payload, await placingFor(scope, "settled"), override);
}

/** Where a set of an age lies. */
export async function placingFor(scope: Scope, age: Age): Promise<Placing> {
  return { anchor: await anchorFor(scope, age), span: age === "settled" ? SPAN : YOUNG_SPAN };
}

/** When a set lies: everything in it from `anchor` on for at most `span` ns. */
export interface Placing {
  readonly anchor: bigint;
  readonly span: bigint;
}

/**
 * The same at a time of the caller's own. Where a push is refused, and the target always refuses something in it that the documents do not
 * promise, it is pushed without that, as a set of its own, since what is refused may still have been stored in part.
 */
export async function storeAt(scope: Scope, name: string, payload: Payload, placing: Placing, override?: LogsOverride): Promise<Dataset> {
  const known = await reduced(scope, payload, "known");
  const whole = await pushedAt(scope, known === payload ? name : `${name}-less`, known, placing, override);
  if (refusalFinding(whole) === null) return known === payload ? whole : { ...whole, isReduced: true };
  const less = await reduced(scope, payload, "refused");
  if (less === known) return whole;
  const taken = await pushedAt(scope, `${name}-least`, less, placing, override);
  return refusalFinding(taken) === null ? { ...taken, isReduced: true } : whole;
}

/** A payload without what the target is known to refuse by itself, or (`refused`) without all that it turns out to refuse. */
async function reduced(scope: Scope, payload: Payload, which: "known" | "refused"): Promise<Payload> {
  const refused = refusedBy(scope);
  let left = payload;
  for (const reduction of REDUCTIONS) {
    const less = reduction.reduce(left);
    if (less === null) continue;
    if (which === "known" ? refused.known.has(reduction) : await isRefused(scope, reduction)) left = less;
  }
  return left;
}

interface Refused {
  readonly known: Set<Reduction>;
  readonly asked: Map<Reduction, Promise<boolean>>;
}

/** What the target was seen to refuse, by run. */
const REFUSED = new WeakMap<RunServices, Refused>();

function refusedBy({ run }: Scope): Refused {
  const refused = REFUSED.get(run) ?? { known: new Set<Reduction>(), asked: new Map<Reduction, Promise<boolean>>() };
  REFUSED.set(run, refused);
  return refused;
}

/** Whether the target refuses the least push that has something, and takes the same push without it; found out once in a run. */
async function isRefused(scope: Scope, reduction: Reduction): Promise<boolean> {
  const { known, asked } = refusedBy(scope);
  const ask = async (): Promise<boolean> => {
    const placing = await placingFor(scope, "settled");
    const payload: Payload = { pushes: [reduction.least] };
    const refusal = refusalFinding(await pushedAt(scope, `with-${reduction.slug}`, payload, placing, undefined));
    const [exchange] = refusal?.exchanges ?? [];
    const without = reduction.reduce(payload);
    if (exchange === undefined || without === null) return false;
    if (refusalFinding(await pushedAt(scope, `without-${reduction.slug}`, without, placing, undefined)) !== null) return false;
    known.add(reduction);
    scope.mask(new Masked("logs-4.push", reduction.what, exchange));
    return true;
  };
  const found = asked.get(reduction) ?? ask();
  asked.set(reduction, found);
  return found;
}

/** Throws `Masked` where a refused push held something that the target always refuses and the documents do not promise. */
export async function maskedPush(scope: Scope, exchange: Answered, streams: readonly RelativeStream[]): Promise<void> {
  for (const reduction of REDUCTIONS)
    if (reduction.reduce({ pushes: [streams] }) !== null && (await isRefused(scope, reduction)))
      throw new Masked("logs-4.push", reduction.what, exchange);
}

/** What of a payload a service may refuse, and the payload without it. */
interface Reduction {
  readonly slug: string;
  /** What is refused, to stand behind "the target refuses". */
  readonly what: string;
  /** The least push that has it. */
  readonly least: readonly RelativeStream[];
  /** Null where the payload has nothing of it. */
  readonly reduce: (payload: Payload) => Payload | null;
}

/** A stream of so many entries of one byte each, or of these lines. */
function least(lines: number | readonly string[], labels: Labels = {}): readonly RelativeStream[] {
  const all = typeof lines === "number" ? Array.from({ length: lines }, () => "a") : lines;
  return [{ labels, entries: all.map((line, index) => ({ offset: BigInt(index + 1) * 1_000n, line })) }];
}

const REDUCTIONS: readonly Reduction[] = [
  { slug: "empty-line", what: "empty lines", least: least(["before", ""]), reduce: withoutEmptyLines },
  {
    slug: "tie",
    what: "out-of-order entries",
    least: [{ labels: {}, entries: [1, 2].map((index) => ({ offset: 1_000n, line: `line ${index}` })) }],
    reduce: withoutTies,
  },
  { slug: "capital", what: "label names with capitals", least: least(1, { Svc_a: "a" }), reduce: withoutCapitals },
  {
    slug: "foreign",
    what: "label values with characters outside printable ASCII",
    least: least(1, { svc_a: "größe" }),
    reduce: withoutForeignCharacters,
  },
  // Several streams of one push have so many entries only together.
  {
    slug: "5000",
    what: "pushes of more than 5,000 entries",
    least: least(5_001),
    reduce: (payload) => inSmallerPushes(payload, 500),
  },
  ...[2_000, 500, 100].map((entries): Reduction => ({
    slug: `${entries}`,
    what: `pushes of more than ${entries} entries of one stream`,
    least: least(entries + 1),
    reduce: (payload) => inSmallerPushes(payload, entries),
  })),
];

/** A payload with each stream changed; null when nothing changes. */
function mapped(payload: Payload, change: (stream: RelativeStream) => RelativeStream): Payload | null {
  let isChanged = false;
  const pushes = payload.pushes.map((streams) =>
    streams.map((stream) => {
      const next = change(stream);
      isChanged ||= next !== stream;
      return next;
    }),
  );
  return isChanged ? { pushes } : null;
}

/** Each entry that is not newer than the one before it in its stream, a nanosecond after that one. */
function withoutTies(payload: Payload): Payload | null {
  const newest = new Map<string, bigint>();
  return mapped(payload, (stream) => {
    const key = labelKey(stream.labels);
    let isChanged = false;
    const entries = stream.entries.map((entry) => {
      const before = newest.get(key);
      const offset = before === undefined || entry.offset > before ? entry.offset : before + 1n;
      newest.set(key, offset);
      isChanged ||= offset !== entry.offset;
      return offset === entry.offset ? entry : { ...entry, offset };
    });
    return isChanged ? { ...stream, entries } : stream;
  });
}

/** Label names with capitals under names of small letters, which no other label has. */
function withoutCapitals(payload: Payload): Payload | null {
  return mapped(payload, (stream) => {
    if (!Object.keys(stream.labels).some((name) => /[A-Z]/.test(name))) return stream;
    const labels = Object.entries(stream.labels).map(
      ([name, value]) => [/[A-Z]/.test(name) ? `svc_was_${name.toLowerCase()}` : name, value] as const,
    );
    return { ...stream, labels: Object.fromEntries(labels) };
  });
}

/** Label values with the code of each character that is not printable ASCII in its place. */
function withoutForeignCharacters(payload: Payload): Payload | null {
  return mapped(payload, (stream) => {
    if (!Object.values(stream.labels).some((value) => /[^ -~]/.test(value))) return stream;
    const labels = Object.entries(stream.labels).map(
      ([name, value]) => [name, value.replaceAll(/[^ -~]/gu, (character) => `U${(character.codePointAt(0) ?? 0).toString(16)}`)] as const,
    );
    return { ...stream, labels: Object.fromEntries(labels) };
  });
}

/** A payload in pushes of no more entries than `most` of one stream, in the order of each stream; null when none has more. */
function inSmallerPushes({ pushes }: Payload, most: number): Payload | null {
  const parted = pushes.flatMap((streams) => {
    const parts = Math.max(1, ...streams.map(({ entries }) => Math.ceil(entries.length / most)));
    return Array.from({ length: parts }, (_, part) =>
      streams.flatMap(({ labels, entries }): RelativeStream[] => {
        const own = entries.slice(part * most, (part + 1) * most);
        return own.length === 0 && part > 0 ? [] : [{ labels, entries: own }];
      }),
    );
  });
  return parted.length === pushes.length ? null : { pushes: parted };
}

/** A payload without its empty lines, and without streams that have no others; null when there are none. */
function withoutEmptyLines({ pushes }: Payload): Payload | null {
  const hasEmpty = pushes.some((streams) => streams.some(({ entries }) => entries.some(({ line }) => line === "")));
  if (!hasEmpty) return null;
  const fuller = pushes.map((streams) =>
    streams.flatMap(({ labels, entries }) => {
      const left = entries.filter(({ line }) => line !== "");
      return left.length === 0 && entries.length > 0 ? [] : [{ labels, entries: left }];
    }),
  );
  return { pushes: fuller.filter((streams) => streams.length > 0) };
}

async function pushedAt(
  scope: Scope,
  name: string,
  payload: Payload,
  { anchor, span }: Placing,
  override: LogsOverride | undefined,
): Promise<Dataset> {
  const setOf = (attempt: number): string => (attempt === 0 ? name : `${name}-r${attempt}`);
  const bodies = (attempt: number): Stream[][] => payload.pushes.map((streams) => placed(scope, setOf(attempt), anchor, streams));
  const { attempt, exchanges } = await scope.logs.store(bodies, override);
  return datasetOf(scope, setOf(attempt), mergeStreams(bodies(attempt).flat()), { anchor, span }, exchanges);
}

function datasetOf(
  scope: Scope,
  set: string,
  streams: readonly Stream[],
  { anchor, span }: Placing,
  exchanges: readonly Answered[],
): Dataset {
  return {
    name: set,
    streams,
    anchor,
    start: anchor - 2n * SECOND,
    end: anchor + span + 2n * SECOND,
    entries: countEntries(streams),
    pushes: exchanges,
    lastWriteAt: exchanges.at(-1)?.endedAt ?? performance.now(),
    matchers: [
      { name: RUN_LABEL, operator: "=", value: scope.run.runId },
      { name: SET_LABEL, operator: "=", value: set },
    ],
  };
}

/** A set that is yet to be pushed, and the body of that push as data. */
export async function placedSet(
  scope: Scope,
  name: string,
  streams: readonly RelativeStream[],
  age: Age = "settled",
): Promise<{ readonly dataset: Dataset; readonly body: unknown }> {
  const placing = await placingFor(scope, age);
  const all = mergeStreams(placed(scope, name, placing.anchor, streams));
  return { dataset: datasetOf(scope, name, all, placing, []), body: pushOf(all) };
}

/**
 * Pushes more to a set. Null when the push was not answered for certain: then what the set holds is unknown. What reads of the set
 * before showed is no longer to be asked again, so it counts as written to.
 */
export async function extend(scope: Scope, dataset: Dataset, streams: readonly RelativeStream[]): Promise<Dataset | null> {
  const more = placed(scope, dataset.name, dataset.anchor, streams);
  dataset.lastWriteAt = performance.now();
  const exchange = await scope.logs.push(more);
  if (!isAnswered(exchange) || statusOf(exchange) === 429 || statusOf(exchange) >= 500) return null;
  const together = mergeStreams([...dataset.streams, ...more]);
  return {
    ...dataset,
    streams: together,
    entries: countEntries(together),
    pushes: [...dataset.pushes, exchange],
    lastWriteAt: exchange.endedAt,
  };
}

/** What a refused push of the set shows; null when all were accepted. */
export function refusalFinding({ pushes, streams }: Dataset): Finding | null {
  const refused = pushes.find((exchange) => !isSuccess(exchange));
  if (refused === undefined) return null;
  const difference: Difference = {
    clause: "logs-4.push",
    path: "status",
    expected: `success (2xx) for a documented push of ${streams.length} streams`,
    actual: `status ${statusOf(refused)}: ${show(refused.response.body)}`,
  };
  return { clauses: READ_BACK_CLAUSES, differences: [difference], exchanges: [refused] };
}

/** The set, when its pushes were accepted; else the checks that need it cannot judge. */
export function stored(dataset: Dataset): Dataset {
  const [refusal] = refusalFinding(dataset)?.differences ?? [];
  if (refusal === undefined) return dataset;
  throw new Inconclusive(`precondition not met: a push was answered ${refusal.actual} (see logs-4.push)`);
}

/** The query that selects the whole set. */
export function wholeQuery(dataset: Dataset): string {
  return logQueryText({ matchers: dataset.matchers, filters: [] });
}

/** All timestamps of the set, ascending, each once. */
export function timestamps({ streams }: Dataset): bigint[] {
  return [...new Set(streams.flatMap(({ entries }) => entries.map(({ ts }) => ts)))].toSorted(compare);
}

/** Points in time that lie on no entry: before the first, in every gap of at least `least` ns, after the last. */
export function cutPoints(dataset: Dataset, least = 2n): bigint[] {
  const all = timestamps(dataset);
  const between = all.flatMap((ts, index) => {
    const next = all[index + 1];
    return next === undefined || next - ts < least ? [] : [ts + (next - ts) / 2n];
  });
  return [dataset.start, ...between, dataset.end];
}

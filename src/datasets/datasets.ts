/** Streams that a run pushes: each set is marked with the run and a name of its own, and placed minutes in the past. */
import type { Asked } from "../diagnosis/range-request.ts";
import type { Payload, RelativeStream } from "../arbitraries/streams.ts";
import { type LogsOverride, pushOf } from "../client/logs.ts";
import { type Answered, isAnswered, isSuccess, statusOf } from "../client/exchange.ts";
import { Inconclusive, Masked } from "../client/inconclusive.ts";
import { type Reduction, REDUCTIONS } from "./removable-parts.ts";
import { type Age, clearOfHalfHours, SPAN, YOUNG_BEFORE, YOUNG_SPAN } from "./placing.ts";
import type { Finding } from "../harness/finding.ts";
import { RUN_LABEL } from "../harness/every-response.ts";
import type { RunServices, Scope } from "../harness/scope.ts";
import type { Resource } from "../harness/settle.ts";
import { type Difference, show } from "../model/difference.ts";
import { compare, countEntries, type Labels, type Matcher, mergeStreams, type Stream } from "../model/logs.ts";
import { READ_BACK_CLAUSES } from "../model/log-answer.ts";
import { logQueryText } from "../model/query-text.ts";

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
  /** Whether an earlier push of the same streams got no success, and may have stored some of them under another name of the dataset. */
  readonly isRepeated?: true;
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
  if (refusalFinding(whole) === null) {
    refusedBy(scope).accepted += whole.streams.length;
    await earlyStream(scope);
    return known === payload ? whole : { ...whole, isReduced: true };
  }
  const less = await reduced(scope, payload, "refused");
  if (less === known) {
    const refusal = whole.pushes.find((exchange) => !isSuccess(exchange));
    if (refusal !== undefined) await requireRoom(scope, refusal);
    return whole;
  }
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
  /** The number of streams that the target has accepted. */
  accepted: number;
  /** A stream that was pushed after the first success. */
  early: Promise<Dataset> | null;
}

/** What the target was seen to refuse, by run. */
const REFUSED = new WeakMap<RunServices, Refused>();

function refusedBy({ run }: Scope): Refused {
  const refused = REFUSED.get(run) ?? {
    known: new Set<Reduction>(),
    asked: new Map<Reduction, Promise<boolean>>(),
    accepted: 0,
    early: null,
  };
  REFUSED.set(run, refused);
  return refused;
}

async function earlyStream(scope: Scope): Promise<void> {
  const refused = refusedBy(scope);
  refused.early ??= placingFor(scope, "settled").then(async (placing) => pushedAt(scope, "early", LEAST, placing, undefined));
  await refused.early;
}

/** A push that each service accepts that accepts pushes at all. */
const LEAST: Payload = { pushes: [[{ labels: {}, entries: [{ offset: 1_000n, line: "a" }] }]] };

/** A target that accepts fewer streams violates the documents, because one push may have several streams. */
const FEW_STREAMS = 20;

/**
 * Throws `Masked` if the target has accepted many streams, refuses each new stream, and still accepts entries of an early stream. The documents
 * do not state how many streams a tenant may have.
 */
async function requireRoom(scope: Scope, refusal: Answered): Promise<void> {
  const { accepted } = refusedBy(scope);
  const early = await refusedBy(scope).early;
  if (accepted < FEW_STREAMS || early === null || refusalFinding(early) !== null) return;
  const fresh = await pushedAt(scope, "fresh", LEAST, await placingFor(scope, "settled"), undefined);
  if (refusalFinding(fresh) === null) return;
  const offset = BigInt(scope.run.unique() + 2) * 1_000n;
  const later = await extend(scope, early, [{ labels: {}, entries: [{ offset, line: "later" }] }]);
  if (later !== null && refusalFinding(later) === null) throw new Masked("logs-4.push", "new streams after it has accepted many", refusal);
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
  await requireRoom(scope, exchange);
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
  const dataset = datasetOf(scope, setOf(attempt), mergeStreams(bodies(attempt).flat()), { anchor, span }, exchanges);
  return attempt === 0 ? dataset : { ...dataset, isRepeated: true };
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

/** The text of a query over a dataset. */
export function textOf(dataset: Dataset, { matchers = [], ownLast, filters = [] }: Asked): string {
  return logQueryText({ matchers: ownLast === true ? [...matchers, ...dataset.matchers] : [...dataset.matchers, ...matchers], filters });
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

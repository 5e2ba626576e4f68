/**
 * Makes servers that misbehave only if a request has two given levels. A function without shared code with the engines recognises each
 * level, except the levels in `UNRECOGNISED`.
 */
import { DOCUMENTED_DEFAULTS, LIMIT_NAMES, LIMITS, type LimitName } from "../contract/limits.ts";
import type { Service } from "../contract/clause.ts";
import type { LimitValues } from "../reference/admin/state.ts";
import type { Behaviour, BehaviourChange } from "../reference/behaviour.ts";
import type { Json } from "../reference/http/message.ts";
import type { LogQuery, MetricQuery, Query, RangeAggregation } from "../reference/logql/ast.ts";
import type { Sample } from "../reference/logs/instant.ts";
import type { RangeQuery } from "../reference/logs/range.ts";
import type { Entry, LabelledEntries, Window } from "../reference/logs/types.ts";

export type Harm = "lost" | "extra" | "wrong order" | "wrong value" | "wrong shape";

export interface PairServer extends BehaviourChange {
  readonly service: Service;
  /** Returns how many times the server has sent or stored wrong data. */
  readonly harmed: () => number;
}

/** A level of a factor, with a function that says whether a request has this level. */
interface Seen<S> {
  readonly factor: string;
  readonly level: string;
  readonly isIn: (seen: S) => boolean;
}

/** The levels that a server cannot recognise in a request: they depend on names of datasets, or on sizes that a run draws. */
export const UNRECOGNISED = ["dataset", "limit: the size of a batch", "start: just before an entry", "end: just after an entry"];

interface Scanned {
  selected: number;
  /** The numbers of entries of the selected streams before and after the window. */
  before: number;
  after: number;
  /** The timestamp of the oldest entry of the selected streams, in ns. */
  oldest: bigint | null;
  /** An entry of the selected streams that the query does not select. */
  foreign: Entry | null;
}

interface RangeSeen extends Scanned {
  readonly log: LogQuery;
  readonly query: RangeQuery;
}

interface MetricSeen extends Scanned {
  readonly range: RangeAggregation;
  /** The labels by which samples are summed, or undefined if they are not summed. */
  readonly by: readonly string[] | undefined;
}

const HOUR = 3_600_000_000_000n;
const OPERATORS = ["=", "!=", "=~", "!~"];
const FILTER_OPERATORS = ["|=", "!=", "|~", "!~"];

/** Returns the matchers that do not name the run or the dataset. */
function ownMatchers({ matchers }: LogQuery): LogQuery["matchers"] {
  return matchers.filter(({ name }) => !name.startsWith("plumbline_"));
}

function seen<S>(factor: string, level: string, isIn: (seen: S) => boolean): Seen<S> {
  return { factor, level, isIn };
}

const ORDINALS = ["first", "second", "third"];

/** Returns the levels of the first two matchers and of the first three line filters. */
function selecting<S>(logOf: (seen: S) => LogQuery): Seen<S>[] {
  const matchers = ORDINALS.slice(0, 2).flatMap((which, at) =>
    OPERATORS.map((level) => seen<S>(`${which} matcher`, level, (one) => ownMatchers(logOf(one))[at]?.operator === level)),
  );
  const filters = ORDINALS.flatMap((which, at) =>
    FILTER_OPERATORS.map((level) => seen<S>(`${which} line filter`, level, (one) => logOf(one).filters[at]?.operator === level)),
  );
  return [...matchers, ...filters];
}

function limited(level: string, isIn: (limit: number, selected: number) => boolean): Seen<RangeSeen> {
  return seen("limit", level, ({ query, selected }) => !query.defaulted.limit && isIn(query.limit, selected));
}

const RANGE_LEVELS: readonly Seen<RangeSeen>[] = [
  seen("direction", "forward", ({ query: { direction, defaulted } }) => direction === "forward" && !defaulted.direction),
  seen("direction", "not sent", ({ query }) => query.defaulted.direction),
  seen("limit", "not sent", ({ query }) => query.defaulted.limit),
  limited("1", (limit) => limit === 1),
  limited("one less than selected", (limit, selected) => limit === selected - 1),
  limited("as many as selected", (limit, selected) => limit === selected),
  limited("one more than selected", (limit, selected) => limit === selected + 1),
  limited("a part of the selected", (limit, selected) => limit < selected),
  seen("start", "between entries", ({ before }) => before > 0),
  seen("start", "hours before all entries", ({ oldest, query }) => oldest !== null && oldest - query.start > HOUR),
  seen("end", "between entries", ({ after, oldest, query }) => after > 0 && oldest !== null && query.end > oldest),
  seen("end", "before all entries", ({ oldest, query }) => oldest !== null && query.end <= oldest),
  seen("order of matchers", "those of the run last", ({ log }) => log.matchers[0]?.name.startsWith("plumbline_") === false),
  ...selecting<RangeSeen>(({ log }) => log),
];

const METRIC_LEVELS: readonly Seen<MetricSeen>[] = [
  ...["rate", "bytes_over_time"].map((level) => seen<MetricSeen>("function", level, ({ range }) => range.function === level)),
  seen("grouping", "not summed", ({ by }) => by === undefined),
  seen("grouping", "by one label", ({ by }) => by?.length === 1),
  seen("grouping", "by several labels", ({ by }) => (by?.length ?? 0) > 1),
  seen("range", "until an entry", ({ after }) => after > 0),
  seen("range", "from an entry", ({ before }) => before > 0),
  ...selecting<MetricSeen>(({ range }) => range.query),
];

const NONE: Scanned = { selected: 0, before: 0, after: 0, oldest: null, foreign: null };

function noted(scanned: Scanned, entries: readonly Entry[], { from, to }: Window, accepts: (entry: Entry) => boolean): Scanned {
  const isSelected = (entry: Entry): boolean => entry.ts >= from && entry.ts < to && accepts(entry);
  const first = entries[0]?.ts ?? null;
  return {
    selected: scanned.selected + entries.filter(isSelected).length,
    before: scanned.before + entries.filter(({ ts }) => ts < from).length,
    after: scanned.after + entries.filter(({ ts }) => ts >= to).length,
    oldest: first !== null && (scanned.oldest === null || first < scanned.oldest) ? first : scanned.oldest,
    foreign: scanned.foreign ?? entries.find((entry) => !isSelected(entry)) ?? null,
  };
}

class Notes {
  scanned = NONE;

  scan(base: Behaviour): Behaviour["scan"] {
    return (entries, window, accepts, limit, direction) => {
      this.scanned = noted(this.scanned, entries, window, accepts);
      return base.scan(entries, window, accepts, limit, direction);
    };
  }
}

/** Makes the streams of a response wrong in one way. Returns null if this is not possible in this way. */
function harmedStreams(streams: readonly LabelledEntries[], harm: Harm, foreign: Entry | null): readonly LabelledEntries[] | null {
  const largest = streams.toSorted((one, other) => other.entries.length - one.entries.length)[0];
  const at = Math.floor((largest?.entries.length ?? 0) / 2);
  const entry = largest?.entries[at];
  if (largest === undefined || entry === undefined) return null;
  const changed = (entries: readonly Entry[]): readonly LabelledEntries[] =>
    streams.map((stream) => (stream === largest ? { ...stream, entries } : stream));
  switch (harm) {
    case "lost":
      return changed(largest.entries.toSpliced(at, 1));
    case "extra":
      return changed([...largest.entries, foreign ?? entry]);
    case "wrong order":
      return new Set(largest.entries.map(({ ts }) => ts)).size < 2 ? null : streams;
    case "wrong value":
      return changed(largest.entries.with(at, { ...entry, line: `${entry.line}~` }));
    case "wrong shape":
      return streams;
  }
}

/** Makes a server with the change. It calls `count` each time that it sends or stores wrong data. */
function pairServer(id: string, service: Service, change: (base: Behaviour, count: () => void) => Partial<Behaviour>): PairServer {
  let harmed = 0;
  return { id, service, harmed: () => harmed, change: (base) => change(base, () => void (harmed += 1)) };
}

type Meets<S> = (seen: S) => boolean;

function rangeServer(id: string, meets: Meets<RangeSeen>, harm: Harm): PairServer {
  return pairServer(id, "logs", (base, count) => {
    let log: Query | null = null;
    const notes = new Notes();
    let isHarming = false;
    return {
      parseQuery: (text) => {
        [notes.scanned, isHarming] = [NONE, false];
        return (log = base.parseQuery(text));
      },
      scan: notes.scan(base),
      arrange: (streams, query) => {
        const arranged = base.arrange(streams, query);
        if (log?.kind !== "log" || !meets({ ...notes.scanned, log, query })) return arranged;
        const wrong = harmedStreams(arranged, harm, notes.scanned.foreign);
        if (wrong === null) return arranged;
        isHarming = true;
        count();
        return wrong;
      },
      order: (entries, direction) => {
        const ordered = base.order(entries, direction);
        return isHarming && harm === "wrong order" ? ordered.toReversed() : ordered;
      },
      presentEntry: (entry, query) => {
        const isWrong = isHarming && harm === "wrong shape";
        return isWrong ? { ts: entry.ts.toString(), line: entry.line } : base.presentEntry(entry, query);
      },
    };
  });
}

function harmedSamples(samples: readonly Sample[], harm: Harm): readonly Sample[] | null {
  const [first] = samples;
  if (first === undefined) return null;
  switch (harm) {
    case "lost":
      return samples.slice(1);
    case "extra":
      return [...samples, { labels: { ...first.labels, svc_extra: "1" }, value: first.value }];
    case "wrong value":
      return samples.with(0, { ...first, value: first.value * 2 + 1 });
    case "wrong shape":
      return samples;
    case "wrong order":
      return null;
  }
}

/** If a metric query has a form that the metric engine sends, returns its range and its grouping. Otherwise returns null. */
function plainMetric(query: MetricQuery): Pick<MetricSeen, "range" | "by"> | null {
  if (query.kind === "range") return { range: query, by: undefined };
  if (query.kind !== "vector" || query.operator !== "sum" || query.inner.kind !== "range") return null;
  return { range: query.inner, by: query.grouping?.labels ?? [] };
}

function metricServer(id: string, meets: Meets<MetricSeen>, harm: Harm): PairServer {
  return pairServer(id, "logs", (base, count) => {
    let metric: Pick<MetricSeen, "range" | "by"> | null = null;
    const notes = new Notes();
    let isHarming = false;
    return {
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        [notes.scanned, isHarming, metric] = [NONE, false, query.kind === "log" ? null : plainMetric(query)];
        return query;
      },
      scan: notes.scan(base),
      arrangeSamples: (samples) => {
        const arranged = base.arrangeSamples(samples);
        if (metric === null || !meets({ ...notes.scanned, ...metric })) return arranged;
        const wrong = harmedSamples(arranged, harm);
        if (wrong === null) return arranged;
        isHarming = harm === "wrong shape";
        count();
        return wrong;
      },
      presentSample: (value) => (isHarming ? value : base.presentSample(value)),
    };
  });
}

type Kind = "not sent" | "default" | "zero or empty" | "other";

/** Returns the kinds of values that a request can send for the limit `name`. If the default is a zero value, it counts as the default. */
function kindsOf(name: LimitName): Kind[] {
  const { type } = LIMITS[name];
  const isZeroDefault = [0, false, "", "0s"].includes(DOCUMENTED_DEFAULTS[name] as string | number | boolean) || type === "list";
  return [
    "not sent",
    ...(DOCUMENTED_DEFAULTS[name] === undefined || type === "retention" ? [] : (["default"] as const)),
    ...(isZeroDefault || type === "retention" ? [] : (["zero or empty"] as const)),
    ...(DOCUMENTED_DEFAULTS[name] === true ? [] : (["other"] as const)),
  ];
}

function kindOf(name: LimitName, sent: LimitValues): Kind {
  if (!Object.hasOwn(sent, name)) return "not sent";
  const text = JSON.stringify(sent[name]);
  if (text === JSON.stringify(DOCUMENTED_DEFAULTS[name])) return "default";
  return ["0", "false", '""', "[]", "null", '"0s"', '"0d"'].includes(text) ? "zero or empty" : "other";
}

function harmedLimits(limits: LimitValues, name: LimitName, harm: Harm): LimitValues {
  const value = limits[name] as Json;
  if (harm === "lost") return Object.fromEntries(Object.entries(limits).filter(([one]) => one !== name));
  if (harm === "wrong shape") return { ...limits, [name]: { value } };
  const wrong: Record<string, Json> = {
    integer: Number(value) + 1,
    boolean: value !== true,
    list: ["wrong"],
    duration: "7m3s",
    retention: "31d",
  };
  return { ...limits, [name]: wrong[LIMITS[name].type] ?? `${JSON.stringify(value)}~` };
}

function limitServer(id: string, one: readonly [LimitName, Kind], other: readonly [LimitName, Kind], harm: Harm): PairServer {
  return pairServer(id, "admin", (base, count) => {
    const stored = (limits: LimitValues | undefined, sent: LimitValues | undefined): LimitValues | undefined => {
      if (limits === undefined || sent === undefined) return limits;
      if ([one, other].some(([name, kind]) => kindOf(name, sent) !== kind)) return limits;
      count();
      return harmedLimits(limits, one[0], harm);
    };
    return {
      fillLimits: (requested, defaults, context) => stored(base.fillLimits(requested, defaults, context), context.sent),
      replaceLimits: (old, requested, defaults, context) => stored(base.replaceLimits(old, requested, defaults, context), context.sent),
    };
  });
}

function pairsOf<S>(levels: readonly Seen<S>[]): (readonly [Seen<S>, Seen<S>])[] {
  return levels.flatMap((one, at) => levels.slice(at + 1).flatMap((other) => (one.factor === other.factor ? [] : [[one, other] as const])));
}

function queryServers<S>(
  engine: string,
  levels: readonly Seen<S>[],
  harms: readonly Harm[],
  server: (id: string, meets: Meets<S>, harm: Harm) => PairServer,
): PairServer[] {
  return pairsOf(levels).flatMap(([one, other]) =>
    harms.map((harm) => {
      const id = `${engine}: ${one.factor} ${one.level} + ${other.factor} ${other.level}: ${harm}`;
      return server(id, (seen) => one.isIn(seen) && other.isIn(seen), harm);
    }),
  );
}

/** Returns a list for each engine: servers that misbehave only if a request has both levels of one pair. */
export function pairServers(): readonly (readonly PairServer[])[] {
  const limits = LIMIT_NAMES.flatMap((one) => LIMIT_NAMES.filter((other) => other !== one).map((other) => [one, other] as const));
  return [
    queryServers("range queries", RANGE_LEVELS, ["lost", "extra", "wrong order", "wrong value", "wrong shape"], rangeServer),
    queryServers("metric queries", METRIC_LEVELS, ["lost", "extra", "wrong value", "wrong shape"], metricServer),
    limits.flatMap(([one, other]) =>
      kindsOf(one).flatMap((kind) =>
        kindsOf(other)
          .filter((otherKind) => kind !== "not sent" || otherKind !== "not sent")
          .flatMap((otherKind) =>
            (["lost", "wrong value", "wrong shape"] as const).map((harm) =>
              limitServer(`histories: ${one} ${kind} + ${other} ${otherKind}: ${harm}`, [one, kind], [other, otherKind], harm),
            ),
          ),
      ),
    ),
  ];
}

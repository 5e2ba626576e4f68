/**
 * Finds the parts of queries that a target always refuses and the documents do not promise. Such a part is masked: no check judges it. The
 * documents promise `=` matchers, at least one kind of line filter, and the three metric functions that they name. They promise no short
 * filter texts and no window. After a refusal, the first part that the target also refuses alone is masked. Without such a part, the
 * refusal is a violation.
 */
import { type Answered, statusOf } from "../client/exchange.ts";
import { Masked } from "../client/inconclusive.ts";
import type { LogsOverride, RangeParameters } from "../client/logs.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { RunServices, Scope } from "../harness/scope.ts";
import { RUN_LABEL, SET_LABEL } from "./datasets.ts";
import { nowOf } from "./dataset-pushes.ts";
import { hello } from "./first-push.ts";
import { MINUTE } from "../model/times.ts";

/** A service may refuse a query whose result has more than this number of series, because the documents promise no number. */
const MOST_SERIES = 20;
/** A service may refuse to read more than this number of bytes of log lines, because the documents promise no number. */
const MOST_READ = 100_000;
/** A service may refuse windows of at least this many minutes. Reads of recent pushes are shorter, so they must be accepted. */
const LONG_MINUTES = 10n;

/** The length of the shortest window that is tried, in ns. If a target accepts it, it must accept shorter windows too. */
const SHORT = 5_000_000_000n;

const QUOTED = /"(?:[^"\\]|\\.)*"|`[^`]*`/g;
const MATCHERS = ["!=", "=~", "!~"] as const;
const FILTERS = ["|=", "!=", "|~", "!~"] as const;
const FUNCTIONS = ["count_over_time", "rate", "bytes_over_time"] as const;

interface Part {
  readonly key: string;
  /** The name of the part. The name can follow the words "the target refuses". */
  readonly what: string;
  readonly clause: ClauseId;
  /** Returns the smallest query with this part. `selector` selects the first small dataset. */
  readonly query: (selector: string) => string;
  /** The keys of all kinds of line filters. The documents promise that a target accepts at least one of them. */
  readonly kind?: readonly string[];
  /** The ranges that are one unit shorter and longer. If the target accepts both, the length is not why it refuses this range. */
  readonly between?: readonly [shorter: string, longer: string];
}

const chopped = (selector: string): string => selector.slice(0, -1);

function part(key: string, what: string, clause: ClauseId, query: Part["query"]): Part {
  return { key, what, clause, query };
}

/** Returns the part that consists of one more matcher in the selector. */
function matcherPart(key: string, what: string, matcher: string): Part {
  return part(key, what, "logs-4.matchers", (selector) => `${chopped(selector)}, ${matcher}}`);
}

/** Matches an expression with `.*` or `.+`, which a service may refuse as too expensive. */
const WILDCARD = /(?:=~|!~|\|~)\s*(?:"(?:[^"\\]|\\.)*?\.[*+]|`[^`]*?\.[*+])/;
const wildcardMatcher = matcherPart("wildcard matcher", "matchers with .* in a regular expression", `${SET_LABEL}=~"hello.*"`);
const wildcardFilter = part("wildcard filter", "line filters with .* in a regular expression", "logs-4.3", (s) => `${s} |~ ".*first.*"`);

function filterPart(operator: (typeof FILTERS)[number]): Part {
  const kind = FILTERS.map((one) => `filter ${one}`);
  return { ...part(`filter ${operator}`, `line filters of ${operator}`, "logs-4.3", (s) => `${s} ${operator} "first"`), kind };
}

const PARTS: ReadonlyMap<string, Part> = new Map(
  [
    ...MATCHERS.map((one) =>
      matcherPart(`matcher ${one}`, `matchers of ${one}`, `${SET_LABEL}${one}"${one === "=~" ? "hello" : "nothing"}"`),
    ),
    ...FILTERS.map(filterPart),
  ].map((one) => [one.key, one]),
);

/** Returns the metric functions of a query. `bare` is the query without its quoted texts. */
function functionsIn(bare: string): (typeof FUNCTIONS)[number][] {
  return FUNCTIONS.filter((name) => new RegExp(String.raw`\b${name}\s*\(`).test(bare));
}

/** Returns the parts of a query, from the simplest to the most complex. */
function partsOf(query: string): Part[] {
  const bare = query.replaceAll(QUOTED, "Q");
  const selectors = [...bare.matchAll(/\{([^}]*)\}/g)].map(([, inside = ""]) => inside);
  const outside = bare.replaceAll(/\{[^}]*\}/g, "{}");
  const operators = selectors.flatMap((inside) => [...inside.matchAll(/(=~|!~|!=|=)\s*Q/g)].map(([, operator = ""]) => operator));
  const filters = [...outside.matchAll(/(\|=|\|~|!=|!~)\s*Q/g)].map(([, operator = ""]) => operator);
  const [name = "count_over_time"] = functionsIn(bare);
  const keys = [...operators.map((one) => `matcher ${one}`), ...filters.map((one) => `filter ${one}`)];
  const parts = [...new Set(keys)].flatMap((key) => PARTS.get(key) ?? []);
  const most = Math.max(0, ...selectors.map((inside) => inside.split("Q").length - 1));
  const chain = outside.split("{}").map((text) => [...text.matchAll(/(\|=|\|~|!=|!~)\s*Q/g)].map(([, operator = ""]) => operator));
  const longest = chain.toSorted((one, other) => other.length - one.length)[0] ?? [];
  return [
    ...parts,
    ...(most > 2 ? [manyMatchers(most)] : []),
    ...(longest.length > 1 ? [manyFilters(longest)] : []),
    ...((query.match(SELECTOR) ?? []).some((selector) => WILDCARD.test(selector)) ? [wildcardMatcher] : []),
    ...(WILDCARD.test(query.replaceAll(SELECTOR, "{}")) ? [wildcardFilter] : []),
    ...otherEscapes(query),
    ...(EMPTY_VALUE.test(query) ? [emptyValue] : []),
    ...(SHORT_TEXT.test(query.replaceAll(SELECTOR, "{}")) ? [shortText] : []),
    ...(/\bsum\b/.test(outside) ? [aggregation(name)] : []),
    ...(/\b(?:by|without)\s*\(/.test(outside) ? [grouping(name)] : []),
    ...unusualRanges(outside, name),
    ...longQuery(query),
  ];
}

const SELECTOR = /\{(?:[^"`}]|"(?:[^"\\]|\\.)*"|`[^`]*`)*\}/g;
const EMPTY_VALUE = /(?:=|=~|!~)\s*(?:""|``)\s*[,}]/;
const emptyValue = matcherPart("empty value", "matchers with an empty value", 'plumbline_absent=""');

/** Matches an escape in a quoted text. A service that knows no escapes also refuses a text with the other escape. */
const ESCAPE = /\\./gs;
const escapedQuote = part("quote", "texts with an escaped quotation mark or backslash", "logs-4.3", (s) => `${s} |= "fir\\"st"`);
const escapedBackslash = { ...escapedQuote, key: "backslash", query: (s: string) => `${s} |= "fir\\\\st"` };

/** Returns a part with another escape than the query. */
function otherEscapes(query: string): Part[] {
  const escapes = new Set((query.match(/"(?:[^"\\]|\\.)*"/gs) ?? []).flatMap((text) => text.match(ESCAPE) ?? []));
  const isQuote = escapes.delete('\\"');
  return [...(escapes.size > 0 ? [escapedQuote] : []), ...(isQuote ? [escapedBackslash] : [])];
}

/** Matches a filter text of one or two characters. A service whose index has longer parts of lines may refuse such a text. */
const SHORT_TEXT = /(?:\|=|\|~|!=|!~)\s*(?:"(?:[^"\\]|\\.){1,2}"|`[^`]{1,2}`)/;
const shortText = part("short text", "line filters with fewer than three characters", "logs-4.3", (s) => `${s} |= "fi"`);

/** A service may refuse queries of at least this length in a URL. */
const LONG_QUERY = 300;

/** If the query is longer than LONG_QUERY in a URL, returns its length as a part that the target may refuse. */
function longQuery(query: string): Part[] {
  const { length } = encodeURIComponent(query);
  if (length <= LONG_QUERY) return [];
  const what = `queries of ${length} characters in the URL`;
  const padded = (selector: string): string => `${selector} |= "${"i".repeat(length - encodeURIComponent(`${selector} |= ""`).length)}"`;
  return [part(what, what, "logs-4.3", padded)];
}

/** A service may refuse longer ranges than this length, in seconds. The smallest queries with the other parts have this range. */
const LONG_RANGE = 300;
/** A service may refuse ranges below this length, in seconds. */
const SHORT_RANGE = 60;
const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

function overRange(name: string, range: string): Part["query"] {
  return (selector) => `${name}(${selector}[${range}])`;
}

/** Returns the ranges that are one unit shorter and longer. Returns undefined for a range such as `1h30m`, or of one unit such as `1h`. */
function besideRange(range: string): Part["between"] {
  const [, count = "0", unit = ""] = /^(\d+)([smhdw])$/.exec(range) ?? [];
  return Number(count) > 1 ? [`${Number(count) - 1}${unit}`, `${Number(count) + 1}${unit}`] : undefined;
}

/** Returns parts for unusual ranges: in milliseconds, not in whole minutes, above LONG_RANGE, and below SHORT_RANGE. */
function unusualRanges(query: string, name: string): Part[] {
  const ranges = [...query.matchAll(/\[([^\]]*)\]/g)]
    .map(([, text = ""]) => ({
      text,
      seconds: [...text.matchAll(/(\d+)(ms|[smhdw])/g)].reduce(
        (sum, [, count, unit = ""]) => sum + Number(count) * (SECONDS[unit] ?? 0),
        0,
      ),
    }))
    .toSorted((one, other) => one.seconds - other.seconds);
  const over = (what: string, range: string): Part => {
    const between = besideRange(range);
    return { ...part(`range ${range}`, what, "logs-4.query", overRange(name, range)), ...(between === undefined ? {} : { between }) };
  };
  const [shortest, longest] = [ranges[0], ranges.at(-1)];
  return [
    ...(/\dms/.test(query) ? [over("ranges in milliseconds", "300000ms")] : []),
    ...(ranges.some(({ seconds }) => seconds % 60 !== 0) ? [over("ranges that are not whole minutes", "90s")] : []),
    ...(longest !== undefined && longest.seconds > LONG_RANGE ? [over(`ranges of ${Math.ceil(longest.seconds)} s`, longest.text)] : []),
    ...(shortest !== undefined && shortest.seconds < SHORT_RANGE
      ? [over(`ranges of ${Math.ceil(shortest.seconds)} s`, shortest.text)]
      : []),
  ];
}

function manyMatchers(count: number): Part {
  const query = (selector: string): string =>
    `${chopped(selector)}${`, ${/plumbline_run="[^"]*"/.exec(selector)?.[0] ?? ""}`.repeat(count - 2)}}`;
  return part(`${count} matchers`, `selectors of ${count} matchers`, "logs-4.matchers", query);
}

function manyFilters(operators: readonly string[]): Part {
  const [chain, texts] = [operators.join(" "), operators.map((operator) => ` ${operator} "first"`).join("")];
  return part(`filters ${chain}`, `chains of the line filters ${chain}`, "logs-4.3", (selector) => selector + texts);
}

function aggregation(inner: string): Part {
  return part("sum", "sums", "logs-4.query", (selector) => `sum(${inner}(${selector}[5m]))`);
}

function grouping(inner: string): Part {
  return part("sum by a label", "sums by labels", "logs-4.query", (selector) => `sum by (${SET_LABEL}) (${inner}(${selector}[5m]))`);
}

/** Whether the target accepts each part, by run. */
const KNOWN = new WeakMap<RunServices, Map<string, Promise<boolean>>>();

/** The limit of the smallest queries. The limit is not lower, because a service may refuse lower limits. */
const TRIED_LIMIT = 10;

interface Place extends Pick<RangeParameters, "start" | "end"> {
  readonly limit?: number;
}

/** Whether the target accepts the smallest query with a part. Each part is tried once per run. */
async function takes(scope: Scope, key: string, query: (selector: string) => string, place?: Place): Promise<boolean> {
  const known = KNOWN.get(scope.run) ?? new Map<string, Promise<boolean>>();
  KNOWN.set(scope.run, known);
  const found = known.get(key) ?? asked(scope, query, place);
  known.set(key, found);
  return found;
}

async function asked(scope: Scope, query: (selector: string) => string, place?: Place): Promise<boolean> {
  const set = await scope.use(hello);
  const text = query(`{${RUN_LABEL}="${scope.run.runId}", ${SET_LABEL}="${set.name}"}`);
  const { start, end, limit = TRIED_LIMIT }: Place = place ?? { start: set.anchor - MINUTE, end: set.anchor + MINUTE };
  const isLog = text.startsWith("{");
  const parameters = isLog
    ? { query: text, start: start.toString(), end: end.toString(), limit: limit.toString() }
    : { query: text, time: end.toString() };
  const endpoint = isLog ? "query_range" : "query";
  // A 5xx may be temporary, so only 4xx shows that the target refuses the query.
  return !isRefusal(await scope.logs.probe(`${endpoint} (is the query accepted?)`, endpoint, parameters));
}

/** Whether the response is a refusal for another reason than the credentials or the rate of requests. */
function isRefusal(exchange: Answered): boolean {
  const status = statusOf(exchange);
  return status >= 400 && status < 500 && ![401, 403, 404, 405, 408, 429].includes(status);
}

/** The limits that are tried in turn if the target refuses a higher limit. The default limit is the last. */
const LOWER_LIMITS = [500, 250, 100] as const;

/** If the target refuses higher limits: the highest limit that the run sends, and the response that refused a higher limit. */
const HIGHEST = new WeakMap<RunServices, { readonly limit: number; readonly refusal: Answered }>();

/** Returns the given limit. If the target accepts only lower limits, returns the highest limit that it accepts. */
export function acceptedLimit({ run }: Scope, limit: number): number {
  return Math.min(limit, HIGHEST.get(run)?.limit ?? limit);
}

/** Finds out whether a request was refused because of its limit. If so, the run sends lower limits from then on. */
export async function lowersLimit(scope: Scope, refusal: Answered, { start, end, limit = 0 }: RangeParameters): Promise<boolean> {
  const isTaken = async (tried: number): Promise<boolean> =>
    takes(scope, `limit of ${tried} from ${start} to ${end}`, (selector) => selector, { start, end, limit: tried });
  const [least] = LOWER_LIMITS.slice(-1);
  if (!isRefusal(refusal) || least === undefined || limit <= least || (await isTaken(limit)) || !(await isTaken(least))) return false;
  for (const lower of LOWER_LIMITS) {
    if (lower >= limit || !(await isTaken(lower))) continue;
    HIGHEST.set(scope.run, { limit: lower, refusal });
    return true;
  }
  return false;
}

/** Throws `Masked` if the target does not accept the limit `wanted`, so that the response may lack entries. */
export function requireWhole(scope: Scope, entries: number, wanted: number): void {
  const highest = HIGHEST.get(scope.run);
  if (highest !== undefined && highest.limit < wanted && entries >= highest.limit)
    throw scope.mask(new Masked("logs-4.query_range", `limits above ${highest.limit}`, highest.refusal));
}

interface Request {
  readonly query: string;
  readonly window?: Pick<RangeParameters, "start" | "end" | "limit">;
  /** The time of a metric query, in ns. */
  readonly time?: bigint;
  readonly series?: number | undefined;
  readonly override?: LogsOverride | undefined;
}

/**
 * Throws `Masked` if a response refuses a part of the request that the documents do not promise. If other requests show that the target
 * must accept the part, resolves to words that say why. They can follow "because".
 */
export async function masked(scope: Scope, exchange: Answered, { query, window, time, series = 0 }: Request): Promise<string | null> {
  if (!isRefusal(exchange)) return null;
  if (!(await takes(scope, "selector", (selector) => selector))) return null;
  const [name = "count_over_time", ...others] = functionsIn(query.replaceAll(QUOTED, "Q"));
  for (const one of time === undefined ? [] : [name, ...others])
    if (!(await takes(scope, `function ${one}`, overRange(one, "5m")))) return null;
  for (const { key, what, clause, query: smallest, kind, between } of partsOf(query)) {
    if (await takes(scope, key, smallest)) continue;
    // The documents promise at least one kind of line filter.
    const kinds = await Promise.all((kind ?? []).map(async (other) => takes(scope, other, PARTS.get(other)?.query ?? smallest)));
    if (kind !== undefined && !kinds.some(Boolean)) return null;
    const beside = await Promise.all((between ?? []).map(async (range) => takes(scope, `${name} over ${range}`, overRange(name, range))));
    if (between !== undefined && beside.every(Boolean)) return `ranges of ${between.join(" and ")} are accepted`;
    throw scope.mask(new Masked(clause, what, exchange));
  }
  const place = window ?? (time === undefined ? null : { start: time, end: time });
  if (place !== null) {
    const metric = window === undefined ? name : null;
    const refused =
      (await shortWindow(scope, metric, place)) ??
      (await farFromNow(scope, metric, place)) ??
      (await largeRead(scope, query, metric, place));
    if (refused !== null) throw scope.mask(new Masked(metric === null ? "logs-4.query_range" : "logs-4.query", refused, exchange));
  }
  if (window?.limit !== undefined && window.limit < TRIED_LIMIT) {
    const refuses = async (limit: number): Promise<boolean> =>
      !(await takes(scope, `limit of ${limit}`, (selector) => selector, { start: window.start, end: window.end, limit }));
    // If the target refuses a limit of 1 but accepts other low limits, the refusal is a defect, and is not masked.
    if ((await refuses(window.limit)) && (await refuses(2)))
      throw scope.mask(new Masked("logs-4.query_range", `limits below ${TRIED_LIMIT}`, exchange));
  }
  if (series > MOST_SERIES) throw scope.mask(new Masked("logs-4.query_range", `results of ${series} series`, exchange));
  return null;
}

/** If the target also refuses a plain query for such a short window, returns words that say so. Otherwise null. */
async function shortWindow(scope: Scope, name: string | null, { start, end }: Place): Promise<string | null> {
  if (name !== null || end - start >= MINUTE) return null;
  const { anchor } = await scope.use(hello);
  const length = end - start > SHORT ? end - start : SHORT;
  const place = { start: anchor - length / 2n, end: anchor - length / 2n + length };
  return (await takes(scope, `windows of ${length} ns`, (selector) => selector, place)) ? null : "windows of less than a minute";
}

/** If the target also refuses a plain query for this window or time, returns words that say so. Otherwise null. */
async function farFromNow(scope: Scope, name: string | null, place: Place): Promise<string | null> {
  const minutes = (place.end - place.start) / MINUTE;
  const isOld = (await scope.use(hello)).anchor - place.end >= LONG_MINUTES * MINUTE;
  if (minutes < LONG_MINUTES && !isOld) return null;
  const ago = ((await nowOf(scope)) - place.end) / MINUTE;
  const what = [
    name === null ? "windows" : "times of metric queries",
    ...(minutes > 0n ? [`of ${minutes} minutes`] : []),
    ...(isOld ? [ago < 60n ? `${ago} minutes ago` : `${ago / 60n} h ago`] : []),
  ].join(" ");
  const plain = (selector: string): string => (name === null ? selector : `${name}(${selector}[5m])`);
  return (await takes(scope, isOld ? `${what} ${place.start} ${place.end}` : what, plain, place)) ? null : what;
}

/** If the query reads much data, and is also refused without filters, returns words that say so. Otherwise null. */
async function largeRead(scope: Scope, query: string, name: string | null, place: Place): Promise<string | null> {
  const set = new RegExp(`${SET_LABEL}="([^"]*)"`).exec(query)?.[1] ?? "";
  const bytes = scope.run.everyResponse.pushed.bytesOf(SET_LABEL, set);
  if (bytes <= MOST_READ) return null;
  const selector = `{${RUN_LABEL}="${scope.run.runId}", ${SET_LABEL}="${set}"}`;
  const plain = name === null ? selector : `${name}(${selector}${/\[[^\]]*\]/.exec(query.replaceAll(QUOTED, "Q"))?.[0] ?? ""})`;
  const isTaken = await takes(scope, `${plain} ${place.start} ${place.end}`, () => plain, place);
  return isTaken ? null : `reads of streams with ${Math.round(bytes / 1_000)} kB of log lines`;
}

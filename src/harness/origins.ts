/**
 * Finds the origin of a wrong value: the default, an earlier write, another instance or another tenant.
 * This file also finds the same log query with one other parameter, if its right response is the same response.
 */
import { createHash } from "node:crypto";
import { type Exchange, requestText, statusOf } from "../client/exchange.ts";
import { abridged, type Difference, show } from "../model/difference.ts";
import { isObject, member, parsed } from "../model/json.ts";
import type { PossibleValues } from "../model/possible-values.ts";
import { numberRelation, textRelation } from "../model/value-relation.ts";
import type { Pushed } from "../model/pushed.ts";
import type { ShownLimits } from "../model/shown-limits.ts";

export interface Written {
  readonly instances: ReadonlyMap<string, PossibleValues>;
  readonly pushed: Pushed;
  readonly limits: ShownLimits;
}

export interface Origins {
  readonly of: (difference: Difference) => string;
  readonly equalTo: string | null;
}

/** The minimum length, in characters of JSON, of a value whose origin is searched for. Shorter values may be equal by chance. */
const TELLING_LENGTH = 4;

/** Whether a value is rare enough to show its origin. Booleans and short values are not rare enough. */
function isTelling(value: unknown, text: string): boolean {
  return typeof value !== "boolean" && text.length >= TELLING_LENGTH;
}

/** If reads have shown at least this number of display names, not every update is lost. */
const MANY_NAMES = 4;

/** Matches a round number, such as 5000. Two limits or two instances may have the same round number by chance. */
const ROUND = /^\d+00$/;

/** Returns words in brackets that say where the wrong value of a difference comes from, or no words if that is unknown. */
export function originOf({ subject, response, request, endedAt }: Exchange, difference: Difference, written: Written): string {
  const { path, entry, kind, missing } = difference;
  if (subject === undefined || subject.kind === "push") return "";
  const [place = ""] = path.split(" ");
  if (!("tenant" in subject)) {
    const limits = kind === "present" ? limitsOrigin(subject.name, parsed(response?.body ?? ""), written) : "";
    const of = place === "limits" ? limits : instanceOrigin(subject.name, place, difference, written, endedAt);
    if (of === BEFORE && request.method === "PUT") return " (the value before this update)";
    const own = written.instances.get(subject.name);
    if (of === BEFORE && place === "display_name" && own !== undefined && own.namesShown >= MANY_NAMES)
      return ` (the value before the last write; reads have shown ${own.namesShown} display names of this instance)`;
    const repeated = own?.repeatedBefore(endedAt) ?? null;
    return of === "" && repeated !== null ? ` (the last two writes of this instance have the same ${repeated})` : of;
  }
  if (missing !== undefined) {
    const sent = written.pushed.placeOf(missing, subject.tenant);
    return sent === "" ? "" : ` (${sent})`;
  }
  if (kind === "type") return lineOrigin(path, parsed(response?.body ?? ""), written.pushed);
  if (entry === undefined) return "";
  const owners = written.pushed.ownersOf(entry.ts, entry.line);
  const [owner] = owners;
  if (owner === undefined) return " (the run has pushed no such entry)";
  return owners.includes(subject.tenant) ? "" : ` (pushed by tenant ${show(owner)})`;
}

/** Matches the path of a log line in the response to a range query. */
const LINE_PATH = /^data\.result\[(\d+)\]\.values\[(\d+)\]\[1\]/;

/** Returns the line that was pushed with the timestamp of an entry, if the response shows no text in place of the line. */
function lineOrigin(path: string, body: unknown, pushed: Pushed): string {
  const [, stream, entry] = LINE_PATH.exec(path) ?? [];
  const result = member(member(body, "data"), "result");
  const values = Array.isArray(result) ? member(result[Number(stream)], "values") : undefined;
  const pair: unknown = Array.isArray(values) ? values[Number(entry)] : undefined;
  const ts = Array.isArray(pair) && /^\d+$/.test(String(pair[0])) ? BigInt(String(pair[0])) : null;
  const line = ts === null ? null : pushed.lineAt(ts);
  return line === null ? "" : ` (in place of the pushed line ${show(line)})`;
}

/** Finds the instance to which the run sent all unusual limits that an instance without limits shows. */
function limitsOrigin(own: string, body: unknown, { instances }: Written): string {
  if (!isObject(body) || !isObject(body["limits"])) return "";
  const all = Object.entries(body["limits"]).map(([limit, value]) => [`limits.${limit}`, value] as const);
  const isSource = (one: PossibleValues): boolean => {
    const unusual = all.filter(([path, value]) => isTelling(value, show(value)) && one.originOf(path, value) !== "default");
    return unusual.length > 0 && unusual.every(([path, value]) => one.originOf(path, value) === "written");
  };
  const sources = [...instances].filter(([, one]) => isSource(one)).map(([name]) => name);
  if (sources.includes(own)) return " (the limits that it had before)";
  return sources.length === 1 ? ` (the limits of instance ${sources[0]})` : "";
}

/** Returns the type of a JSON value in words. */
function typeText(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value)
    ? "a list"
    : ({ string: "a string", number: "a number", boolean: "a boolean" }[typeof value as string] ?? "an object");
}

/** The words of an expectation about a limit that no request has sent. */
const NOT_SENT = "not sent: the global default";

/** The origin of a value that a read shows in place of the value that the last write set. */
const BEFORE = " (the value before the last write)";

function instanceOrigin(
  name: string,
  path: string,
  { actual, expected, kind }: Difference,
  { instances, limits }: Written,
  shownAt: number,
): string {
  if (actual === show(undefined)) return limits.textOf(path, "absent");
  const value = parsed(actual);
  if (value === undefined) return "";
  if (kind === "type") return value === null ? "" : limits.textOf(path, "type", typeText(value)) || ` (${typeText(value)})`;
  const own = instances.get(name)?.originOf(path, value, shownAt) ?? null;
  if (expected.includes(NOT_SENT) && limits.isKept(path)) return " (sent values of this limit are kept)";
  if (own === "before") return BEFORE;
  if (own === "default") return " (its global default)";
  const relation = typeof value === "number" ? numberRelation(Number(/^-?[\d.]+(?:e\+\d+)?/.exec(expected)?.[0] ?? NaN), value) : "";
  if (relation !== "") return relation;
  if (!isTelling(value, actual)) return "";
  const sent = parsed(/^"(?:[^"\\]|\\.)*"/.exec(expected)?.[0] ?? "");
  const words = path !== "name" && typeof value === "string" && typeof sent === "string" ? textRelation(sent, value) : "";
  if (words !== "") return words;
  // A number that an earlier request sent may be equal by chance, or be a default.
  if (own === "written") return typeof value === "number" ? "" : " (a value that an earlier request sent)";
  // A round number, or a value that was cut, may equal another value by chance.
  if (ROUND.test(actual)) return "";
  if (expected.match(/-?\d+/g)?.includes(actual) === true) return "";
  const sibling = path.startsWith("limits.") ? (instances.get(name)?.limitSentAs(value, path.slice("limits.".length)) ?? null) : null;
  if (sibling !== null) return ` (the value of ${sibling})`;
  const others = [...instances].filter(([other]) => other !== name);
  const other = others.find(([otherName, one]) => (path === "name" ? otherName === value : one.originOf(path, value) === "written"));
  if (other !== undefined) {
    const last = [...instances].toSorted(([, one], [, next]) => next.lastWriteBefore(shownAt) - one.lastWriteBefore(shownAt))[0];
    const [wanted, theirs] = [instances.get(name), other[1]].map((one) => one?.lastSpanBefore(shownAt));
    // If the name itself is wrong, the service may confuse similar names, whenever their instances were written.
    const isAtOnce = path !== "name" && wanted !== undefined && theirs !== undefined && wanted.from < theirs.to && theirs.from < wanted.to;
    return ` (the value of instance ${other[0]}${isAtOnce ? ", which was written at the same time" : last === other ? ", which was written last" : ""})`;
  }
  return path.startsWith("limits.") && instances.has(name) && ["string", "number"].includes(typeof value)
    ? " (no instance of this run was given this value)"
    : "";
}

/** The maximum number of different responses to log queries that a run remembers. */
const MOST_REMEMBERED = 20_000;

/** The maximum number of requests with one result that a run remembers. */
const MOST_ALIKE = 8;

interface Sent {
  readonly url: string;
  readonly tenant: string | undefined;
  readonly endedAt: number;
}

function sentIn({ request: { url, headers }, endedAt }: Exchange): Sent {
  return { url, tenant: headers["x-scope-orgid"], endedAt };
}

/** Says how long before a request another request was answered. Without words if it was answered later. */
function ageText({ endedAt, durationMs }: Exchange, answeredAt: number): string {
  const ms = endedAt - durationMs - answeredAt;
  if (ms < 0) return "";
  return `, which was answered ${ms < 1_000 ? `${Math.ceil(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`} before`;
}

/** The length of another request in a message, in characters. */
const SHOWN_REQUEST = 300;

/** An error response is compared with earlier error responses of at most this age, in ms. */
const MOST_AGE_MS = 5_000;

export class LogAnswers {
  /** For each text of an error response, the last requests that got this response. */
  readonly #refused = new Map<string, Exchange[]>();
  /** The requests whose right responses have the same result, without their responses, which are large. */
  readonly #right = new Map<string, Sent[]>();
  /** Remembers a response that an assertion found right. */
  noteRight(exchange: Exchange): void {
    const key = keyOf(exchange);
    if (key === null) return;
    const alike = this.#right.get(key) ?? [];
    if (alike.length < MOST_ALIKE && this.#right.size < MOST_REMEMBERED) this.#right.set(key, [...alike, sentIn(exchange)]);
  }

  /** Remembers an error response. */
  noteRefused(exchange: Exchange): void {
    const text = exchange.response?.body ?? "";
    if (text.length < TELLING_LENGTH) return;
    this.#refused.set(text, [...(this.#refused.get(text) ?? []).slice(1 - MOST_ALIKE), exchange]);
  }

  /** Describes an earlier request with another query that got the same error response. Returns null if there is none. */
  #refusedAlike(exchange: Exchange): string | null {
    const begin = exchange.endedAt - exchange.durationMs;
    const earlier = this.#refused
      .get(exchange.response?.body ?? "")
      ?.find((one) => one.endedAt <= begin && begin - one.endedAt < MOST_AGE_MS && queryOf(one) !== queryOf(exchange));
    if (earlier === undefined) return null;
    return `another request got the same response ${Math.ceil(begin - earlier.endedAt)} ms before: ${abridged(requestText(earlier), SHOWN_REQUEST)}`;
  }

  /** Says which other request has this response. It differs in one parameter, or it was refused before. Returns null if there is none. */
  equalTo(exchange: Exchange): string | null {
    if (statusOf(exchange) >= 400) return this.#refusedAlike(exchange);
    const key = keyOf(exchange);
    for (const other of key === null ? [] : (this.#right.get(key) ?? [])) {
      const [only, ...more] = changesOf(exchange, other);
      if (only !== undefined && more.length === 0)
        return `this is the right response to the same request ${only}${ageText(exchange, other.endedAt)}`;
    }
    return null;
  }
}

function queryOf({ request }: Exchange): string | null {
  return new URL(request.url).searchParams.get("query");
}

/** Returns the parameters that another request has and this request has not, in words. */
function changesOf(exchange: Exchange, { url, tenant }: Sent): string[] {
  const [own, other] = [new URL(exchange.request.url), new URL(url)];
  const names = new Set([...own.searchParams.keys(), ...other.searchParams.keys()]);
  const entries = exchange.response?.body.match(ENTRY)?.length ?? 0;
  const isCut = [own, other].some((url) => entries >= Number(parameterOf(url, "limit")));
  const parts = [...names].flatMap((name) => {
    const value = parameterOf(other, name);
    if (parameterOf(own, name) === value || (name === "limit" && !isCut)) return [];
    return value === undefined ? `without ${name}` : `with ${name}=${value}`;
  });
  return tenant === exchange.request.headers["x-scope-orgid"]
    ? parts
    : [tenant === undefined ? "without a tenant" : `with tenant ${tenant}`, ...parts];
}

/** Matches the beginning of a log entry in a response. */
const ENTRY = /\["\d+",/g;

/** The documented defaults of parameters. Sending a default means the same as sending no parameter. */
const DEFAULTS: Readonly<Record<string, string>> = { direction: "backward", limit: "100" };

function parameterOf({ searchParams }: URL, name: string): string | undefined {
  return searchParams.get(name) ?? DEFAULTS[name];
}

/** The minimum number of samples in two equal results. The equality of fewer samples may be a coincidence. */
const TELLING_RESULT = 2;
/** Matches the time of a sample in a response. The time of a sample is the `time` that the request sent. */
const SAMPLE_TIME = /("value":\[)[^,]*,/g;

/** Returns the result without times of samples and statistics, or null if it may equal another result by coincidence. */
function keyOf({ subject, request, response }: Exchange): string | null {
  if (response?.status !== 200 || (subject?.kind !== "query_range" && subject?.kind !== "query")) return null;
  const from = response.body.indexOf('"result":');
  const to = response.body.indexOf(',"stats":', from);
  if (from === -1) return null;
  const result = response.body.slice(from, to === -1 ? undefined : to).replaceAll(SAMPLE_TIME, "$1");
  const values = result.split('"value').length - 1;
  if (values < (subject.kind === "query" ? TELLING_RESULT : 1)) return null;
  const { pathname, searchParams } = new URL(request.url);
  return `${pathname} ${searchParams.get("query") ?? ""} ${createHash("sha1").update(result).digest("base64")}`;
}

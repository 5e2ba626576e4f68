/**
 * Finds the origin of a wrong value: the default, an earlier write, another instance or another tenant.
 * This file also finds an earlier log query with other parameters and the same response.
 */
import { createHash } from "node:crypto";
import type { Exchange } from "../client/exchange.ts";
import { type Difference, show } from "../model/difference.ts";
import { parsed } from "../model/json.ts";
import type { PossibleValues } from "../model/possible-values.ts";
import type { Pushed } from "../model/pushed.ts";

export interface Written {
  readonly instances: ReadonlyMap<string, PossibleValues>;
  readonly pushed: Pushed;
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

/** Matches a round number, such as 5000. Two limits or two instances may have the same round number by chance. */
const ROUND = /^\d+00$/;

/** Returns words in brackets that say where the wrong value of a difference comes from, or no words if that is unknown. */
export function originOf({ subject }: Exchange, { path, expected, actual, entry }: Difference, written: Written): string {
  if (subject === undefined || subject.kind === "push") return "";
  const [place = ""] = path.split(" ");
  if (!("tenant" in subject)) return instanceOrigin(subject.name, place, actual, expected, written);
  if (entry === undefined) return "";
  const owners = written.pushed.ownersOf(entry.ts, entry.line);
  const [owner] = owners;
  return owner === undefined || owners.includes(subject.tenant) ? "" : ` (pushed by tenant ${show(owner)})`;
}

function instanceOrigin(name: string, path: string, actual: string, expected: string, { instances }: Written): string {
  const value = parsed(actual);
  if (value === undefined) return "";
  const own = instances.get(name)?.originOf(path, value) ?? null;
  if (own === "default") return " (its global default)";
  if (!isTelling(value, actual)) return "";
  if (own === "written") return " (a value of an earlier write)";
  // A round number, or a value that was cut, may equal another value by chance.
  if (ROUND.test(actual)) return "";
  // If the expectation quotes the value, it already says where the value came from.
  if (typeof value === "string" && expected.startsWith(JSON.stringify(value).slice(0, -1))) return "";
  if (expected.match(/-?\d+/g)?.includes(actual) === true) return "";
  const sibling = path.startsWith("limits.") ? (instances.get(name)?.limitSentAs(value, path.slice("limits.".length)) ?? null) : null;
  if (sibling !== null) return ` (the value of ${sibling})`;
  const others = [...instances].filter(([other]) => other !== name);
  const other = others.find(([otherName, one]) => (path === "name" ? otherName === value : one.originOf(path, value) === "written"));
  if (other !== undefined) return ` (the value of instance ${other[0]})`;
  return path.startsWith("limits.") && instances.has(name) && ["string", "number"].includes(typeof value)
    ? " (no instance of this run was given this value)"
    : "";
}

/** The maximum number of different responses to log queries that a run remembers. */
const MOST_REMEMBERED = 20_000;

export class LogAnswers {
  /** The first request that was answered with each result. The key of an entry of `#first` is the text of the result. */
  readonly #first = new Map<string, { readonly url: string; readonly tenant: string | null }>();
  note(exchange: Exchange): void {
    const key = keyOf(exchange);
    if (key === null || this.#first.has(key) || this.#first.size >= MOST_REMEMBERED) return;
    const tenant = exchange.request.headers["x-scope-orgid"] ?? null;
    this.#first.set(key, { url: exchange.request.url, tenant });
  }

  /** Describes the earlier, different request that had the same response. Returns null if no earlier request had the same response. */
  equalTo(exchange: Exchange): string | null {
    const key = keyOf(exchange);
    const first = key === null ? undefined : this.#first.get(key);
    if (first === undefined) return null;
    const tenant = exchange.request.headers["x-scope-orgid"] ?? null;
    const [own, other] = [exchange.request.url, first.url].map((url) => new URL(url));
    if (own === undefined || other === undefined || own.pathname !== other.pathname) return null;
    const names = [...new Set([...own.searchParams.keys(), ...other.searchParams.keys()])];
    const entries = exchange.response?.body.match(ENTRY)?.length ?? 0;
    const isCut = [own, other].some((url) => entries >= Number(parameterOf(url, "limit")));
    const changed = names.filter((name) => parameterOf(own, name) !== parameterOf(other, name) && (name !== "limit" || isCut));
    const parts = changed.map((name) => {
      const value = other.searchParams.get(name);
      return value === null ? `no ${name}` : `${name}=${value}`;
    });
    if (tenant !== first.tenant) parts.unshift(`tenant ${first.tenant ?? "not named"}`);
    return parts.length === 0 ? null : parts.join(", ");
  }
}

/** Matches the beginning of a log entry in a response. */
const ENTRY = /\["\d+",/g;

/** The documented defaults of parameters. Sending a default means the same as sending no parameter. */
const DEFAULTS: Readonly<Record<string, string>> = { direction: "backward", limit: "100" };

function parameterOf({ searchParams }: URL, name: string): string | undefined {
  return searchParams.get(name) ?? DEFAULTS[name];
}

/** The minimum number of samples or streams in two equal results. The equality of smaller results may be a coincidence. */
const TELLING_RESULT = 2;
/** Matches a quoted text in a query with the operator before it, or the range of a metric query. */
const CONDITION = /\[\w+\]|\s*(?:\|=|\|~|!=|!~|=~|=)?\s*(?:"(?:[^"\\]|\\.)*"|`[^`]*`)/g;
/** Matches the time of a sample in a response. The time of a sample is the `time` that the request sent. */
const SAMPLE_TIME = /("value":\[)[^,]*,/g;

/**
 * Returns the result without times of samples and statistics, or null if it may equal another result by coincidence. Small results are
 * compared only if their queries differ in nothing but time, range, quoted texts and line filters.
 */
function keyOf({ subject, request, response }: Exchange): string | null {
  if (response?.status !== 200 || (subject?.kind !== "query_range" && subject?.kind !== "query")) return null;
  const from = response.body.indexOf('"result":');
  const to = response.body.indexOf(',"stats":', from);
  if (from === -1) return null;
  const result = response.body.slice(from, to === -1 ? undefined : to).replaceAll(SAMPLE_TIME, "$1");
  const values = result.split('"value').length - 1;
  if (values === 0) return null;
  const isAlike = subject.kind === "query" && values < TELLING_RESULT;
  const alike = isAlike ? (new URL(request.url).searchParams.get("query") ?? "").replaceAll(CONDITION, "") : "";
  return `${subject.kind} ${alike} ${createHash("sha1").update(result).digest("base64")}`;
}

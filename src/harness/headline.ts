/** Writes the violation of a clause in one line: what was done, what was promised, what happened. */
import { isDeepStrictEqual } from "node:util";
import { isDenied } from "../client/credential-tally.ts";
import { type Exchange, isSuccess, requestText, statusOf } from "../client/exchange.ts";
import { abridged, type Difference, differenceText, kindOf, show, visible } from "../model/difference.ts";
import { grouped } from "../model/grouped.ts";
import { isObject, member, parsed } from "../model/json.ts";
import { type DifferenceKind, KINDS } from "../model/kinds.ts";
import type { MinimalLevels } from "./result.ts";

/** The length of the shortest pause before a read that a headline mentions, in ms. */
const LONG_PAUSE = 1_000;
const SHOWN_REQUEST = 300;

/** Returns a request as one line of text. If the clause is about tenants, the line also names the tenant of the request. */
export function askedText(clause: string, exchange: Exchange, most: number): string {
  const tenant = clause.startsWith("logs-5.2") ? exchange.request.headers["x-scope-orgid"] : undefined;
  const request = visible(requestText(exchange)).replaceAll(/[\n\r\t]/g, (character) => JSON.stringify(character).slice(1, -1));
  return `${tenant === undefined ? "" : `tenant ${tenant}, `}${abridged(request, most)}`;
}

/** Returns the first of all differences with the same text. Differences with equal texts can have contrasts of several requests. */
export function distinct(differences: readonly Difference[]): Difference[] {
  return [...grouped(differences, ({ path, expected, actual }) => JSON.stringify([path, expected, actual])).values()].map(([one]) => one);
}

/** Returns the headline of a violation, or an empty text if there is no difference. `exchanges` begins with the deciding exchange. */
export function headlineOf(
  clause: string,
  differences: readonly Difference[],
  exchanges: readonly Exchange[],
  minimal?: MinimalLevels,
): string {
  const [first] = differences;
  const [deciding] = exchanges;
  if (first === undefined) return "";
  const beside = first.contrast === undefined ? "" : `; ${first.contrast}`;
  const told = `${happenedText(first)}${moreText(differences)}${beside}`;
  if (deciding === undefined) return `${first.path}: ${told}`;
  const happened = `${told}${afterText(deciding, exchanges, first)}${keptText(deciding, exchanges, first)}`;
  const name = nameOf(deciding);
  const where = isStatus(first) ? name : `${name} ${verbOf(deciding, first)} ${first.path.replace(PLACE, "")}`;
  // The brackets at the end of a path say where the result comes from, for example `(paging backward)`.
  const [, context = ""] = / (\(.+\))$/.exec(first.path) ?? [];
  const result = resultText(name, first);
  const shown = `${result === null ? where : [result, context].join(" ").trim()}${levelsText(minimal?.levels ?? {}, first.path)}`;
  return `${beforeText(deciding, exchanges, first)}${shown}: ${happened}, request: ${askedText(clause, deciding, SHOWN_REQUEST)}`;
}

/** Matches the part of a path that says which response was wrong. The headline names the request. */
const PLACE = / \(in (?:the response|a later read)\)/;

/** Returns the verb between a request and the wrong place in its response. */
function verbOf(exchange: Exchange, one: Difference): string {
  if (kindOf(one) === "absent") return isWrite(exchange) ? "answers without" : "shows no";
  return `${isWrite(exchange) ? "answers with" : "shows"}${WRONG.has(kindOf(one)) ? " a wrong" : ""}`;
}

/** Describes a difference without repeating that a value is absent. */
function happenedText(one: Difference): string {
  if (kindOf(one) !== "absent" || one.actual !== show(undefined)) return differenceText(one);
  return one.expected === "present" ? "each response must show it" : `expected ${one.expected}`;
}

export function isStatus(one: Pick<Difference, "kind" | "path" | "actual">): boolean {
  return ["status", "refused"].includes(kindOf(one));
}

/** Kinds of differences between two values of one field. */
const WRONG: ReadonlySet<DifferenceKind> = new Set(["value", "type"]);

/** For each endpoint, the noun for the items that it lists. */
const ITEMS: Readonly<Record<string, string>> = { query_range: "entries", query: "samples", labels: "names", "label values": "values" };

/** Returns words such as `query_range does not return all entries`, or null if the kind of the difference has no such words. */
export function resultText(asked: string, one: Pick<Difference, "kind" | "path" | "expected" | "actual">): string | null {
  const [items, returns] = [ITEMS[asked], KINDS[kindOf(one)].returns];
  if (items === undefined || returns === undefined) return null;
  const [, end = "wanted"] = /^the (newest|oldest)\b/.exec(one.expected) ?? [];
  return `${asked} ${returns.replace("*", items).replace("wanted", end)}`;
}

/** The words for the levels of the factor "operation" of limits. */
const OPERATIONS: Readonly<Record<string, string>> = {
  create: " in a create with limits",
  add: " in an update of an instance without limits",
  overwrite: " in an update of an instance with limits",
};

/** Returns words such as ` if grouping is by several labels`, or no words if no levels are known. `path` is the wrong place. */
export function levelsText({ operation = "", ...others }: MinimalLevels["levels"], path: string): string {
  // A message about a limit, or about all limits, need not say that this limit had an ordinary value.
  const isPlain = (factor: string): boolean => path.includes(`limits.${factor}`) || /^limits(?: |$)/.test(path);
  const levels = Object.entries(others).filter(([factor, level]) => level !== "ordinary" || !isPlain(factor));
  const texts = levels.toSorted(([one], [other]) => one.localeCompare(other, "en")).map(([factor, level]) => `${factor} is ${level}`);
  return `${OPERATIONS[operation] ?? ""}${texts.length === 0 ? "" : ` if ${texts.join(" and ")}`}`;
}

/** Returns the kinds of all differences after the first, such as ` (and 1 more wrong sample, missing entries in 2 responses)`. */
function moreText(differences: readonly Difference[]): string {
  const [first, ...others] = distinct(differences);
  if (first === undefined || others.length === 0) return differences.length > 1 ? ` (in ${differences.length} responses)` : "";
  const parts = [...grouped(others, (one) => KINDS[kindOf(one)].more)].map(([noun, { length }]) => {
    const again = noun === KINDS[kindOf(first)].more ? "more " : "";
    return noun.includes("*")
      ? `${noun.replace("*", "entries")} in ${length} ${again}${length === 1 ? "response" : "responses"}`
      : `${length} ${again}${length === 1 ? noun : `${noun.replace(/y$/, "ie")}s`}`;
  });
  return ` (and ${parts.join(", ")})`;
}

/** Returns the method of a request to the admin API, or the endpoint of a request to the log API. */
export function nameOf({ request: { method, url } }: Exchange): string {
  const path = new URL(url).pathname;
  if (path.includes("/instances")) return method;
  return path.endsWith("/values") ? "label values" : path.split("/").at(-1) || method;
}

/** Describes a write during the deciding request, or else the last earlier write that can explain a difference. Empty if there is none. */
function beforeText(deciding: Exchange, exchanges: readonly Exchange[], difference: Difference): string {
  const begin = deciding.endedAt - deciding.durationMs;
  const related = exchanges.filter((one) => one !== deciding && isWrite(one) && isRelated(one, deciding));
  const during = related.find((one) => one.endedAt > begin && one.endedAt - one.durationMs < deciding.endedAt);
  if (during !== undefined && isSuccess(during)) return `While ${nameOf(during)} was in progress, `;
  const writes = related.filter((one) => one.endedAt <= begin);
  const last = writes.filter((one) => mayExplain(one, deciding, difference)).toSorted((one, other) => other.endedAt - one.endedAt)[0];
  if (last === undefined) return "";
  const pause = begin - last.endedAt;
  const when = pause >= LONG_PAUSE ? `${(pause / 1_000).toFixed(1)} s after` : "After";
  const status = statusOf(last);
  const shown = last.request.method === "PUT" ? compared(last, difference) : null;
  const [field = ""] = difference.path.split(" ");
  const same = shown === null ? "" : ` ${shown.has} ${field}`;
  const answer = status === 0 ? "got no response" : isSuccess(last) ? `was answered ${status}${same}` : `was refused with ${status}`;
  return `${when} ${nameOf(last)}${limitsText(last)} ${answer}, `;
}

/** Returns words such as `; 45 of the 46 sent limits have the sent value`, if a response shows a wrong limit after a write of limits. */
function keptText(deciding: Exchange, exchanges: readonly Exchange[], { path }: Difference): string {
  const shown = member(parsed(deciding.response?.body ?? ""), "limits");
  const begin = deciding.endedAt - deciding.durationMs;
  const writes = exchanges.filter((one) => isWrite(one) && isSuccess(one) && one.endedAt <= begin && isRelated(one, deciding));
  const last = isWrite(deciding) ? deciding : writes.toSorted((one, other) => other.endedAt - one.endedAt)[0];
  const sent = member(parsed(last?.request.body ?? ""), "limits");
  if (!path.startsWith("limits.") || !isObject(shown) || !isObject(sent)) return "";
  const [all, kept] = [Object.keys(sent), Object.keys(sent).filter((name) => isDeepStrictEqual(sent[name], shown[name]))];
  if (all.length < 2) return "";
  const share =
    kept.length === all.length
      ? `each of the ${all.length}`
      : kept.length === 0
        ? `none of the ${all.length}`
        : `${kept.length} of the ${all.length}`;
  return `; ${share} sent limits ${kept.length > 1 && kept.length < all.length ? "have" : "has"} the sent value`;
}

/** Returns words about the next read after a wrong response to an update, if it is right or wrong in the same way. */
function afterText(deciding: Exchange, exchanges: readonly Exchange[], difference: Difference): string {
  if (!isWrite(deciding) || !isSuccess(deciding)) return "";
  const later = exchanges.filter((one) => one.request.url === deciding.request.url && one.endedAt - one.durationMs >= deciding.endedAt);
  const [next] = later.toSorted((one, other) => one.endedAt - other.endedAt);
  const shown = next?.request.method === "GET" ? compared(next, difference) : null;
  return shown === null || shown.isWrong === null ? "" : `; the next GET is ${shown.isWrong ? "wrong in the same way" : "right"}`;
}

/** Compares the value in the response of another request with a difference. Returns null if it is neither the wrong nor the right value. */
function compared(other: Exchange, { path, expected, actual }: Difference): { has: string; isWrong: boolean | null } | null {
  const [place = ""] = path.split(" ");
  const instance = parsed(other.response?.body ?? "");
  if (!isSuccess(other) || !isObject(instance)) return null;
  const names = place.split(".");
  const value = names.reduce<unknown>((whole, name) => member(whole, name), instance);
  const text = show(value);
  const quotes = (quoting: string): boolean => quoting.startsWith(text) && /^(?:$|[ ,;])/.test(quoting.slice(text.length));
  const isWrong = quotes(actual) ? true : quotes(expected) ? false : null;
  if (isWrong !== null) return { has: value === undefined ? "without" : `with the ${isWrong ? "same wrong" : "right"}`, isWrong };
  return value !== undefined && actual.startsWith(show(undefined)) ? { has: "with", isWrong } : null;
}

/** Matches the words in brackets after a value that say where the value comes from. */
const ORIGIN = / \([^()]*\)$/;

/** Says whether a write of an instance sent limits. */
function limitsText({ request: { body, url } }: Exchange): string {
  const sent = url.includes("/instances") ? parsed(body ?? "") : undefined;
  if (!isObject(sent)) return "";
  const { limits } = sent;
  if (limits === undefined) return " without limits";
  const count = isObject(limits) ? Object.keys(limits).length : 0;
  return count === 0 ? "" : ` with ${count === 1 ? "1 limit" : `${count} limits`}`;
}

export function isWrite({ request: { method } }: Exchange): boolean {
  return method === "POST" || method === "PUT";
}

/**
 * Whether a write can explain a difference in a later response. A write that was not refused always can.
 * A refused write explains a wrong status, a value that only it sent, or the absence of a field that it did not send.
 * A write with refused credentials does not explain a status.
 */
function mayExplain(write: Exchange, deciding: Exchange, difference: Difference): boolean {
  const { path, actual } = difference;
  const { body, url } = write.request;
  if (statusOf(write) < 400 || !url.includes("/instances")) return true;
  if (kindOf(difference) === "status") return !isDenied(write);
  const [field = ""] = path.split(/[ .]/);
  const sends = ({ request }: Exchange): boolean => request.body?.includes(actual.replace(ORIGIN, "")) === true;
  return body !== null && (kindOf(difference) === "absent" ? !body.includes(`"${field}"`) : sends(write) && !sends(deciding));
}

/** Matches the value of a label in a query, with the quotes around it. */
const LABEL_VALUE = /"(?:[^"\\]|\\.)*"/g;

/**
 * Whether an earlier write may explain a response: the write changed the instance, or was a refused push to queried streams. Each refused
 * push may explain a list of labels. Accepted pushes are too many to show, and refused credentials explain nothing.
 */
export function isRelated(write: Exchange, { request }: Exchange): boolean {
  const { pathname, searchParams } = new URL(request.url);
  const { body, method, url } = write.request;
  if (!pathname.includes("/instances/")) {
    if (pathname.includes("/instances") || statusOf(write) < 400 || isDenied(write)) return false;
    const [selector = ""] = (searchParams.get("query") ?? "").split("}");
    return (selector.match(LABEL_VALUE) ?? []).every((value) => body?.includes(value) === true);
  }
  const name = pathname.split("/").at(-1) ?? "";
  return url.endsWith(`/${name}`) || (method === "POST" && body?.includes(`"${name}"`) === true);
}

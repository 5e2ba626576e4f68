/** Writes the violation of a clause in one line: what was done, what was promised, what happened. */
import { isDenied } from "../client/credential-tally.ts";
import { type Exchange, isSuccess, requestText, statusOf } from "../client/exchange.ts";
import { abridged, type Difference, differenceText, visible } from "../model/difference.ts";

/** The length of the shortest pause before a read that a headline mentions, in ms. */
const LONG_PAUSE = 1_000;
const SHOWN_REQUEST = 200;

/** Matches a JSON value other than a number: `status` with a number is the HTTP status, and otherwise the field of an instance. */
const IS_VALUE = /^(?:["[{]|null|true|false|absent)/;

/** Returns a request as one line of text. If the clause is about tenants, the line also names the tenant of the request. */
export function askedText(clause: string, exchange: Exchange, most: number): string {
  const tenant = clause.startsWith("logs-5.2") ? exchange.request.headers["x-scope-orgid"] : undefined;
  const request = visible(requestText(exchange)).replaceAll(/[\n\r\t]/g, (character) => JSON.stringify(character).slice(1, -1));
  return `${tenant === undefined ? "" : `tenant ${tenant}, `}${abridged(request, most)}`;
}

export function distinct(differences: readonly Difference[]): Difference[] {
  return [...new Map(differences.map((one) => [JSON.stringify([one.path, one.expected, one.actual]), one])).values()];
}

/** Returns the headline of a violation, or an empty text if there is no difference. `exchanges` begins with the deciding exchange. */
export function headlineOf(clause: string, differences: readonly Difference[], exchanges: readonly Exchange[]): string {
  const [first] = differences;
  const [deciding] = exchanges;
  if (first === undefined) return "";
  const others = distinct(differences).length - 1;
  const more =
    others > 0
      ? ` (and ${others} more ${others === 1 ? "difference" : "differences"})`
      : differences.length > 1
        ? ` (${differences.length} times)`
        : "";
  const beside = first.contrast === undefined ? "" : `; ${first.contrast}`;
  const happened = `${differenceText(first)}${more}${beside}`;
  if (deciding === undefined) return `${first.path}: ${happened}`;
  const shown =
    first.path === "status" && !IS_VALUE.test(first.actual)
      ? nameOf(deciding)
      : `${nameOf(deciding)} ${isWrite(deciding) ? "answers with" : "shows"} ${first.path}`;
  return `${beforeText(deciding, exchanges, first)}${shown}: ${happened}, request: ${askedText(clause, deciding, SHOWN_REQUEST)}`;
}

/** Returns the method of a request to the admin API, or the endpoint of a request to the log API. */
export function nameOf({ request: { method, url } }: Exchange): string {
  const path = new URL(url).pathname;
  if (path.includes("/instances")) return method;
  return path.endsWith("/values") ? "label values" : path.split("/").at(-1) || method;
}

/** Describes the last earlier write that can explain a difference, with its response. Empty if there is none. */
function beforeText(deciding: Exchange, exchanges: readonly Exchange[], difference: Difference): string {
  const begin = deciding.endedAt - deciding.durationMs;
  const writes = exchanges.filter((one) => one !== deciding && one.endedAt <= begin && isWrite(one) && isRelated(one, deciding));
  const last = writes.filter((one) => mayExplain(one, difference)).toSorted((one, other) => other.endedAt - one.endedAt)[0];
  if (last === undefined) return "";
  const pause = begin - last.endedAt;
  const when = pause >= LONG_PAUSE ? `${(pause / 1_000).toFixed(1)} s after` : "After";
  const status = statusOf(last);
  const answer = status === 0 ? "got no response" : isSuccess(last) ? `was answered ${status}` : `was refused with ${status}`;
  return `${when} ${nameOf(last)} ${answer}, `;
}

export function isWrite({ request: { method } }: Exchange): boolean {
  return method === "POST" || method === "PUT";
}

/**
 * Whether a write can explain a difference in a later response. A write that was not refused always can.
 * A refused write explains a wrong status, a value that it sent, or the absence of a field that it did not send.
 * A write with refused credentials does not explain a status.
 */
function mayExplain(write: Exchange, { path, actual }: Difference): boolean {
  const { body, url } = write.request;
  if (statusOf(write) < 400 || !url.includes("/instances")) return true;
  if (path === "status") return !isDenied(write);
  const [field = ""] = path.split(/[ .]/);
  return body !== null && (actual.startsWith("absent") ? !body.includes(`"${field}"`) : body.includes(actual));
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

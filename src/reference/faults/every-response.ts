/** Faults that send only a few wrong responses, to any request. Only a check of every response is certain to find such faults. */
import type { Behaviour } from "../behaviour.ts";
import { everyNth, onAnswer, withMembers, without } from "../change.ts";
import { GLOBAL_DEFAULTS } from "../admin/base.ts";
import { isJsonObject, type Json } from "../http/message.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

function atTimes(limits: Json, periodMs: number, shownMs: number): (base: Behaviour) => Partial<Behaviour> {
  return (base) =>
    onAnswer(base, ["admin.read"], (body) =>
      isJsonObject(body) && body["limits"] !== undefined && performance.now() % periodMs < shownMs ? withMembers(body, { limits }) : body,
    );
}

function oneIn(
  n: number,
  operation: "admin.read" | "admin.update" | "logs.query_range" | "logs.labels",
  change: (body: Json) => Json,
): (base: Behaviour) => Partial<Behaviour> {
  return (base) => {
    const isTurn = everyNth(n);
    return onAnswer(base, [operation], (body) => (isTurn() ? change(body) : body));
  };
}

/** Returns a function that replaces a pattern in the text of the response to a range query. */
function rewritten(pattern: RegExp, text: string): (body: Json) => Json {
  return (body) => JSON.parse(JSON.stringify(body).replace(pattern, text)) as Json;
}

export const EVERY_RESPONSE_FAULTS: readonly Fault[] = [
  fault("admin-4.2", "admin-put-without-limits-lacks-created-at", "The response to an update without limits lacks created_at.", (base) =>
    onAnswer(base, ["admin.update"], (body) => (isJsonObject(body) && body["limits"] === undefined ? without(body, "created_at") : body)),
  ),
  fault("admin-4.2", "admin-put-without-limits-lacks-cluster", "The response to an update without limits lacks the cluster.", (base) =>
    onAnswer(base, ["admin.update"], (body) => (isJsonObject(body) && body["limits"] === undefined ? without(body, "cluster") : body)),
  ),
  fault(
    "admin-4.GET",
    "admin-reads-defaults-at-times",
    "For a tenth of a second in every second, reads show the default limits instead of the limits that were set.",
    atTimes(GLOBAL_DEFAULTS, 1_000, 100),
  ),
  fault(
    "admin-4.GET",
    "admin-reads-without-limits-at-times",
    "One read in 40 shows no limits.",
    oneIn(40, "admin.read", (body) => without(body, "limits")),
  ),
  fault(
    "admin-4.GET",
    "admin-reads-other-name-at-times",
    "One read in 40 shows a display name that nobody wrote.",
    oneIn(40, "admin.read", (body) => withMembers(body, { display_name: "unnamed" })),
  ),
  fault(
    "admin-2.created-at-unchanged",
    "admin-reads-now-at-times",
    "One read in 40 shows the time of the read as created_at.",
    oneIn(40, "admin.read", (body) => withMembers(body, { created_at: `${new Date().toISOString().slice(0, -1)}000001Z` })),
  ),
  fault(
    "logs-2.Entry",
    "logs-line-cut-at-times",
    "One response to a range query in 40 lacks the last character of its first line.",
    oneIn(40, "logs.query_range", rewritten(/(\[\["\d+","[^"\\]+)[^"\\]"\]/, '$1"]')),
  ),
  fault(
    "logs-2.1",
    "logs-timestamp-early-at-times",
    "One response to a range query in 40 shows its first entry a century early.",
    oneIn(40, "logs.query_range", rewritten(/\[\["1\d/, '[["10')),
  ),
  fault(
    "logs-2.Stream",
    "logs-label-value-cut-at-times",
    "One response to a range query in 40 has a blank at the end of its first label name.",
    oneIn(40, "logs.query_range", rewritten(/("plumbline_set":"[^"]*)"/, '$1 "')),
  ),
  fault("logs-4.labels", "logs-last-name-missing", "The list of label names lacks the last one.", (base) => ({
    labelNames: (streams) => base.labelNames(streams).slice(0, -1),
  })),
];

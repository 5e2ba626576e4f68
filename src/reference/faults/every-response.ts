/** Faults with only a few wrong responses, which can be to any request. Only a check of every response is certain to find them. */
import type { Behaviour } from "../behaviour.ts";
import { everyNth, onAnswer, withMembers, without } from "../change.ts";
import { GLOBAL_DEFAULTS } from "../admin/base.ts";
import { isJsonObject, type Json } from "../http/message.ts";
import { broken, faultsOf } from "./define.ts";
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

export const EVERY_RESPONSE_FAULTS: readonly Fault[] = faultsOf("admin-4.GET", {
  "admin-put-without-limits-lacks-created-at": broken(
    { clause: "admin-4.2", sentence: "The response to an update without limits lacks created_at." },
    (base) =>
      onAnswer(base, ["admin.update"], (body) => (isJsonObject(body) && body["limits"] === undefined ? without(body, "created_at") : body)),
  ),
  "admin-put-without-limits-lacks-cluster": broken(
    { clause: "admin-4.2", sentence: "The response to an update without limits lacks the cluster." },
    (base) =>
      onAnswer(base, ["admin.update"], (body) => (isJsonObject(body) && body["limits"] === undefined ? without(body, "cluster") : body)),
  ),
  "admin-reads-defaults-at-times": broken(
    "For a fifth of a second in every second, reads show the default limits instead of the limits that were set.",
    atTimes(GLOBAL_DEFAULTS, 1_000, 200),
  ),
  "admin-reads-without-limits-at-times": broken(
    "One read in 40 shows no limits.",
    oneIn(40, "admin.read", (body) => without(body, "limits")),
  ),
  "admin-reads-other-name-at-times": broken(
    "One read in 40 shows a display name that nobody wrote.",
    oneIn(40, "admin.read", (body) => withMembers(body, { display_name: "unnamed" })),
  ),
  "admin-reads-now-at-times": broken(
    { clause: "admin-2.created-at-unchanged", sentence: "One read in 40 shows the time of the read as created_at." },
    oneIn(40, "admin.read", (body) => withMembers(body, { created_at: `${new Date().toISOString().slice(0, -1)}000001Z` })),
  ),
  "logs-line-cut-at-times": broken(
    { clause: "logs-2.Entry", sentence: "One response to a range query in 40 lacks the last character of its first line." },
    oneIn(40, "logs.query_range", rewritten(/(\[\["\d+","[^"\\]+)[^"\\]"\]/, '$1"]')),
  ),
  "logs-timestamp-early-at-times": broken(
    { clause: "logs-2.1", sentence: "One response to a range query in 40 shows its first entry a century early." },
    oneIn(40, "logs.query_range", rewritten(/\[\["1\d/, '[["10')),
  ),
  "logs-label-value-cut-at-times": broken(
    { clause: "logs-2.Stream", sentence: "One response to a range query in 40 has a blank at the end of its first label name." },
    oneIn(40, "logs.query_range", rewritten(/("plumbline_set":"[^"]*)"/, '$1 "')),
  ),
  "logs-last-name-missing": broken({ clause: "logs-4.labels", sentence: "The list of label names lacks the last one." }, (base) => ({
    labelNames: (streams) => base.labelNames(streams).slice(0, -1),
  })),
});

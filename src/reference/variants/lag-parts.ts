/** Variants in which one part of the service (a shard, an index or a cache) shows writes later than the other parts. */
import type { Instance } from "../admin/state.ts";
import type { Operation } from "../http/message.ts";
import { legal, legalResult, type Reason, type Row, variantsOf } from "./define.ts";
import type { Variant } from "./types.ts";

const LAG = "no statement says how soon reads show a write, nor that they show all of it at once";
const LATER_MS = 900;
const LOGS_LAG: Reason = { why: LAG, settleMs: 4_000, service: "logs" };
/** The lag of instances in ms. The lag is short, because a run waits for each update of an instance. */
const INSTANCE_LATER_MS = 300;
const INSTANCE_LAG: Reason = { why: LAG, settleMs: 2_000, service: "admin" };

/** Returns a legal server that answers the requests of some operations with an earlier state. */
function operationsBehind(sentence: string, operations: readonly Operation[]): Row {
  return legal(sentence, LOGS_LAG, (base) => {
    let lagging = false;
    return {
      beforeHandle: (request, route) => {
        lagging = route !== undefined && operations.includes(route.operation);
        return base.beforeHandle(request, route);
      },
      entryVisible: (entry, nowMs) => (!lagging || nowMs - entry.storedAtMs >= LATER_MS) && base.entryVisible(entry, nowMs),
    };
  });
}

/** Returns a legal server: reads show some parts of an instance in their present state, and other parts in an earlier state. */
function partsBehind(sentence: string, shown: (now: Instance, before: Instance) => Instance): Row {
  return legalResult("findInstance", sentence, INSTANCE_LAG, (now, versions, { operation, nowMs }) => {
    const before = versions.findLast(({ atMs }) => atMs <= nowMs - INSTANCE_LATER_MS) ?? versions[0];
    return operation === "read" && now !== undefined && before !== undefined ? shown(now, before.instance) : now;
  });
}

export const LAG_PART_VARIANTS: readonly Variant[] = variantsOf({
  "lag-ranges": operationsBehind("Range queries show entries 900 ms later than metric queries and lists.", ["logs.query_range"]),
  "lag-metrics": operationsBehind("Metric queries count entries 900 ms later than range queries show them.", ["logs.query"]),
  "lag-labels": operationsBehind("Lists show label names and values 900 ms later than queries show the entries.", [
    "logs.labels",
    "logs.label_values",
  ]),
  "lag-one-shard": legalResult(
    "entryVisible",
    "Entries whose lines begin with b or g are on a separate shard, and reads show them 900 ms later.",
    LOGS_LAG,
    (isVisible, entry, nowMs) => (!/^[bg]/.test(entry.line) || nowMs - entry.storedAtMs >= LATER_MS) && isVisible,
  ),
  "lag-limits": partsBehind(
    "Reads show the limits of an instance 300 ms late, and everything else at once.",
    ({ limits: _own, ...rest }, { limits }) => (limits === undefined ? rest : { ...rest, limits }),
  ),
  "lag-names": partsBehind(
    "Reads show the display name of an instance 300 ms late, and everything else at once.",
    (now, { display_name }) => ({ ...now, display_name }),
  ),
  "lag-some-instances": partsBehind("Reads of instances whose names end in an even digit show the state 300 ms ago.", (now, before) =>
    /[02468]$/.test(now.name) ? before : now,
  ),
});

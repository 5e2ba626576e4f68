/** Variants in which one part of the service shows writes later than all other parts: a shard, an index, or a cache. */
import type { Instance } from "../admin/state.ts";
import type { Behaviour } from "../behaviour.ts";
import type { Operation } from "../http/message.ts";
import { variant, variantOfResult, type VariantDetails } from "./define.ts";
import type { Variant } from "./types.ts";

const LAG = "no statement says how soon reads show a write, nor that they show all of it at once";
const LATER_MS = 900;
const PATIENT: VariantDetails = { settleMs: 4_000 };
/** The lag of instances in ms. The lag is short, because a run waits for each update of an instance. */
const INSTANCE_LATER_MS = 300;
const INSTANCE_PATIENT: VariantDetails = { settleMs: 2_000 };

/** Returns a legal server that answers the requests of some operations with an earlier state. */
function operationsBehind(id: string, sentence: string, operations: readonly Operation[]): Variant {
  return {
    ...variant(id, sentence, { why: LAG, ...PATIENT }, (base) => {
      let lagging = false;
      return {
        beforeHandle: (request, route) => {
          lagging = route !== undefined && operations.includes(route.operation);
          return base.beforeHandle(request, route);
        },
        entryVisible: (entry, nowMs) => (!lagging || nowMs - entry.storedAtMs >= LATER_MS) && base.entryVisible(entry, nowMs),
      };
    }),
    service: "logs",
  };
}

/** Returns a legal server whose reads show some parts of an instance as they are and other parts as they were earlier. */
function partsBehind(id: string, sentence: string, shown: (now: Instance, before: Instance) => Instance): Variant {
  const change = (base: Behaviour): Partial<Behaviour> => ({
    findInstance: (versions, context) => {
      const now = base.findInstance(versions, context);
      const before = versions.findLast(({ atMs }) => atMs <= context.nowMs - INSTANCE_LATER_MS) ?? versions[0];
      return context.operation === "read" && now !== undefined && before !== undefined ? shown(now, before.instance) : now;
    },
  });
  return { ...variant(id, sentence, { why: LAG, ...INSTANCE_PATIENT }, change), service: "admin" };
}

function withLimitsOf({ limits: _own, ...rest }: Instance, { limits }: Instance): Instance {
  return limits === undefined ? rest : { ...rest, limits };
}

export const LAG_PART_VARIANTS: readonly Variant[] = [
  operationsBehind("lag-ranges", "Range queries show entries 900 ms later than metric queries and lists.", ["logs.query_range"]),
  operationsBehind("lag-metrics", "Metric queries count entries 900 ms later than range queries show them.", ["logs.query"]),
  operationsBehind("lag-labels", "Lists show label names and values 900 ms later than queries show the entries.", [
    "logs.labels",
    "logs.label_values",
  ]),
  {
    ...variantOfResult(
      "entryVisible",
      "lag-one-shard",
      "Entries whose lines begin with b or g are on a separate shard, and reads show them 900 ms later.",
      { why: LAG, ...PATIENT },
      (isVisible, entry, nowMs) => (!/^[bg]/.test(entry.line) || nowMs - entry.storedAtMs >= LATER_MS) && isVisible,
    ),
    service: "logs",
  },
  partsBehind("lag-limits", "Reads show the limits of an instance 300 ms late, and everything else at once.", withLimitsOf),
  partsBehind(
    "lag-names",
    "Reads show the display name of an instance 300 ms late, and everything else at once.",
    (now, { display_name }) => ({
      ...now,
      display_name,
    }),
  ),
  partsBehind("lag-some-instances", "Reads of instances whose names end in an even digit show the state 300 ms ago.", (now, before) =>
    /[02468]$/.test(now.name) ? before : now,
  ),
];

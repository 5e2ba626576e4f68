/** Faults of single limits (a wrong default, shown value or stored value), and faults of groups of limits. */
import { changedResult, decided } from "../change.ts";
import { isLimitName, LIMIT_NAMES, type LimitName, LIMITS } from "../../contract/limits.ts";
import { GLOBAL_DEFAULTS, type WriteContext } from "../admin/base.ts";
import type { Json } from "../http/message.ts";
import { broken, fault, faultsOf, type Row, type Told, wrongDecision, wrongInput, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

function another(value: Json): Json {
  switch (typeof value) {
    case "number":
      return value + 1;
    case "boolean":
      return !value;
    case "string":
      return /^\d+[a-z]+$/.test(value) ? "720h" : `${value}x`;
    default:
      return Array.isArray(value) && value.length > 0 ? value.slice(0, -1) : ["pod"];
  }
}

function retyped(name: LimitName, value: Json): Json {
  switch (LIMITS[name].type) {
    case "integer":
      return JSON.stringify(value);
    case "boolean":
      return value === true ? "true" : "false";
    case "list":
      return Array.isArray(value) ? value.join(",") : "";
    default:
      return null;
  }
}

/** Returns a fault of one row of the table of limits. `kind` is the last part of its id. */
function rowFault(name: LimitName, kind: string, sentence: string, change: Fault["change"]): Fault {
  return fault(`admin-2.limit.${name}`, `admin-limit-${name}-${kind}`, sentence, change);
}

/** Makes a fault: the default of a limit is `value`. */
function defaulting(name: LimitName, value: Json): Fault["change"] {
  return changedResult("defaultLimits", (defaults) => ({ ...defaults, [name]: value }));
}

/** Makes a fault: the server changes a limit when it is written, or when it is read. */
function changing(name: LimitName, hook: "limitOnWrite" | "limitOnRead", change: (value: Json) => Json | undefined): Fault["change"] {
  const changed = (usual: Json | undefined, limit: string, value: Json): Json | undefined => (limit === name ? change(value) : usual);
  return hook === "limitOnRead" ? changedResult(hook, changed) : changedResult(hook, changed);
}

function wrongDefault(name: LimitName): Fault {
  const value = another(GLOBAL_DEFAULTS[name] ?? null);
  return rowFault(name, "default", `${name} has another default than the documented one.`, defaulting(name, value));
}

function inMilliseconds(name: LimitName): Fault {
  const value = Number(GLOBAL_DEFAULTS[name]) / 1e6;
  return rowFault(name, "unit", `The default of ${name} is shown in milliseconds.`, defaulting(name, value));
}

function hidden(name: LimitName): Fault {
  const change = changing(name, "limitOnRead", () => undefined);
  return rowFault(name, "missing", `${name} is missing wherever limits are shown.`, change);
}

function wrongType(name: LimitName): Fault {
  const change = changing(name, "limitOnRead", (value) => retyped(name, value));
  return rowFault(name, "type", `${name} is shown as a value of another type.`, change);
}

function ignored(name: LimitName): Fault {
  const change = changing(name, "limitOnWrite", () => undefined);
  return rowFault(name, "ignored", `A value sent for ${name} is dropped in favour of the default.`, change);
}

function altered(name: LimitName): Fault {
  const change = changing(name, "limitOnWrite", another);
  return rowFault(name, "altered", `A value sent for ${name} is kept as a slightly different one.`, change);
}

/** Returns up to three faults of a limit. The last two are of different kinds from limit to limit. */
function rowFaults(name: LimitName, index: number): Fault[] {
  const { time, type, default: usual } = LIMITS[name];
  const kept = [ignored, altered].map((kind) => kind(name));
  // A limit without a documented default has no fault with a wrong default.
  if (usual === undefined) return [wrongType(name), ...kept];
  const filled = time === true && type === "integer" && usual !== 0 ? inMilliseconds : wrongDefault;
  const shown = index % 2 === 0 ? hidden : wrongType;
  return [filled(name), shown(name), ...kept.slice(index % 2, (index % 2) + 1)];
}

function written(name: LimitName, sentence: string, change: (value: Json) => Json | undefined): Row {
  return broken({ clause: `admin-2.limit.${name}`, sentence }, changing(name, "limitOnWrite", change));
}

function refused(name: LimitName): Fault {
  const change = decided("checkLimit", (limit) => (limit === name ? `${name} cannot be set` : undefined));
  return rowFault(name, "refused", `Every value for ${name} is refused, its default included.`, change);
}

function refusedByCount(sentence: string, isRefused: (count: number) => boolean): Row {
  return wrongDecision("checkLimit", sentence, (_limit, _value, context) =>
    isRefused(Object.keys(context.sent ?? {}).length) ? "so many limits cannot be set at once" : undefined,
  );
}

function namesTaken(sentence: string, meantBy: (name: string) => LimitName | undefined): Row {
  return wrongResult("readRequest", { clause: "admin-2.3a", sentence }, (request) => {
    if (request.segments[0] !== "admin") return request;
    const body = request.body.replaceAll(/"([\w-]+)"(?=\s*:)/g, (text, name: string) => {
      const meant = isLimitName(name) ? undefined : meantBy(name);
      return meant === undefined ? text : `"${meant}"`;
    });
    return { ...request, body };
  });
}

const RETENTION = "compactor_blocks_retention_period";
const DAY_NS = 86_400_000_000_000;

function keptRetention(told: Told, change: (text: string, context: WriteContext) => Json): Row {
  return wrongInput("limitOnWrite", told, (name, value, context) => [
    name,
    name === RETENTION && typeof value === "string" ? change(value, context) : value,
    context,
  ]);
}

function amount(text: string): number {
  return Number.parseInt(text, 10);
}

export const ADMIN_LIMIT_FAULTS: readonly Fault[] = [
  ...LIMIT_NAMES.flatMap(rowFaults),
  ...faultsOf("admin-4.3", {
    "admin-more-than-twenty-refused": refusedByCount("A request that sets more than twenty limits is refused.", (count) => count > 20),
    "admin-single-limit-refused": refusedByCount("A request that sets a single limit is refused.", (count) => count === 1),
  }),
  refused("accept_ha_samples"),
  refused("max_query_parallelism"),
  refused("ha_cluster_label"),
  refused("max_query_lookback"),
  refused("drop_labels"),
  refused("cardinality_limit"),
  ...faultsOf("admin-2.limit.accept_ha_samples", {
    "admin-limit-accept_ha_samples-false-refused": wrongDecision("checkLimit", "`accept_ha_samples: false` is refused.", (limit, value) =>
      limit === "accept_ha_samples" && value === false ? "accept_ha_samples is missing" : undefined,
    ),
    "admin-limit-drop_labels-lists-refused": wrongDecision(
      "checkLimit",
      { clause: "admin-2.limit.drop_labels", sentence: "Every list for drop_labels is refused, and only null is accepted." },
      (limit, value) => (limit === "drop_labels" && Array.isArray(value) ? "drop_labels is not a list" : undefined),
    ),
    "admin-limit-drop_labels-null-refused": wrongDecision(
      "checkLimit",
      { clause: "admin-2.limit.drop_labels", sentence: "Null for drop_labels is refused, and only lists are accepted." },
      (limit, value) => (limit === "drop_labels" && value === null ? "drop_labels is not a list" : undefined),
    ),
    "admin-drop-labels-first-lost": written("drop_labels", "The first label of drop_labels is lost.", (value) =>
      Array.isArray(value) ? value.slice(1) : value,
    ),
    "admin-cardinality-limit-capped": written(
      "cardinality_limit",
      "A cardinality_limit above its default is stored as the default.",
      (value) => Math.min(Number(value), 100_000),
    ),
    "admin-ha-cluster-label-cut": written("ha_cluster_label", "ha_cluster_label is cut to 2 characters.", (value) =>
      typeof value === "string" ? value.slice(0, 2) : value,
    ),
    "admin-burst-size-follows-rate": wrongResult(
      "limitOnRead",
      { clause: "admin-2.limit.ingestion_burst_size", sentence: "ingestion_burst_size always shows the value of ingestion_rate." },
      (shown, name, _value, { instance }) => (name === "ingestion_burst_size" ? (instance.limits?.["ingestion_rate"] ?? shown) : shown),
    ),
    "admin-durations-as-text": wrongResult(
      "limitOnRead",
      {
        clause: "admin-2.limit.creation_grace_period",
        sentence: "Integer limits that are lengths of time are shown as duration strings.",
        also: LIMIT_NAMES.filter((name) => LIMITS[name].time === true).map((name) => `admin-2.limit.${name}`),
      },
      (shown, name) => (isLimitName(name) && LIMITS[name].time === true && typeof shown === "number" ? `${shown / 1e9}s` : shown),
    ),
    "admin-limit-names-any-case": namesTaken("The server accepts limit names in upper and lower case.", (name) =>
      LIMIT_NAMES.find((one) => one === name.toLowerCase()),
    ),
    "admin-limit-names-dashes": namesTaken("The server accepts limit names with dashes.", (name) =>
      LIMIT_NAMES.find((one) => one === name.replaceAll("-", "_")),
    ),
    "admin-limit-names-longer": namesTaken("A name that begins with the name of a limit is taken for that limit.", (name) =>
      LIMIT_NAMES.find((one) => name.startsWith(one)),
    ),
    "admin-limit-names-begun": namesTaken("A name that lacks the last letter of a limit is taken for that limit.", (name) =>
      LIMIT_NAMES.find((one) => one.slice(0, -1) === name),
    ),
  }),
  ...faultsOf("admin-2.retention-format", {
    "admin-retention-no-years": wrongDecision("checkLimit", "A retention period in years is refused.", (name, value) =>
      name === RETENTION && typeof value === "string" && value.endsWith("y") ? `${RETENTION} is malformed` : undefined,
    ),
    "admin-retention-no-years-over-limits": wrongDecision(
      "checkLimit",
      "An update over limits refuses a retention period in years.",
      (name, value, { previous }) =>
        name === RETENTION && typeof value === "string" && value.endsWith("y") && previous?.limits !== undefined
          ? `${RETENTION} is malformed`
          : undefined,
    ),
    "admin-retention-year-360-days": keptRetention("A year of retention is stored as 360 days.", (text) =>
      text.endsWith("y") ? `${amount(text) * 360}d` : text,
    ),
    "admin-retention-create-leap-years": keptRetention(
      "A year of retention is stored as 366 days by a create, and as 365 days by an update.",
      (text, { operation }) => (text.endsWith("y") ? `${amount(text) * (operation === "create" ? 366 : 365)}d` : text),
    ),
    "admin-retention-three-digits": keptRetention("A retention period in days keeps three digits of its number.", (text) =>
      text.replace(/^(\d{3})\d+d$/, "$1d"),
    ),
    "admin-retention-unit-lost": keptRetention("The unit of a retention period is lost.", amount),
    "admin-retention-seconds": keptRetention("A retention period in days comes back as a number of seconds.", (text) =>
      text.endsWith("d") ? amount(text) * 86_400 : text,
    ),
    "admin-retention-63-bit-nanoseconds": keptRetention(
      // Only a nightly run sends retention periods of so many years.
      { sentence: "A retention period wraps around at 63 bits of nanoseconds.", needs: "nightly" },
      (text) => {
        const days = amount(text) * (text.endsWith("y") ? 365 : 1);
        return days * DAY_NS < 2 ** 63 ? text : `${Math.floor(((days * DAY_NS) % 2 ** 63) / DAY_NS)}d`;
      },
    ),
  }),
];

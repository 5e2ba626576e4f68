/** Faults of single rows of the table of limits (the default, the shown value, the stored value), and faults of groups of rows. */
import { isLimitName, LIMIT_NAMES, type LimitName, LIMITS } from "../../contract/limits.ts";
import { GLOBAL_DEFAULTS } from "../admin/base.ts";
import type { Json } from "../http/message.ts";
import { fault, wrongResult, wrongDecision } from "./define.ts";
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

function wrongDefault(name: LimitName): Fault {
  return fault(`admin-2.limit.${name}`, `admin-limit-${name}-default`, `${name} has another default than the documented one.`, (base) => ({
    defaultLimits: (context) => ({ ...base.defaultLimits(context), [name]: another(GLOBAL_DEFAULTS[name] ?? null) }),
  }));
}

function hidden(name: LimitName): Fault {
  return fault(`admin-2.limit.${name}`, `admin-limit-${name}-missing`, `${name} is missing wherever limits are shown.`, (base) => ({
    limitOnRead: (limit, value, context) => (limit === name ? undefined : base.limitOnRead(limit, value, context)),
  }));
}

function wrongType(name: LimitName): Fault {
  return fault(`admin-2.limit.${name}`, `admin-limit-${name}-type`, `${name} is shown as a value of another type.`, (base) => ({
    limitOnRead: (limit, value, context) => (limit === name ? retyped(name, value) : base.limitOnRead(limit, value, context)),
  }));
}

function ignored(name: LimitName): Fault {
  return wrongResult(
    "limitOnWrite",
    `admin-2.limit.${name}`,
    `admin-limit-${name}-ignored`,
    `A value sent for ${name} is dropped in favour of the default.`,
    (written, limit) => (limit === name ? undefined : written),
  );
}

function altered(name: LimitName): Fault {
  return wrongResult(
    "limitOnWrite",
    `admin-2.limit.${name}`,
    `admin-limit-${name}-altered`,
    `A value sent for ${name} is kept as a slightly different one.`,
    (written, limit, value) => (limit === name ? another(value) : written),
  );
}

function inMilliseconds(name: LimitName): Fault {
  return fault(`admin-2.limit.${name}`, `admin-limit-${name}-unit`, `The default of ${name} is shown in milliseconds.`, (base) => ({
    defaultLimits: (context) => ({ ...base.defaultLimits(context), [name]: Number(GLOBAL_DEFAULTS[name]) / 1e6 }),
  }));
}

/** Returns up to three faults of a row of the table of limits. The kinds of the last two of these faults alternate from row to row. */
function rowFaults(name: LimitName, index: number): Fault[] {
  const { time, type, default: usual } = LIMITS[name];
  const kept = [ignored, altered].map((kind) => kind(name));
  // A limit without a documented default has no fault with a wrong default.
  if (usual === undefined) return [wrongType(name), ...kept];
  const filled = time === true && type === "integer" && usual !== 0 ? inMilliseconds : wrongDefault;
  const shown = index % 2 === 0 ? hidden : wrongType;
  return [filled(name), shown(name), ...kept.slice(index % 2, (index % 2) + 1)];
}

function written(name: LimitName, id: string, sentence: string, change: (value: Json) => Json | undefined): Fault {
  return fault(`admin-2.limit.${name}`, id, sentence, (base) => ({
    limitOnWrite: (limit, value, context) => (limit === name ? change(value) : base.limitOnWrite(limit, value, context)),
  }));
}

function refused(name: LimitName): Fault {
  return wrongDecision(
    "checkLimit",
    `admin-2.limit.${name}`,
    `admin-limit-${name}-refused`,
    `Every value for ${name} is refused, its default included.`,
    (limit) => (limit === name ? `${name} cannot be set` : undefined),
  );
}

function refusedByCount(id: string, sentence: string, isRefused: (count: number) => boolean): Fault {
  return wrongDecision("checkLimit", "admin-4.3", id, sentence, (_limit, _value, context) =>
    isRefused(Object.keys(context.sent ?? {}).length) ? "so many limits cannot be set at once" : undefined,
  );
}

const SPECIAL: readonly Fault[] = [
  refusedByCount("admin-more-than-twenty-refused", "A request that sets more than twenty limits is refused.", (count) => count > 20),

  refusedByCount("admin-single-limit-refused", "A request that sets a single limit is refused.", (count) => count === 1),
  refused("accept_ha_samples"),
  refused("max_query_parallelism"),
  refused("ha_cluster_label"),
  refused("max_query_lookback"),
  refused("drop_labels"),
  refused("cardinality_limit"),
  wrongDecision(
    "checkLimit",
    "admin-2.limit.accept_ha_samples",
    "admin-limit-accept_ha_samples-false-refused",
    "`accept_ha_samples: false` is refused.",
    (limit, value) => (limit === "accept_ha_samples" && value === false ? "accept_ha_samples is missing" : undefined),
  ),
  written("drop_labels", "admin-drop-labels-first-lost", "The first label of drop_labels is lost.", (value) =>
    Array.isArray(value) ? value.slice(1) : value,
  ),
  written(
    "cardinality_limit",
    "admin-cardinality-limit-capped",
    "A cardinality_limit above its default is stored as the default.",
    (value) => Math.min(Number(value), 100_000),
  ),
  written("ha_cluster_label", "admin-ha-cluster-label-cut", "ha_cluster_label is cut to 2 characters.", (value) =>
    typeof value === "string" ? value.slice(0, 2) : value,
  ),

  fault(
    "admin-2.limit.ingestion_burst_size",
    "admin-burst-size-follows-rate",
    "ingestion_burst_size always shows the value of ingestion_rate.",
    (base) => ({
      limitOnRead: (name, value, context) =>
        base.limitOnRead(name, name === "ingestion_burst_size" ? (context.instance.limits?.["ingestion_rate"] ?? value) : value, context),
    }),
  ),
  wrongResult(
    "limitOnRead",
    {
      clause: "admin-2.limit.creation_grace_period",
      also: LIMIT_NAMES.filter((name) => LIMITS[name].time === true).map((name) => `admin-2.limit.${name}`),
    },
    "admin-durations-as-text",
    "Integer limits that are lengths of time are shown as duration strings.",
    (shown, name) => (isLimitName(name) && LIMITS[name].time === true && typeof shown === "number" ? `${shown / 1e9}s` : shown),
  ),
];

function namesTaken(id: string, sentence: string, meantBy: (name: string) => LimitName | undefined): Fault {
  return wrongResult("readRequest", "admin-2.3a", `admin-limit-names-${id}`, sentence, (request) => {
    if (request.segments[0] !== "admin") return request;
    const body = request.body.replaceAll(/"([\w-]+)"(?=\s*:)/g, (text, name: string) => {
      const meant = isLimitName(name) ? undefined : meantBy(name);
      return meant === undefined ? text : `"${meant}"`;
    });
    return { ...request, body };
  });
}

const NAMES: readonly Fault[] = [
  namesTaken("any-case", "The server accepts limit names in upper and lower case.", (name) =>
    LIMIT_NAMES.find((one) => one === name.toLowerCase()),
  ),
  namesTaken("dashes", "The server accepts limit names with dashes.", (name) =>
    LIMIT_NAMES.find((one) => one === name.replaceAll("-", "_")),
  ),
  namesTaken("longer", "A name that begins with the name of a limit is taken for that limit.", (name) =>
    LIMIT_NAMES.find((one) => name.startsWith(one)),
  ),
  namesTaken("begun", "A name that lacks the last letter of a limit is taken for that limit.", (name) =>
    LIMIT_NAMES.find((one) => one.slice(0, -1) === name),
  ),
];

export const ADMIN_LIMIT_FAULTS: readonly Fault[] = [...LIMIT_NAMES.flatMap(rowFaults), ...SPECIAL, ...NAMES];

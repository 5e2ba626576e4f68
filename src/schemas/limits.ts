/** Generates two schemas of the limits object from the table of limits: one for requests, and one for responses. */
import { type Constraint, LIMIT_TYPES } from "../contract/limit-types.ts";
import { LIMIT_NAMES, type LimitName, LIMITS } from "../contract/limits.ts";
import type { JsonObject } from "../model/json.ts";
import { DIALECT, idOf } from "./identity.ts";

/** Returns the schema of the limits object in a response: all limits of the table, and any other limits. */
export function limitsSchema(): JsonObject {
  return {
    $schema: DIALECT,
    $id: idOf("admin/limits.json"),
    $comment: "admin-2.field.limits",
    title: "Limits object in a response",
    description:
      "The limits of an instance that has limits. The object has each limit of the documented table, whether or not a request sent it, and may have further limits. The defaults are the values of the sample in the document. A deployment may have other defaults.",
    type: "object",
    required: LIMIT_NAMES,
    properties: perLimit((name) => ({
      $comment: `admin-2.limit.${name}`,
      title: name,
      description: [about(name), `Default: ${printedDefault(name)}.`, ...origin(name)].join(" "),
      ...named(name, LIMIT_TYPES[LIMITS[name].type].schema),
      ...(LIMITS[name].default === undefined ? {} : { default: LIMITS[name].default }),
    })),
  };
}

/** Returns the schema of the limits object in a request: any subset of the limits in the table, by their exact names. */
export function limitsRequestSchema(): JsonObject {
  return {
    $schema: DIALECT,
    $id: idOf("admin/limits-request.json"),
    $comment: "admin-2.3a",
    title: "Limits object in a request: any subset of the limits, by exact names",
    description:
      "The limits to set. If a create sends some limits, or an update adds limits to an instance without limits, each limit that is not sent gets its global default. If an instance already has limits, the effect of an update on the limits that are not sent is not shown.",
    type: "object",
    properties: perLimit((name) => ({
      $comment: LIMITS[name].type === "retention" ? "admin-2.retention-format" : `admin-2.limit.${name}`,
      title: name,
      description: [about(name), ...written(name), `Default if it is not sent: ${printedDefault(name)}.`, ...origin(name)].join(" "),
      ...named(name, LIMIT_TYPES[LIMITS[name].type].onWrite ?? LIMIT_TYPES[LIMITS[name].type].schema),
    })),
    additionalProperties: false,
  };
}

function perLimit(schema: (name: LimitName) => JsonObject): JsonObject {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, schema(name)]));
}

/** Returns the constraint of a type with the clause of the limit. The items of a list also get the clause. */
function named(name: LimitName, constraint: Constraint): JsonObject {
  const { items, ...rest } = constraint;
  return items === undefined ? rest : { ...rest, items: { $comment: `admin-2.limit.${name}`, title: `An item of ${name}`, ...items } };
}

/** Returns the description of a limit, such as `How many series one query may touch; counted in series.` */
function about(name: LimitName): string {
  const { about: text, unit } = LIMITS[name];
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return `${sentence}${unit === undefined ? length(name) : `; counted in ${unit}`}.`;
}

function length(name: LimitName): string {
  if (LIMITS[name].time === undefined) return "";
  switch (LIMITS[name].type) {
    case "retention":
      return "; a duration string such as 30d, or an integer, which the document shows for the default only";
    case "duration":
      return "; a duration string such as 12h";
    default:
      return "; a length of time: the document shows no unit, and the defaults look like nanoseconds";
  }
}

function written(name: LimitName): string[] {
  return LIMITS[name].type === "retention" ? ["A request sends a number and a unit: 2y is two years, and 30d is thirty days."] : [];
}

function printedDefault(name: LimitName): string {
  const { default: value } = LIMITS[name];
  if (value === undefined) return "not shown, the sample request set it";
  return value === "" ? "the empty string" : JSON.stringify(value);
}

/** Returns a note: the meaning of the limit is concluded from its name. There is no note for the limit that the document explains. */
function origin(name: LimitName): string[] {
  if (LIMITS[name].type === "retention") return [];
  return [
    `The document does not explain this limit: its meaning${LIMITS[name].unit === undefined ? " is" : " and unit are"} concluded from its name.`,
  ];
}

/** Turns the errors of a validator into differences that name the clause of the violated constraint. */
import type { ErrorObject } from "ajv/dist/2020.js";
import type { ClauseId } from "../contract/catalogue.ts";
import { type Difference, show, difference } from "./difference.ts";
import type { DifferenceKind } from "./kinds.ts";
import { isObject } from "./json.ts";

/** Returns the errors of a validation, each with the clause in the `$comment` of the violated constraint. */
export function differencesOf(errors: readonly ErrorObject[]): Difference[] {
  const seen = new Set<string>();
  // Ajv reports each branch of `anyOf` that does not match. It reports an invalid date twice: for its format and for its pattern. So only
  // one difference is kept for each place in the value.
  return errors
    .filter((error) => !error.schemaPath.includes("/anyOf/"))
    .map(asDifference)
    .filter(({ clause, path }) => {
      const place = `${clause} ${path}`;
      return seen.has(place) ? false : seen.add(place);
    });
}

function asDifference(error: ErrorObject): Difference {
  const schema = isObject(error.parentSchema) ? error.parentSchema : {};
  const clause = commentOf(schema);
  switch (error.keyword) {
    case "required": {
      const missing = String(error.params["missingProperty"]);
      const properties = isObject(schema["properties"]) ? schema["properties"] : {};
      // If a limit is missing, the clause of this limit is violated. If another member is missing, the clause of the whole object is
      // violated.
      const row =
        isObject(properties[missing]) && String(properties[missing]["$comment"]).startsWith("admin-2.") ? properties[missing] : schema;
      const violated = commentOf(row);
      // The message names the other members of an object in a log response, because the value may be there under a wrong name.
      const actual = violated.startsWith("logs-") ? absentFrom(error.data) : "absent";
      return difference(violated, pathOf(`${error.instancePath}/${missing}`), "present", actual);
    }
    case "additionalProperties": {
      const extra = String(error.params["additionalProperty"]);
      const value = isObject(error.data) ? error.data[extra] : undefined;
      return difference(clause, pathOf(`${error.instancePath}/${extra}`), "no field of this name", show(value), "present");
    }
    default:
      return difference(
        clause,
        pathOf(error.instancePath),
        expectation(error, schema),
        show(error.data),
        KINDS_OF_ERRORS[error.keyword] ?? "value",
      );
  }
}

/** The kinds of the differences that ajv reports with these keywords. */
const KINDS_OF_ERRORS: Readonly<Record<string, DifferenceKind>> = { type: "type", anyOf: "type", not: "present" };

/** The maximum number of member names that a message about an object shows. */
const MOST_NAMES = 4;

/** Returns words for a missing member. If the object has few other members, the words name them. */
function absentFrom(data: unknown): string {
  const names = isObject(data) ? Object.keys(data) : [];
  return names.length === 0 || names.length > MOST_NAMES
    ? "absent"
    : `absent (the object has ${names.map((name) => show(name)).join(", ")})`;
}

function commentOf(schema: Readonly<Record<string, unknown>>): ClauseId {
  const comment = schema["$comment"];
  if (typeof comment !== "string") throw new Error(`a schema constraint names no clause (a defect of the suite): ${show(schema)}`);
  return comment as ClauseId;
}

/** Returns a JSON pointer in the form of a path: `/data/result/0/values` becomes `data.result[0].values`. */
function pathOf(pointer: string): string {
  const path = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
  return path === "" ? "body" : path;
}

function expectation(error: ErrorObject, schema: Readonly<Record<string, unknown>>): string {
  const title = typeof schema["title"] === "string" ? ` (${schema["title"]})` : "";
  switch (error.keyword) {
    case "type":
      return `type ${[error.params["type"]].flat().join(" or ")}${title}`;
    case "format":
      return `format ${String(error.params["format"])}${title}`;
    case "anyOf":
      return `one of the documented types${title}`;
    case "not":
      return `absent${title}`;
    default:
      return `${error.message ?? error.keyword}${title}`;
  }
}

/** The JSON Schemas of the wire, compiled once, and their errors as differences that name a clause. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { ClauseId } from "../contract/catalogue.ts";
import { type Difference, show } from "./difference.ts";
import { durationLength } from "./duration.ts";
import { isObject } from "./json.ts";
import { parseRfc3339 } from "./timestamp.ts";

/** Schema files below `schemas/`, in an order in which references resolve. */
export const SCHEMA_FILES = [
  "admin/limits.json",
  "admin/limits-request.json",
  "admin/create-request.json",
  "admin/update-request.json",
  "admin/instance.json",
  "logs/entry.json",
  "logs/stream.json",
  "logs/push-request.json",
  "logs/range-response.json",
  "logs/sample.json",
  "logs/instant-response.json",
  "logs/labels-response.json",
  "logs/label-values-response.json",
] as const;

export type SchemaFile = (typeof SCHEMA_FILES)[number];

/** String formats beyond JSON Schema's own; each is as strict as the documents and no stricter. */
export const FORMATS = {
  rfc3339: (text: string) => parseRfc3339(text) !== null,
  "duration-text": (text: string) => durationLength(text) !== null,
  "timestamp-text": (text: string) => /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text),
  "sample-text": (text: string) => /^[+-]?(?:inf|nan|infinity)$/i.test(text) || /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text),
} as const;

/** The folder that holds `package.json`, from the sources as well as from the compiled program. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    try {
      readFileSync(join(folder, "package.json"));
      return folder;
    } catch {
      const parent = dirname(folder);
      if (parent === folder) throw new Error("no package.json above the program");
      folder = parent;
    }
  }
}

/** One schema file as JSON. */
export function readSchema(file: string): { readonly $id: string; readonly [key: string]: unknown } {
  const schema: unknown = JSON.parse(readFileSync(join(packageRoot(), "schemas", file), "utf8"));
  if (!isObject(schema) || typeof schema["$id"] !== "string") throw new Error(`${file} has no $id`);
  return { ...schema, $id: schema["$id"] };
}

let compiled: ReadonlyMap<SchemaFile, ValidateFunction> | undefined;

/** Compiled schemas are the same for every run of the process, so they are kept. */
function validators(): ReadonlyMap<SchemaFile, ValidateFunction> {
  if (compiled !== undefined) return compiled;
  const ajv = new Ajv2020({ strict: true, allErrors: true, verbose: true, formats: FORMATS });
  const ids = SCHEMA_FILES.map((file) => {
    const schema = readSchema(file);
    ajv.addSchema(schema);
    return [file, schema.$id] as const;
  });
  compiled = new Map(
    ids.map(([file, id]) => {
      const validate = ajv.getSchema(id);
      if (validate === undefined) throw new Error(`schema ${file} does not compile`);
      return [file, validate];
    }),
  );
  return compiled;
}

/** Where `value` departs from a schema; each difference blames the `$comment` of the constraint it breaks. */
export function schemaDifferences(file: SchemaFile, value: unknown): Difference[] {
  const validate = validators().get(file);
  if (validate === undefined) throw new Error(`unknown schema ${file}`);
  if (validate(value)) return [];
  return (validate.errors ?? []).filter((error) => !error.schemaPath.includes("/anyOf/")).map(asDifference);
}

function asDifference(error: ErrorObject): Difference {
  const schema = isObject(error.parentSchema) ? error.parentSchema : {};
  if (error.keyword === "required") {
    const missing = String(error.params["missingProperty"]);
    const properties = isObject(schema["properties"]) ? schema["properties"] : {};
    // A missing row of a table is that row's; a missing member of an answer is the answer's.
    const row =
      isObject(properties[missing]) && String(properties[missing]["$comment"]).startsWith("admin-2.") ? properties[missing] : null;
    const own = row ?? schema;
    return { clause: commentOf(own), path: pathOf(`${error.instancePath}/${missing}`), expected: "present", actual: "absent" };
  }
  return { clause: commentOf(schema), path: pathOf(error.instancePath), expected: expectation(error, schema), actual: show(error.data) };
}

function commentOf(schema: Readonly<Record<string, unknown>>): ClauseId {
  const comment = schema["$comment"];
  if (typeof comment !== "string") throw new Error(`a schema constraint names no clause: ${show(schema)}`);
  return comment as ClauseId;
}

/** `/data/result/0/values` as `data.result[0].values`. */
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
      return `type ${String(error.params["type"])}${title}`;
    case "format":
      return `format ${String(error.params["format"])}${title}`;
    case "anyOf":
      return `one of the documented types${title}`;
    default:
      return `${error.message ?? error.keyword}${title}`;
  }
}

/** The JSON Schemas of requests and responses. Each schema is compiled once, at its first use. */
import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { newAjv } from "./ajv.ts";
import type { Difference } from "./difference.ts";
import { isObject, type JsonObject } from "./json.ts";
import { differencesOf } from "./schema-errors.ts";

/** The schema files of requests and responses, below `schemas/`. */
export const SCHEMA_FILES = [
  "admin/limits.json",
  "admin/limits-request.json",
  "admin/create-request.json",
  "admin/update-request.json",
  "admin/instance-parameters.json",
  "admin/instance.json",
  "logs/entry.json",
  "logs/stream.json",
  "logs/push-request.json",
  "logs/range-parameters.json",
  "logs/range-response.json",
  "logs/sample.json",
  "logs/instant-parameters.json",
  "logs/instant-response.json",
  "logs/labels-response.json",
  "logs/label-values-parameters.json",
  "logs/label-values-response.json",
] as const;

export type SchemaFile = (typeof SCHEMA_FILES)[number];

/** For each operation, the schema file of its successful response. */
const ANSWERS = {
  "read instance": "admin/instance.json",
  "update instance": "admin/instance.json",
  query_range: "logs/range-response.json",
  query: "logs/instant-response.json",
  labels: "logs/labels-response.json",
  "label values": "logs/label-values-response.json",
} as const satisfies Record<string, SchemaFile>;

/** For each operation, the schema file of its request body, or of the parameters in its path and query. */
const REQUESTS = {
  "create instance": "admin/create-request.json",
  "update instance": "admin/update-request.json",
  "read instance": "admin/instance-parameters.json",
  push: "logs/push-request.json",
  query_range: "logs/range-parameters.json",
  query: "logs/instant-parameters.json",
  "label values": "logs/label-values-parameters.json",
} as const satisfies Record<string, SchemaFile>;

export type AnsweringOperation = keyof typeof ANSWERS;
export type RequestingOperation = keyof typeof REQUESTS;

export const ANSWERING_OPERATIONS = Object.keys(ANSWERS) as readonly AnsweringOperation[];
export const REQUESTING_OPERATIONS = Object.keys(REQUESTS) as readonly RequestingOperation[];

/** Maps the name of a schema file to the schema that replaces it. The schema `false` accepts no value. */
type Replacements = { readonly [File in SchemaFile]?: JsonObject | false };

interface Judges {
  (file: SchemaFile): { readonly schema: JsonObject; readonly judge: (value: unknown) => Difference[] };
}

/** Returns the folder of this package, which has `package.json`. The search works both from the sources and from the compiled program. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    try {
      readFileSync(join(folder, "package.json"));
      return folder;
    } catch {
      const parent = dirname(folder);
      if (parent === folder) throw new Error("no package.json in the folders above the program");
      folder = parent;
    }
  }
}

/** Returns a schema file as JSON. Throws if the schema has no `$id`. */
export function readSchema(file: string): { readonly $id: string; readonly [key: string]: unknown } {
  const schema: unknown = JSON.parse(readFileSync(join(packageRoot(), "schemas", file), "utf8"));
  if (!isObject(schema) || typeof schema["$id"] !== "string") throw new Error(`${file} has no $id`);
  return { ...schema, $id: schema["$id"] };
}

/** Returns a schema that refuses all values. It has the `$id` and the clause of the given schema. */
function nothingValid({ $id, $comment }: JsonObject): JsonObject {
  return { $id, $comment, not: {} };
}

function judges(replacements: Replacements): Judges {
  const ajv = newAjv();
  const schemas = new Map<SchemaFile, JsonObject & { readonly $id: string }>();
  for (const file of SCHEMA_FILES) {
    const committed = readSchema(file);
    const replacement = replacements[file];
    const schema = replacement === undefined ? committed : replacement === false ? nothingValid(committed) : replacement;
    schemas.set(file, { ...schema, $id: committed.$id });
    ajv.addSchema({ ...schema, $id: committed.$id });
  }
  return (file) => {
    const schema = schemas.get(file);
    const validate = schema === undefined ? undefined : ajv.getSchema(schema.$id);
    if (schema === undefined || validate === undefined) throw new Error(`unknown schema ${file}`);
    return { schema, judge: (value) => (validate(value) ? [] : differencesOf(validate.errors ?? [])) };
  };
}

let committed: Judges | undefined;
const replaced = new AsyncLocalStorage<Judges>();

function judgeOf(file: SchemaFile): ReturnType<Judges> {
  committed ??= judges({});
  return (replaced.getStore() ?? committed)(file);
}

/** Runs `work` with replacements of some schemas. Other work that runs at the same time uses the original schemas. */
export function withSchemas<T>(replacements: Replacements, work: () => T): T {
  return replaced.run(judges(replacements), work);
}

/** Returns the differences between `value` and a schema. Each difference violates the clause in the `$comment` of its constraint. */
export function schemaDifferences(file: SchemaFile, value: unknown): Difference[] {
  return judgeOf(file).judge(value);
}

/** Returns the differences between the body of a successful response and the documented response of the operation. */
export function answerDifferences(operation: AnsweringOperation, body: unknown): Difference[] {
  return schemaDifferences(ANSWERS[operation], body);
}

/** Returns the differences of a body, or of parameters by name. In a URL, the text of an integer counts as the integer. */
export function requestDifferences(operation: RequestingOperation, parametersOrBody: unknown): Difference[] {
  const file = REQUESTS[operation];
  const { schema, judge } = judgeOf(file);
  return judge(file.endsWith("-parameters.json") ? fromUrl(parametersOrBody, schema) : parametersOrBody);
}

function fromUrl(parameters: unknown, { properties }: JsonObject): unknown {
  if (!isObject(parameters) || !isObject(properties)) return parameters;
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      const schema = properties[name];
      const isInteger = isObject(schema) && schema["type"] === "integer" && typeof value === "string" && /^-?\d+$/.test(value);
      return [name, isInteger ? Number(value) : value];
    }),
  );
}

/** Tests that generated schema files are up to date, and that each schema file works with standard tools. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { expect, test } from "vitest";
import { clauseOf } from "../contract/catalogue.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { packageRoot, readSchema, SCHEMA_FILES } from "../model/schemas.ts";
import { SAMPLES } from "../model/testing.ts";
import { nameOf } from "./bundle.ts";
import { generatedFiles } from "./generated.ts";
import { idOf } from "./identity.ts";

const FOLDER = join(packageRoot(), "schemas");
const BUNDLES = ["admin/bundle.json", "logs/bundle.json"] as const;
const FILES = [...SCHEMA_FILES, ...BUNDLES, "report/summary.json", "report/observations.json", "report/deviations.json"];

/** The keywords that a schema may use: annotations and constraints of draft 2020-12. */
const KEYWORDS = new Set(
  [
    ["$schema", "$id", "$ref", "$defs", "$comment", "title", "description", "default", "examples", "type", "const", "enum", "anyOf"],
    ["oneOf", "not", "if", "then", "else", "properties", "required", "additionalProperties", "items", "prefixItems", "minItems"],
    ["maxItems", "minLength", "pattern", "format", "minimum", "maximum"],
  ].flat(),
);

/** Returns all schema objects within a schema, and the schema itself. */
function within(schema: unknown): JsonObject[] {
  if (!isObject(schema)) return [];
  const byName = ["properties", "$defs"].flatMap((key) => (isObject(schema[key]) ? Object.values(schema[key]) : []));
  const listed = ["anyOf", "oneOf", "prefixItems"].flatMap((key) => schema[key] ?? []);
  const single = ["items", "additionalProperties", "not", "if", "then", "else"].map((key) => schema[key]);
  return [schema, ...[...byName, ...listed, ...single].flatMap(within)];
}

/** Loads the schema with the given `$id` from its file. Throws if there is no such file. */
async function loadSchema(id: string): Promise<JsonObject> {
  return Promise.resolve(readSchema(id.slice(idOf("").length)));
}

/** Returns a validator that knows no schema at first, so that it must load each referenced schema. */
function strictAjv(): Ajv2020 {
  return ajvFormats.default(new Ajv2020({ strict: true, loadSchema }));
}

test("each file in the folders of requests and responses is a known schema", () => {
  const found = ["admin", "logs"].flatMap((folder) => readdirSync(join(FOLDER, folder)).map((file) => `${folder}/${file}`));
  expect(found.toSorted()).toEqual([...SCHEMA_FILES, ...BUNDLES].toSorted());
});

test.each([...generatedFiles()])(
  "%s is up to date with the catalogue and the table of limits (npm run schemas writes it)",
  (file, text) => {
    const committed = readFileSync(join(FOLDER, file), "utf8");
    // Only the content of JSON files is compared, because a formatter may change their layout.
    const content = (json: string): string => (file.endsWith(".json") ? JSON.stringify(JSON.parse(json)) : json);
    expect(content(committed)).toBe(content(text));
  },
);

test.each(FILES)("%s has only standard keywords and formats, its path as its name, and references to files in its folder", (file) => {
  const schema = readSchema(file);
  expect(schema.$id).toBe(idOf(file));
  for (const part of within(schema)) {
    expect(Object.keys(part).filter((key) => !KEYWORDS.has(key))).toEqual([]);
    expect([undefined, "date-time"]).toContain(part["format"]);
  }
  const references = within(schema).flatMap((part) => (typeof part["$ref"] === "string" ? [part["$ref"]] : []));
  const definitions = isObject(schema["$defs"]) ? Object.keys(schema["$defs"]).map((name) => `#/$defs/${name}`) : [];
  const beside = readdirSync(join(FOLDER, dirname(file)));
  // A bundle may refer only to its own definitions, and any other schema file only to other files.
  const known = definitions.length > 0 ? definitions : beside;
  expect(references.filter((reference) => !known.includes(reference))).toEqual([]);
});

test.each(FILES)("%s compiles alone in the strict mode of ajv", async (file) => {
  await expect(strictAjv().compileAsync(readSchema(file))).resolves.toBeTypeOf("function");
});

test.each(SCHEMA_FILES)("%s describes each value that it constrains, and names the clause", (file) => {
  const described = within(readSchema(file)).filter((part) => part["$comment"] !== undefined);
  expect(described.length).toBeGreaterThan(0);
  for (const part of described) {
    expect(() => clauseOf(String(part["$comment"])), JSON.stringify(part).slice(0, 200)).not.toThrow();
    const words = part["$ref"] === undefined ? part["title"] : part["$comment"];
    expect(words, JSON.stringify(part).slice(0, 200)).toEqual(expect.any(String));
  }
  for (const part of within(readSchema(file))) {
    for (const [name, property] of Object.entries(isObject(part["properties"]) ? part["properties"] : {})) {
      expect(isObject(property) ? property["description"] : undefined, name).toMatch(/^[A-Z`].{9,}\.$/);
    }
  }
});

test("each example in a schema is valid against that schema", () => {
  const parts = FILES.flatMap((file) => within(readSchema(file)));
  const examples = parts.flatMap((part) =>
    Array.isArray(part["examples"]) ? part["examples"].map((value: unknown) => ({ part, value })) : [],
  );
  expect(examples.length).toBeGreaterThan(10);
  expect(examples.filter(({ part, value }) => !strictAjv().validate(part, value))).toEqual([]);
});

test.each(BUNDLES)("%s gives the results of the files, and needs none of them", (bundle) => {
  const ajv = strictAjv().addSchema(readSchema(bundle));
  const own = SAMPLES.filter(([file]) => dirname(file) === dirname(bundle));
  expect(own.length).toBeGreaterThan(10);
  for (const [file, value, clauses] of own) {
    expect(ajv.validate(`${readSchema(bundle).$id}#/$defs/${nameOf(file)}`, value), `${file} ${JSON.stringify(value)}`).toBe(
      clauses.length === 0,
    );
  }
});

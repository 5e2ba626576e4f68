/** The schemas as files: the generated ones are current, and each can be used by itself with nothing but standard tools. */
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

/** What a schema may say: annotations and the keywords of validation, all of draft 2020-12. */
const KEYWORDS = new Set(
  [
    ["$schema", "$id", "$ref", "$defs", "$comment", "title", "description", "default", "examples", "type", "const", "enum", "anyOf"],
    ["oneOf", "not", "if", "then", "else", "properties", "required", "additionalProperties", "items", "prefixItems", "minItems"],
    ["maxItems", "minLength", "pattern", "format", "minimum", "maximum"],
  ].flat(),
);

/** Every schema object in a schema, itself included. */
function within(schema: unknown): JsonObject[] {
  if (!isObject(schema)) return [];
  const byName = ["properties", "$defs"].flatMap((key) => (isObject(schema[key]) ? Object.values(schema[key]) : []));
  const listed = ["anyOf", "oneOf", "prefixItems"].flatMap((key) => schema[key] ?? []);
  const single = ["items", "additionalProperties", "not", "if", "then", "else"].map((key) => schema[key]);
  return [schema, ...[...byName, ...listed, ...single].flatMap(within)];
}

/** What a reference names once it is resolved against the `$id` of its schema; throws where no file of ours has that place. */
async function loadSchema(id: string): Promise<JsonObject> {
  return Promise.resolve(readSchema(id.slice(idOf("").length)));
}

/** Knows no schema beforehand: every reference has to lead to one. */
function strictAjv(): Ajv2020 {
  return ajvFormats.default(new Ajv2020({ strict: true, loadSchema }));
}

test("every file in the folders of the wire is a known schema", () => {
  const found = ["admin", "logs"].flatMap((folder) => readdirSync(join(FOLDER, folder)).map((file) => `${folder}/${file}`));
  expect(found.toSorted()).toEqual([...SCHEMA_FILES, ...BUNDLES].toSorted());
});

test.each([...generatedFiles()])("%s is what the catalogue and the limits table say (npm run schemas writes it anew)", (file, text) => {
  const committed = readFileSync(join(FOLDER, file), "utf8");
  // A formatter may lay JSON out anew, but not change it.
  const content = (json: string): string => (file.endsWith(".json") ? JSON.stringify(JSON.parse(json)) : json);
  expect(content(committed)).toBe(content(text));
});

test.each(FILES)("%s has standard keywords and formats only, its own place as name, and references to files beside it", (file) => {
  const schema = readSchema(file);
  expect(schema.$id).toBe(idOf(file));
  for (const part of within(schema)) {
    expect(Object.keys(part).filter((key) => !KEYWORDS.has(key))).toEqual([]);
    expect([undefined, "date-time"]).toContain(part["format"]);
  }
  const references = within(schema).flatMap((part) => (typeof part["$ref"] === "string" ? [part["$ref"]] : []));
  const definitions = isObject(schema["$defs"]) ? Object.keys(schema["$defs"]).map((name) => `#/$defs/${name}`) : [];
  const beside = readdirSync(join(FOLDER, dirname(file)));
  // A bundle refers to itself only, any other file of the wire to files only.
  const known = definitions.length > 0 ? definitions : beside;
  expect(references.filter((reference) => !known.includes(reference))).toEqual([]);
});

test.each(FILES)("%s compiles in ajv's strict mode, alone", async (file) => {
  await expect(strictAjv().compileAsync(readSchema(file))).resolves.toBeTypeOf("function");
});

test.each(SCHEMA_FILES)("%s describes every value it constrains and names the clause", (file) => {
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

test.each(BUNDLES)("%s judges as the files do, and needs none of them", (bundle) => {
  const ajv = strictAjv().addSchema(readSchema(bundle));
  const own = SAMPLES.filter(([file]) => dirname(file) === dirname(bundle));
  expect(own.length).toBeGreaterThan(10);
  for (const [file, value, clauses] of own) {
    expect(ajv.validate(`${readSchema(bundle).$id}#/$defs/${nameOf(file)}`, value), `${file} ${JSON.stringify(value)}`).toBe(
      clauses.length === 0,
    );
  }
});

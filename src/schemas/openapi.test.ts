/** Tests that a linter accepts the OpenAPI descriptions, and that they have exactly the content of the documents. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConfig, lint, parseYaml } from "@redocly/openapi-core";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { expect, test } from "vitest";
import { clauseOf } from "../contract/catalogue.ts";
import { isObject, member } from "../model/json.ts";
import { packageRoot, readSchema } from "../model/schemas.ts";
import { DOCUMENT_NAMES, type DocumentName } from "./bundle.ts";
import { currentSchema, OPENAPI_FILES } from "./generated.ts";
import { openapi } from "./openapi.ts";
import { OPERATIONS } from "./operations.ts";
import { yaml } from "./yaml.ts";

/** Returns the member of a value at a path of keys. */
function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce(member, value);
}

const ADMIN = openapi("admin", currentSchema);
const LOGS = openapi("logs", currentSchema);

test.each(DOCUMENT_NAMES)("the strict rules of the linter find no problem in the description of %s", async (document) => {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lint({ ref: join(packageRoot(), "schemas", OPENAPI_FILES[document]), config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

test.each(DOCUMENT_NAMES)("the YAML file of %s has the content of the description", (document) => {
  const text = readFileSync(join(packageRoot(), "schemas", OPENAPI_FILES[document]), "utf8");
  expect(parseYaml(text)).toEqual(JSON.parse(JSON.stringify(openapi(document, currentSchema))));
});

test("YAML quotes text that could be misread", () => {
  const value = {
    words: ["plain words", " a", "", "a\nb", "a: b", "a #b", ..."true No null 1 1.5 - {a} [a] * &a !a 2XX é".split(" ")],
    "400": { empty: {}, none: [], nested: [{ a: 1, b: [null, false] }, {}, [["x"]]] },
  };
  expect(parseYaml(yaml(value))).toEqual(value);
});

/** Returns the statuses that a description has for each operation. */
function shown(description: unknown): unknown[] {
  return Object.values(at(description, "paths") as object).flatMap((path: object) =>
    Object.values(path).map((operation: unknown) => [
      at(operation, "operationId"),
      Object.keys(at(operation, "responses") as object).toSorted(),
    ]),
  );
}

test("an operation has only statuses that the documents show, and 4XX for the errors of the admin API", () => {
  expect(shown(ADMIN)).toEqual(["createInstance", "readInstance", "updateInstance"].map((id) => [id, ["2XX", "4XX", "default"]]));
  expect(at(ADMIN, "paths", "/admin/api/v1/instances", "post", "responses", "4XX", "description")).toContain(
    "Not shown: error status codes",
  );
  const always = ["2XX", "429", "5XX", "default"];
  const refusing = ["queryRange", "query"].map((id) => [id, ["2XX", "400", "429", "5XX", "default"]]);
  expect(shown(LOGS)).toEqual([...refusing, ...["push", "labels", "labelValues"].map((id) => [id, always])]);
});

test("a part that the documents do not show is described as not shown, and has no content", () => {
  for (const success of [
    at(ADMIN, "paths", "/admin/api/v1/instances", "post", "responses", "2XX"),
    at(LOGS, "paths", "/logs/api/v1/push", "post", "responses", "2XX"),
  ]) {
    expect(success).toEqual({ description: "Success. Its status and body are not shown." });
  }
  expect(at(ADMIN, "paths", "/admin/api/v1/instances/{name}", "get", "responses", "default")).toEqual({
    description: "Anything else. Not shown: error status codes, error bodies and the conditions that cause them.",
  });
});

test("parameters have their place, default and values, and whether they are required", () => {
  const parameters = at(LOGS, "paths", "/logs/api/v1/query_range", "get", "parameters") as readonly unknown[];
  expect(parameters.map((parameter) => [at(parameter, "name"), at(parameter, "in"), at(parameter, "required")])).toEqual([
    ["query", "query", true],
    ["start", "query", false],
    ["end", "query", false],
    ["limit", "query", false],
    ["direction", "query", false],
  ]);
  expect(parameters.map((parameter) => at(parameter, "schema", "default"))).toEqual([undefined, undefined, undefined, 100, "backward"]);
  expect(at(parameters[4], "schema", "enum")).toEqual(["backward", "forward"]);
});

test("each way to authenticate is described", () => {
  expect(at(ADMIN, "security")).toEqual([{ token: [] }]);
  expect(at(ADMIN, "components", "securitySchemes", "token")).toMatchObject({
    type: "http",
    scheme: "basic",
    description: expect.stringContaining("empty username") as unknown,
  });
  expect(at(LOGS, "security")).toEqual([{}, { tenant: [] }, { user: [] }]);
  expect(at(LOGS, "components", "securitySchemes", "tenant")).toMatchObject({ type: "apiKey", in: "header", name: "X-Scope-OrgID" });
  expect(at(LOGS, "components", "securitySchemes", "user")).toMatchObject({ type: "http", scheme: "basic" });
});

/** Returns all values of a key in a description, each with the schema beside it. */
function valuesOf(key: string, description: unknown): { readonly value: unknown; readonly schema: unknown }[] {
  if (Array.isArray(description)) return description.flatMap((item: unknown) => valuesOf(key, item));
  if (!isObject(description)) return [];
  const own = Object.hasOwn(description, key) ? [{ value: description[key], schema: description["schema"] }] : [];
  return [...own, ...Object.values(description).flatMap((item) => valuesOf(key, item))];
}

test.each([
  ["admin", ADMIN, 6],
  ["logs", LOGS, 13],
] as const)("each parameter and body of %s has an example that its schema accepts", (document, description, count) => {
  const paths = at(description, "paths");
  expect(valuesOf("schema", paths)).toHaveLength(count);
  const examples = valuesOf("example", paths);
  expect(examples).toHaveLength(count);
  const ajv = ajvFormats.default(new Ajv2020({ strict: true })).addSchema(readSchema(`${document}/bundle.json`));
  for (const { value, schema } of examples) {
    const resolved = JSON.stringify(schema).replaceAll("#/components/schemas/", `${readSchema(`${document}/bundle.json`).$id}#/$defs/`);
    expect([value, ajv.validate(JSON.parse(resolved) as object, value), ajv.errorsText()]).toEqual([value, true, "No errors"]);
  }
});

/** For each operation, returns the part of the id of its first clause that names the endpoint. */
function endpoints(document: DocumentName): string[] {
  return OPERATIONS[document].map(({ clauses: [first = "admin-4.json"] }) => {
    expect(clauseOf(first).statement).toMatch(/^(?:GET|POST|PUT) /);
    return first.slice(`${document}-4.`.length);
  });
}

test("each endpoint of the documents is an operation, and each operation is an endpoint", () => {
  expect(endpoints("admin")).toEqual(["POST", "GET", "PUT"]);
  expect(endpoints("logs")).toEqual(["query_range", "query", "push", "labels", "label-values"]);
});

test("schemas refer to each other within the description", () => {
  const references = [...JSON.stringify([ADMIN, LOGS]).matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference ?? "");
  expect(references.length).toBeGreaterThan(10);
  for (const reference of references) {
    const [, ...keys] = reference.split("/");
    expect(isObject(at(ADMIN, ...keys)) || isObject(at(LOGS, ...keys)), reference).toBe(true);
  }
});

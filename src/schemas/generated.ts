/** Gives the content of all generated files below `schemas/`. */
import type { JsonObject } from "../model/json.ts";
import { readSchema, type SchemaFile } from "../model/schemas.ts";
import { bundle, DOCUMENT_NAMES, type DocumentName } from "./bundle.ts";
import { limitsRequestSchema, limitsSchema } from "./limits.ts";
import { openapi } from "./openapi.ts";
import { yaml } from "./yaml.ts";

/** Returns a schema. If its file is generated, the schema comes from the generator, and otherwise from the file. */
export function currentSchema(file: SchemaFile): JsonObject {
  if (file === "admin/limits.json") return limitsSchema();
  return file === "admin/limits-request.json" ? limitsRequestSchema() : readSchema(file);
}

/** For each document, the path of its OpenAPI description below `schemas/`. */
export const OPENAPI_FILES: Readonly<Record<DocumentName, string>> = { admin: "openapi/admin.yaml", logs: "openapi/log.yaml" };

/** Returns the text of each generated file, by its path below `schemas/`. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ["admin/limits.json", json(limitsSchema())],
    ["admin/limits-request.json", json(limitsRequestSchema())],
    ...DOCUMENT_NAMES.map((document) => [`${document}/bundle.json`, json(bundle(document, currentSchema))] as const),
    ...DOCUMENT_NAMES.map((document) => [OPENAPI_FILES[document], openapiText(document)] as const),
  ]);
}

/** Returns the OpenAPI description of a document, as the text of its file. */
export function openapiText(document: DocumentName): string {
  return `# Generated from the catalogue of clauses and the schemas by npm run schemas.\n${yaml(openapi(document, currentSchema))}`;
}

function json(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

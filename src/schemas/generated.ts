/** The files below `schemas/` that are made, not written, and what they have to hold. */
import type { JsonObject } from "../model/json.ts";
import { readSchema, type SchemaFile } from "../model/schemas.ts";
import { bundle, DOCUMENT_NAMES } from "./bundle.ts";
import { limitsRequestSchema, limitsSchema } from "./limits.ts";

/** A schema as the generator makes it, or as its file holds it. */
export function currentSchema(file: SchemaFile): JsonObject {
  if (file === "admin/limits.json") return limitsSchema();
  return file === "admin/limits-request.json" ? limitsRequestSchema() : readSchema(file);
}

/** The text of each generated file, by its path below `schemas/`. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ["admin/limits.json", json(limitsSchema())],
    ["admin/limits-request.json", json(limitsRequestSchema())],
    ...DOCUMENT_NAMES.map((document) => [`${document}/bundle.json`, json(bundle(document, currentSchema))] as const),
  ]);
}

function json(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Writes all schemas of a document into one file that refers to no other file. */
import { basename, dirname } from "node:path";
import { DOCUMENTS } from "../contract/sections.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { SCHEMA_FILES, type SchemaFile } from "../model/schemas.ts";
import { DIALECT, idOf } from "./identity.ts";

export type DocumentName = keyof typeof DOCUMENTS;

export const DOCUMENT_NAMES = Object.keys(DOCUMENTS) as readonly DocumentName[];

/** A function that returns the content of a schema file. The generator makes the content of a generated file. */
export type Read = (file: SchemaFile) => JsonObject;

export function nameOf(file: string): string {
  return basename(file, ".json");
}

/** Returns the schemas of a document by name. They have no `$id`. References between them begin with the JSON pointer `place`. */
export function embedded(document: DocumentName, place: string, read: Read): Readonly<Record<string, JsonObject>> {
  const files = SCHEMA_FILES.filter((file) => dirname(file) === document);
  return Object.fromEntries(
    files.map((file) => {
      const { $schema: _dialect, $id: _id, ...schema } = read(file);
      return [nameOf(file), moved(schema, place)];
    }),
  );
}

/** Returns the bundle of a document, in which each schema is a definition with the name of its file. */
export function bundle(document: DocumentName, read: Read): JsonObject {
  return {
    $schema: DIALECT,
    $id: idOf(`${document}/bundle.json`),
    title: `${DOCUMENTS[document].name}: all schemas`,
    description: `Every schema of the folder in one file. Choose one with a reference: {"$ref": "#/$defs/${document === "admin" ? "instance" : "range-response"}"}.`,
    $defs: embedded(document, "#/$defs/", read),
  };
}

function moved(schema: JsonObject, place: string): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === "$ref" && typeof value === "string" ? place + nameOf(value) : movedIn(value, place),
    ]),
  );
}

function movedIn(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => movedIn(item, place));
  return isObject(value) ? moved(value, place) : value;
}

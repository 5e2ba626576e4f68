/** Makes the names (`$id`) of the schemas. */

export const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * Host names that end with `.invalid` have no server, so no tool can fetch a schema by mistake. All validators can resolve relative
 * references against URLs of the web, but only few can against `urn:` or `tag:`.
 */
const BASE = "https://plumbline.invalid/schemas/";

/** Returns the `$id` of the schema in a file below `schemas/`. */
export function idOf(file: string): string {
  return BASE + file;
}

/** The names of the schemas. */

export const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * The names are below `.invalid`. No server can have an address below `.invalid`, so no tool can fetch a schema from it by mistake. The
 * names are web addresses, because each validator resolves relative references against web addresses. Only a few validators resolve
 * relative references against `urn:` or `tag:`.
 */
const BASE = "https://plumbline.invalid/schemas/";

/** The `$id` of a file below `schemas/`. */
export function idOf(file: string): string {
  return BASE + file;
}

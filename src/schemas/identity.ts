/** How the schemas are named. */

export const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * Names below `.invalid`: nobody can own one, so nothing can ever be served under them and no reader is tempted to fetch. They look
 * like web addresses because relative references are resolved against these by every validator, against `urn:` or `tag:` by few.
 */
const BASE = "https://plumbline.invalid/schemas/";

/** The `$id` of a file below `schemas/`. */
export function idOf(file: string): string {
  return BASE + file;
}

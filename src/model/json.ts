/** Reads values from parsed JSON of unknown shape. */

export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the member `key` of `value`, or undefined if `value` is no object or has no such member. */
export function member(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Parses JSON, or returns undefined. A byte order mark at the beginning is ignored, as RFC 8259 allows. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as unknown;
  } catch {
    return undefined;
  }
}

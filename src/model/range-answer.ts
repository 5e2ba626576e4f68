/** Reads the response to a range query as data, and finds differences in its shape. */
import type { Difference } from "./difference.ts";
import { member } from "./json.ts";
import type { Labels, Stream } from "./logs.ts";

/** Returns the streams in the body of a response that is valid by its schema. */
export function rangeStreams(body: unknown): Stream[] {
  const result = member(member(body, "data"), "result") as readonly { stream: Labels; values: readonly (readonly [string, string])[] }[];
  return result.map(({ stream, values }) => ({ labels: stream, entries: values.map(([ts, line]) => ({ ts: BigInt(ts), line })) }));
}

const NANOSECONDS = /^\d{19}$/;

function looksLikeTimestamp(pair: unknown, place: 0 | 1): boolean {
  return Array.isArray(pair) && NANOSECONDS.test(String(pair[place]));
}

/**
 * Whether timestamps and lines seem to be swapped: the second element of each entry is a timestamp, and at least one first element is not.
 * A second element alone proves nothing, because a line may look like a timestamp.
 */
function isSwapped(body: unknown): boolean {
  const result = member(member(body, "data"), "result");
  if (!Array.isArray(result)) return false;
  const pairs = result.flatMap((stream: unknown): unknown[] => {
    const values = member(stream, "values");
    return Array.isArray(values) ? values : [];
  });
  return pairs.every((pair) => looksLikeTimestamp(pair, 1)) && pairs.some((pair) => !looksLikeTimestamp(pair, 0));
}

/** Returns the schema errors of a body. If timestamps and lines are swapped, they violate the clause about entries instead. */
export function asEntries(body: unknown, differences: readonly Difference[]): Difference[] {
  const swapped = differences.length > 0 && isSwapped(body);
  return differences.map((one) => (swapped && one.clause === "logs-2.1" ? { ...one, clause: "logs-2.Entry" } : one));
}

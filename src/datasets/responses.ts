/** Reads responses of the log API as data, and finds differences in their shape. */
import { type Answered, isSuccess, jsonOf, statusOf } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { type Difference, show, showInvalid, difference } from "../model/difference.ts";
import { member } from "../model/json.ts";
import type { AnsweredStream } from "../model/log-answer.ts";
import type { Labels } from "../model/logs.ts";
import { asEntries, rangeStreams } from "../model/range-answer.ts";
import type { Sample } from "../model/samples.ts";
import { schemaDifferences, type SchemaFile } from "../model/schemas.ts";

/** Returns the JSON of a successful and valid response, or differences that violate `clause` or the clauses of the schema. */
function checked(exchange: Answered, schema: SchemaFile, clause: ClauseId): { body: unknown; differences: Difference[] } {
  if (!isSuccess(exchange)) {
    return {
      body: undefined,
      differences: [difference(clause, "status", "success (2xx)", `status ${statusOf(exchange)}: ${show(exchange.response.body)}`)],
    };
  }
  const body = jsonOf(exchange);
  if (body === undefined) return { body, differences: [difference(clause, "body", "a JSON object", showInvalid(exchange.response.body))] };
  return { body, differences: schemaDifferences(schema, body) };
}

/** Returns the streams in the response to a range query. */
export function streamsOf(
  exchange: Answered,
  clause: ClauseId = "logs-4.query_range",
): { streams: AnsweredStream[] | null; differences: Difference[] } {
  const { body, differences } = checked(exchange, "logs/range-response.json", clause);
  return differences.length > 0
    ? { streams: null, differences: asEntries(body, differences) }
    : { streams: rangeStreams(body), differences };
}

/** Returns the samples in the response to an instant query. */
export function samplesOf(exchange: Answered, clause: ClauseId = "logs-4.query"): { samples: Sample[] | null; differences: Difference[] } {
  const { body, differences } = checked(exchange, "logs/instant-response.json", clause);
  if (differences.length > 0) return { samples: null, differences };
  const result = member(member(body, "data"), "result") as readonly { metric: Labels; value: readonly [number | string, string] }[];
  return { samples: result.map(({ metric, value: [timestamp, value] }) => ({ metric, timestamp, value: Number(value) })), differences };
}

/** Returns the names or values in the response to a label request. */
export function listOf(
  exchange: Answered,
  endpoint: "logs-4.labels" | "logs-4.label-values",
  clause: ClauseId = endpoint,
): { list: string[] | null; differences: Difference[] } {
  const schema = endpoint === "logs-4.labels" ? "logs/labels-response.json" : "logs/label-values-response.json";
  const { body, differences } = checked(exchange, schema, clause);
  if (differences.length > 0) return { list: null, differences };
  // If no stream uses the label, `data` may be absent or null, which means an empty list.
  return { list: (member(body, "data") ?? []) as string[], differences };
}

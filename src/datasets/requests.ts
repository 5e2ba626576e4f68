/** Defines the documented reads of the log API as values, and reads their responses as data. */
import { type Answered, isSuccess, jsonOf, statusOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import type { LogsOverride, RangeParameters } from "../client/logs.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { Ask, Reading } from "../harness/expect.ts";
import type { Scope } from "../harness/scope.ts";
import { type Difference, show, showInvalid, difference, wrongStatus } from "../model/difference.ts";
import { member } from "../model/json.ts";
import type { AnsweredStream } from "../model/log-answer.ts";
import { countEntries, type Labels } from "../model/logs.ts";
import { asEntries, rangeStreams } from "../model/range-answer.ts";
import { schemaDifferences, type SchemaFile } from "../model/schemas.ts";
import { acceptedLimit, lowersLimit, masked, requireWhole } from "./masking.ts";
import type { Sample } from "../model/samples.ts";

/** The highest limit that services usually accept. */
export const HIGHEST_LIMIT = 1_000;

/** The options of a read. A response without success or JSON violates `clause`, which is by default the clause of the endpoint. */
export interface As {
  readonly override?: LogsOverride | undefined;
  readonly clause?: ClauseId;
  /** The number of series in the expected result. A service may refuse a result with many series. */
  readonly series?: number;
  /** The response to the same request, if it has just been received. The read then uses it and does not send its first request. */
  readonly first?: Answered | undefined;
}

/** The maximum age of such a response, in ms. An older response may not show late writes. */
const FRESH_MS = 250;

function fresh(exchange: Answered | undefined): Answered | undefined {
  return exchange !== undefined && performance.now() - exchange.endedAt < FRESH_MS ? exchange : undefined;
}

/** Reads the streams of a range query. */
export function range(parameters: RangeParameters, { override, clause, first, series }: As = {}): Ask<readonly AnsweredStream[]> {
  let known = first;
  return async (scope) => {
    const { limit } = parameters;
    const ask = async (): Promise<Answered> =>
      scope.logs.queryRange(limit === undefined ? parameters : { ...parameters, limit: acceptedLimit(scope, limit) }, override);
    let exchange = fresh(known) ?? (await ask());
    known = undefined;
    if (await lowersLimit(scope, exchange, parameters)) exchange = await ask();
    await masked(scope, exchange, { query: parameters.query, window: parameters, series });
    const reading = streamsOf(exchange, clause);
    if (reading.answer !== null && limit !== undefined) requireWhole(scope, countEntries(reading.answer), limit);
    return reading;
  };
}

/** Sends two reads, one after the other. */
export function both<A>(one: Ask<A>, other: Ask<A>): Ask<readonly [A, A]> {
  return async (scope) => {
    const [first, second] = [await one(scope), await other(scope)];
    const answer = first.answer === null || second.answer === null ? null : ([first.answer, second.answer] as const);
    return { answer, malformed: [...first.malformed, ...second.malformed], exchanges: [...first.exchanges, ...second.exchanges] };
  };
}

/** Reads the samples of an instant query. */
export function instant(query: string, time: bigint, { override, clause, first, series }: As = {}): Ask<readonly Sample[]> {
  let known = first;
  return async (scope) => {
    const exchange = fresh(known) ?? (await scope.logs.query(query, time, override));
    known = undefined;
    const because = await masked(scope, exchange, { query, time, series });
    const reading = samplesOf(exchange, clause);
    if (because === null) return reading;
    return { ...reading, malformed: reading.malformed.map((one) => ({ ...one, expected: `${one.expected}, because ${because}` })) };
  };
}

/** Reads the list of label names. */
export function names({ override, clause }: As = {}): Ask<readonly string[]> {
  return async (scope) => listed(scope, await scope.logs.labels(override), "logs-4.labels", clause);
}

/** Reads the list of the values of a label. */
export function values(name: string, { override, clause }: As = {}): Ask<readonly string[]> {
  return async (scope) => listed(scope, await scope.logs.labelValues(name, override), "logs-4.label-values", clause);
}

/** If the clock of the target is unknown, throws `Inconclusive` for an empty list, because a list may cover only some minutes. */
function listed(
  { run }: Scope,
  exchange: Answered,
  endpoint: "logs-4.labels" | "logs-4.label-values",
  clause: ClauseId | undefined,
): Reading<readonly string[]> {
  const reading = listOf(exchange, endpoint, clause);
  if (reading.answer?.length === 0 && !run.everyResponse.isClockKnown)
    throw new Inconclusive(
      "a label list is empty, and the Date header of the target differs from the clock of this machine by minutes, so the age of the pushed labels is not known; the document does not say how far back a list looks",
    );
  return reading;
}

/** Returns the JSON of a successful and valid response, or differences that violate `clause` or the clauses of the schema. */
function checked(exchange: Answered, schema: SchemaFile, clause: ClauseId): { body: unknown; differences: Difference[] } {
  const { body: text } = exchange.response;
  if (!isSuccess(exchange)) {
    const actual = `status ${statusOf(exchange)}: ${show(text)}`;
    return { body: undefined, differences: [wrongStatus(clause, "success (2xx)", actual)] };
  }
  const body = jsonOf(exchange);
  if (body === undefined) return { body, differences: [difference(clause, "body", "a JSON object", showInvalid(text), "form")] };
  return { body, differences: schemaDifferences(schema, body) };
}

/** Returns the streams in the response to a range query. */
export function streamsOf(exchange: Answered, clause: ClauseId = "logs-4.query_range"): Reading<AnsweredStream[]> {
  const { body, differences } = checked(exchange, "logs/range-response.json", clause);
  const isValid = differences.length === 0;
  return { answer: isValid ? rangeStreams(body) : null, malformed: asEntries(body, differences), exchanges: [exchange] };
}

/** Returns the samples in the response to an instant query. */
export function samplesOf(exchange: Answered, clause: ClauseId = "logs-4.query"): Reading<Sample[]> {
  const { body, differences } = checked(exchange, "logs/instant-response.json", clause);
  if (differences.length > 0) return { answer: null, malformed: differences, exchanges: [exchange] };
  const result = member(member(body, "data"), "result") as readonly { metric: Labels; value: readonly [number | string, string] }[];
  const samples = result.map(({ metric, value: [timestamp, value] }) => ({ metric, timestamp, value: Number(value) }));
  return { answer: samples, malformed: [], exchanges: [exchange] };
}

/** Returns the names or values in the response to a label request. */
export function listOf(
  exchange: Answered,
  endpoint: "logs-4.labels" | "logs-4.label-values",
  clause: ClauseId = endpoint,
): Reading<string[]> {
  const schema = endpoint === "logs-4.labels" ? "logs/labels-response.json" : "logs/label-values-response.json";
  const { body, differences } = checked(exchange, schema, clause);
  // If no stream uses the label, `data` may be absent or null, which means an empty list.
  const list = differences.length > 0 ? null : ((member(body, "data") ?? []) as string[]);
  return { answer: list, malformed: differences, exchanges: [exchange] };
}

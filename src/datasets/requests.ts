/** Defines the documented reads of the log API as values. */
import type { Answered } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import type { LogsOverride, RangeParameters } from "../client/logs.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { Ask } from "../harness/expect.ts";
import type { Scope } from "../harness/scope.ts";
import type { Difference } from "../model/difference.ts";
import type { AnsweredStream } from "../model/log-answer.ts";
import { countEntries } from "../model/logs.ts";
import { listOf, samplesOf, streamsOf } from "./responses.ts";
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
  /** A response to the same request that was received directly before. The read uses this response instead of sending its first request. */
  readonly first?: Answered | undefined;
}

/** The maximum age of a response that replaces a request, in ms. An older response may lack writes that are late. */
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
    const { streams, differences } = streamsOf(exchange, clause);
    if (streams !== null && limit !== undefined) requireWhole(scope, countEntries(streams), limit);
    return { answer: streams, malformed: differences, exchanges: [exchange] };
  };
}

/** Reads the samples of an instant query. */
export function instant(query: string, time: bigint, { override, clause, first, series }: As = {}): Ask<readonly Sample[]> {
  let known = first;
  return async (scope) => {
    const exchange = fresh(known) ?? (await scope.logs.query(query, time, override));
    known = undefined;
    await masked(scope, exchange, { query, time, series });
    const { samples, differences } = samplesOf(exchange, clause);
    return { answer: samples, malformed: differences, exchanges: [exchange] };
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

/** Throws `Inconclusive` for an empty list if the clock of the target is unknown, because a list may look back only some minutes. */
function listed(
  { run }: Scope,
  exchange: Answered,
  endpoint: "logs-4.labels" | "logs-4.label-values",
  clause: ClauseId | undefined,
): { answer: readonly string[] | null; malformed: readonly Difference[]; exchanges: readonly Answered[] } {
  const { list, differences } = listOf(exchange, endpoint, clause);
  if (list?.length === 0 && !run.everyResponse.isClockKnown)
    throw new Inconclusive(
      "a label list is empty, and the Date header of the target differs from the clock of this machine by minutes, so the age of the pushed labels is not known; the document does not say how far back a list looks",
    );
  return { answer: list, malformed: differences, exchanges: [exchange] };
}

/** The documented reads of the log API as values. */
import type { Answered } from "../client/exchange.ts";
import type { LogsOverride, RangeParameters } from "../client/logs.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { Ask } from "../harness/expect.ts";
import type { Difference } from "../model/difference.ts";
import type { AnsweredStream } from "../model/log-answer.ts";
import { listOf, samplesOf, streamsOf } from "./responses.ts";
import { masked } from "./masking.ts";
import type { Sample } from "../model/samples.ts";

/** `clause` is blamed for an answer that is no success or no JSON; the documented endpoint's when absent. */
export interface As {
  readonly override?: LogsOverride | undefined;
  readonly clause?: ClauseId;
  /** How many series the result has: many may be refused. */
  readonly series?: number;
  /** The success that the same request was answered with just before: it stands for the first answer. */
  readonly first?: Answered | undefined;
}

/** How long a response can stand for a read that begins now, in ms. An older response may lack writes that are late. */
const FRESH_MS = 250;

function fresh(exchange: Answered | undefined): Answered | undefined {
  return exchange !== undefined && performance.now() - exchange.endedAt < FRESH_MS ? exchange : undefined;
}

/** The streams of a range query. */
export function range(parameters: RangeParameters, { override, clause, first, series }: As = {}): Ask<readonly AnsweredStream[]> {
  let known = first;
  return async (scope) => {
    const exchange = fresh(known) ?? (await scope.logs.queryRange(parameters, override));
    known = undefined;
    await masked(scope, exchange, { query: parameters.query, window: parameters, series });
    const { streams, differences } = streamsOf(exchange, clause);
    return { answer: streams, malformed: differences, exchanges: [exchange] };
  };
}

/** The samples of an instant query. */
export function instant(query: string, time: bigint, { override, clause, first, series }: As = {}): Ask<readonly Sample[]> {
  let known = first;
  return async (scope) => {
    const exchange = fresh(known) ?? (await scope.logs.query(query, time, override));
    known = undefined;
    await masked(scope, exchange, { query, series });
    const { samples, differences } = samplesOf(exchange, clause);
    return { answer: samples, malformed: differences, exchanges: [exchange] };
  };
}

/** The list of label names. */
export function names({ override, clause }: As = {}): Ask<readonly string[]> {
  return async ({ logs }) => listed(await logs.labels(override), "logs-4.labels", clause);
}

/** The list of a label's values. */
export function values(name: string, { override, clause }: As = {}): Ask<readonly string[]> {
  return async ({ logs }) => listed(await logs.labelValues(name, override), "logs-4.label-values", clause);
}

function listed(
  exchange: Answered,
  endpoint: "logs-4.labels" | "logs-4.label-values",
  clause: ClauseId | undefined,
): { answer: readonly string[] | null; malformed: readonly Difference[]; exchanges: readonly Answered[] } {
  const { list, differences } = listOf(exchange, endpoint, clause);
  return { answer: list, malformed: differences, exchanges: [exchange] };
}

/** Measures the durations of the operations of a run, for its metrics and for the comparison of runs. */
import type { Exchange } from "../client/exchange.ts";

export interface OperationStats {
  readonly service: "admin" | "logs";
  readonly operation: string;
  readonly requests: number;
  /** The number of requests of this operation that got no response. */
  readonly unanswered: number;
  /** The sum of the times from each request to its complete response, in ms. */
  readonly totalMs: number;
  /** The quantiles of the time from a request to its complete response, in ms, or null if no request got a response. */
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
}

/** Returns a quantile of sorted values: with `part` 0.5, the median. Returns null if there are no values. */
export function quantile(sorted: readonly number[], part: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? null;
}

/** Returns the name of an operation without the bracketed words that a check has added to the name. */
export function baseName(operation: string): string {
  return operation.replace(/ ?\(.*$/, "");
}

export class Latencies {
  readonly #known = new Map<string, { service: "admin" | "logs"; operation: string; requests: number; durations: number[] }>();

  note(service: "admin" | "logs", { operation, durationMs, response }: Pick<Exchange, "operation" | "durationMs" | "response">): void {
    const name = baseName(operation);
    const known = this.#known.get(`${service} ${name}`) ?? { service, operation: name, requests: 0, durations: [] };
    this.#known.set(`${service} ${name}`, known);
    known.requests += 1;
    if (response !== null) known.durations.push(durationMs);
  }

  /** Returns the statistics of all operations, ordered by service and operation. */
  stats(): OperationStats[] {
    return [...this.#known.entries()]
      .toSorted(([one], [other]) => one.localeCompare(other, "en"))
      .map(([, { service, operation, requests, durations }]) => {
        const sorted = durations.toSorted((one, other) => one - other);
        const at = (part: number): number | null => {
          const value = quantile(sorted, part);
          return value === null ? null : Math.round(value * 10) / 10;
        };
        const totalMs = Math.round(durations.reduce((sum, ms) => sum + ms, 0) * 10) / 10;
        const unanswered = requests - durations.length;
        return { service, operation, requests, unanswered, totalMs, p50: at(0.5), p90: at(0.9), p99: at(0.99) };
      });
  }
}

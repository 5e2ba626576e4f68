/** Estimates how many more requests the checks of a run need. The estimate assumes that retries will be as frequent as so far. */
import type { Exchange } from "../client/exchange.ts";
import type { Service } from "../contract/clause.ts";
import type { Check } from "./check.ts";
import type { Progress } from "./scope.ts";

/** After this number of requests to a service, its share of additional requests is reliable enough for an estimate. */
const FEW = 150;

/** The average number of further requests after a failed request. It is above 1, because a repeat may fail too. */
const REPEATS = 1.3;

/** The number of requests that are reserved for the last checks, because an estimate may be too low. */
const RESERVE = 40;

export class Forecast {
  /** The checks that have not ended, each with the number of requests that it has sent or skipped. */
  readonly #running: Map<Check, Progress>;
  readonly #cost: (check: Check) => number;
  readonly #additional: (service: Service) => number;
  /** The share of all planned requests that each service needs. */
  readonly #share = { admin: 0, logs: 0 };
  readonly #sent = { admin: 0, logs: 0 };
  readonly #failed = { admin: 0, logs: 0 };

  /**
   * `cost` returns the number of requests that a check sends if no request is repeated. `additional` returns how many requests beyond these
   * costs a service has needed so far. Repeats of failed requests are not counted.
   */
  constructor(checks: readonly Check[], cost: (check: Check) => number, additional: (service: Service) => number) {
    this.#running = new Map(checks.map((check) => [check, { requests: 0 }]));
    this.#cost = cost;
    const total = checks.reduce((sum, check) => sum + cost(check), 0);
    for (const check of checks) this.#share[check.service] += cost(check) / total;
    this.#additional = additional;
  }

  started(check: Check, progress: Progress): void {
    if (this.#running.has(check)) this.#running.set(check, progress);
  }

  ended(check: Check): void {
    this.#running.delete(check);
  }

  answered(service: Service, { response }: Exchange): void {
    this.#sent[service] += 1;
    const status = response?.status ?? 503;
    if (status === 429 || status >= 500) this.#failed[service] += 1;
  }

  /** The number of requests that all checks together still need, with a reserve. */
  get remaining(): number {
    const factors = { admin: this.#factor("admin"), logs: this.#factor("logs") };
    const needs = [...this.#running].map(([check, { requests }]) => this.#cost(check) * factors[check.service] - requests);
    return needs.reduce((sum, need) => sum + Math.max(0, need), RESERVE);
  }

  /**
   * The number of requests that `service` must leave for the other service. It is 0 until the service has sent its share of `most`. So a
   * service with many defects, whose checks send more requests, does not leave the other service without a verdict.
   */
  keptFrom(service: Service, most: number): number {
    const other = service === "admin" ? "logs" : "admin";
    if (this.#sent[service] < most * this.#share[service]) return 0;
    let needs = 0;
    for (const [check, { requests }] of this.#running) if (check.service === other) needs += Math.max(0, this.#cost(check) - requests);
    return Math.max(0, Math.min(needs, most * this.#share[other] - this.#sent[other]));
  }

  /** The number of requests that this target needs, divided by the number that it would need without repeats. */
  #factor(service: Service): number {
    const [sent, failed, others] = [this.#sent[service], this.#failed[service], this.#additional(service)];
    return 1 + (REPEATS * failed + others) / Math.max(FEW, sent - failed - others);
  }
}

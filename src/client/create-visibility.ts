/**
 * Instances that no read has shown yet, or only some replicas show. The document does not show how a service answers a read of an unknown
 * instance, so 403 is possible, and it may take time until a created instance is known everywhere. A 403 to such a read is therefore
 * repeated until SETTLE_TIMEOUT_MS is over. After a 403 stayed, the credentials probably may not read, and the run waits for no other.
 */
import { type Exchange, isAnswered, isSuccess } from "./exchange.ts";

const FORBIDDEN = 403;

export class CreateVisibility {
  readonly #settleTimeoutMs: number;
  /** When a read first showed an instance, `performance.now()`, by name. */
  readonly #shownAt = new Map<string, number>();
  #stayed = false;

  constructor(settleTimeoutMs: number) {
    this.#settleTimeoutMs = settleTimeoutMs;
  }

  /** Whether a read of `name` is worth another attempt. Notes what the response shows. */
  mayPass(name: string, exchange: Exchange): boolean {
    if (!isAnswered(exchange)) return false;
    const shownAt = this.#shownAt.get(name);
    if (shownAt === undefined && isSuccess(exchange)) this.#shownAt.set(name, exchange.endedAt);
    const isKnown = shownAt !== undefined && exchange.endedAt - shownAt > this.#settleTimeoutMs;
    return exchange.response.status === FORBIDDEN && !this.#stayed && !isKnown;
  }

  /** Notes that waiting did not help. */
  stayed(): void {
    this.#stayed = true;
  }
}

/**
 * Instances that no read has shown yet, or only some replicas show. What a service answers where it does not know an instance is not
 * shown, 403 may be it, and one that was just created may take its time to be known everywhere. So 403 to such a read is asked again
 * while the time for settling lasts; where it stayed, the credentials may read nothing, and no other is waited for.
 */
import { type Exchange, isAnswered, isSuccess } from "./exchange.ts";

const FORBIDDEN = 403;

export class Unshown {
  readonly #settleTimeoutMs: number;
  /** When a read showed an instance first, `performance.now()`, by name. */
  readonly #shownAt = new Map<string, number>();
  #stayed = false;

  constructor(settleTimeoutMs: number) {
    this.#settleTimeoutMs = settleTimeoutMs;
  }

  /** Whether the answer to a read of `name` is worth another attempt; notes what it shows. */
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

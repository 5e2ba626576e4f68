/**
 * Remembers which instances a read has shown. Some services answer 403 for an instance that they do not know, for example on a slow
 * replica. So if a read of a new instance gets 403, it is repeated until SETTLE_TIMEOUT_MS. If all repeats are answered 403, the
 * credentials probably permit no reads, and later reads are not repeated.
 */
import { type Exchange, isAnswered, isSuccess } from "./exchange.ts";

const FORBIDDEN = 403;

export class CreateVisibility {
  readonly #settleTimeoutMs: number;
  /** For each instance, by name, the time (`performance.now()`) at which a read first showed the instance. */
  readonly #shownAt = new Map<string, number>();
  #stayed = false;

  constructor(settleTimeoutMs: number) {
    this.#settleTimeoutMs = settleTimeoutMs;
  }

  /** Whether a read of the instance `name` is worth another attempt. Also records whether the response shows the instance. */
  mayPass(name: string, exchange: Exchange): boolean {
    if (!isAnswered(exchange)) return false;
    const shownAt = this.#shownAt.get(name);
    if (shownAt === undefined && isSuccess(exchange)) this.#shownAt.set(name, exchange.endedAt);
    const isKnown = shownAt !== undefined && exchange.endedAt - shownAt > this.#settleTimeoutMs;
    return exchange.response.status === FORBIDDEN && !this.#stayed && !isKnown;
  }

  /** Records that a read was still answered 403 after SETTLE_TIMEOUT_MS. */
  stayed(): void {
    this.#stayed = true;
  }
}

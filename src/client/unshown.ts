/**
 * Instances that no read has shown yet. What a service answers where it does not know an instance is not shown, 403 may be it, and one
 * that was just created may take its time to be known. So 403 to such a read is asked again while the time for settling lasts; where it
 * stayed, the credentials may read nothing, and no other is waited for.
 */
import { type Exchange, isAnswered, isSuccess } from "./exchange.ts";

const FORBIDDEN = 403;

export class Unshown {
  readonly #shown = new Set<string>();
  #stayed = false;

  /** Whether the answer to a read of `name` is worth another attempt; notes what it shows. */
  mayPass(name: string, exchange: Exchange): boolean {
    if (!isAnswered(exchange)) return false;
    if (isSuccess(exchange)) this.#shown.add(name);
    return exchange.response.status === FORBIDDEN && !this.#stayed && !this.#shown.has(name);
  }

  /** Notes that waiting did not help. */
  stayed(): void {
    this.#stayed = true;
  }
}

/** Counts what the documented requests of a service were answered, by operation; the authentication clauses judge it. */
import { type Answered, type Exchange, isAnswered, isSeeOther, isSuccess } from "./exchange.ts";
import { Inconclusive } from "./inconclusive.ts";

export interface OperationTally {
  succeeded: number;
  /** Refusals of the credentials: every 401, and a 403 to a read that was answered with success before. */
  denied: number;
  /** The first of them, as evidence. */
  firstDenial: Answered | null;
  /** The first 403, which may be for what was asked and not for who asked. */
  firstForbidden: Answered | null;
  firstSuccess: Answered | null;
}

/** How many of the latest reads answered with success are remembered. */
const REMEMBERED = 512;

export class CredentialTally {
  readonly #operations = new Map<string, OperationTally>();
  /** Addresses of the latest reads that were answered with success, the oldest first. */
  readonly #taken = new Set<string>();

  get operations(): ReadonlyMap<string, Readonly<OperationTally>> {
    return this.#operations;
  }

  /** How many documented requests were answered with success. */
  get successes(): number {
    return [...this.#operations.values()].reduce((sum, { succeeded }) => sum + succeeded, 0);
  }

  /** Counts the answer to a documented request with the configured credentials. */
  count(exchange: Exchange): void {
    const tally = this.#tallyOf(exchange);
    const { method, url } = exchange.request;
    if (isAnswered(exchange) && isSuccess(exchange)) {
      tally.succeeded += 1;
      tally.firstSuccess ??= exchange;
      if (method === "GET") this.#take(url);
    } else if (isDenied(exchange)) {
      if (exchange.response.status === 401) deny(tally, exchange);
      else {
        tally.firstForbidden ??= exchange;
        if (method === "GET" && this.#taken.has(url)) deny(tally, exchange);
      }
    }
  }

  #tallyOf({ operation }: Exchange): OperationTally {
    const known = this.#operations.get(operation);
    if (known !== undefined) return known;
    const fresh: OperationTally = { succeeded: 0, denied: 0, firstDenial: null, firstForbidden: null, firstSuccess: null };
    this.#operations.set(operation, fresh);
    return fresh;
  }

  #take(url: string): void {
    this.#taken.delete(url);
    this.#taken.add(url);
    for (const oldest of this.#taken) {
      if (this.#taken.size <= REMEMBERED) break;
      this.#taken.delete(oldest);
    }
  }
}

function deny(tally: OperationTally, exchange: Answered): void {
  tally.denied += 1;
  tally.firstDenial ??= exchange;
}

/** Whether the credentials were refused (401 or 403). */
export function isDenied(exchange: Exchange): exchange is Answered {
  return exchange.response !== null && (exchange.response.status === 401 || exchange.response.status === 403);
}

/**
 * Counts a documented request's answer and throws `Inconclusive` where it says nothing about the contract: refused
 * credentials (which token may do what is not shown) and redirects, which are not followed.
 */
export function documented<E extends Exchange>(exchange: E, tally: CredentialTally): E {
  tally.count(exchange);
  if (isDenied(exchange)) {
    throw new Inconclusive(
      `${exchange.operation} was answered ${exchange.response.status}: does the token exist, and may it do this? (which token may do what is not shown)`,
    );
  }
  const status = exchange.response?.status ?? 0;
  // Nothing was asked for on a condition, and 304 leads nowhere else.
  if (status >= 300 && status < 400 && status !== 304 && !isSeeOther(exchange)) {
    throw new Inconclusive(
      `${exchange.operation} was answered ${status}, a redirect to ${exchange.response?.headers["location"] ?? "nowhere"}: not followed, is the base URL right?`,
    );
  }
  return exchange;
}

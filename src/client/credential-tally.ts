/** Counts what the documented requests of a service were answered, by operation; the authentication clauses judge it. */
import { type Answered, type Exchange, isAnswered, isSuccess } from "./exchange.ts";
import { Inconclusive } from "./inconclusive.ts";

export interface OperationTally {
  succeeded: number;
  denied: number;
  /** The first refusal of credentials, as evidence. */
  firstDenial: Answered | null;
  firstSuccess: Answered | null;
}

export class CredentialTally {
  readonly #operations = new Map<string, OperationTally>();

  get operations(): ReadonlyMap<string, Readonly<OperationTally>> {
    return this.#operations;
  }

  /** How many documented requests were answered with success. */
  get successes(): number {
    return [...this.#operations.values()].reduce((sum, { succeeded }) => sum + succeeded, 0);
  }

  /** Counts the answer to a documented request with the configured credentials. */
  count(exchange: Exchange): void {
    const tally = this.#operations.get(exchange.operation) ?? { succeeded: 0, denied: 0, firstDenial: null, firstSuccess: null };
    this.#operations.set(exchange.operation, tally);
    if (isAnswered(exchange) && isSuccess(exchange)) {
      tally.succeeded += 1;
      tally.firstSuccess ??= exchange;
    } else if (isDenied(exchange)) {
      tally.denied += 1;
      tally.firstDenial ??= exchange;
    }
  }
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
  if (status >= 300 && status < 400) {
    throw new Inconclusive(
      `${exchange.operation} was answered ${status}, a redirect to ${exchange.response?.headers["location"] ?? "nowhere"}: not followed, is the base URL right?`,
    );
  }
  return exchange;
}

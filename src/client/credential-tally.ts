/** Counts the responses to documented requests by operation, for the checks of the authentication clauses. */
import { type Answered, type Exchange, isAnswered, isSeeOther, isSuccess } from "./exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { Inconclusive, Masked } from "./inconclusive.ts";

export interface OperationTally {
  succeeded: number;
  /** The number of refusals of the credentials: each 401, and each 403 to a read that succeeded before. */
  denied: number;
  firstDenial: Answered | null;
  /** The exchange with the first 403. The service may have refused the input of the request, and not its credentials. */
  firstForbidden: Answered | null;
  firstSuccess: Answered | null;
  forbiddenInARow: number;
}

/** The maximum number of successful reads whose URLs are remembered. */
const REMEMBERED = 512;

export class CredentialTally {
  readonly #operations = new Map<string, OperationTally>();
  /** The URLs of the latest successful reads, oldest first. */
  readonly #taken = new Set<string>();

  get operations(): ReadonlyMap<string, Readonly<OperationTally>> {
    return this.#operations;
  }

  get successes(): number {
    return [...this.#operations.values()].reduce((sum, { succeeded }) => sum + succeeded, 0);
  }

  /** Counts the response to a documented request with the configured credentials. */
  count(exchange: Exchange): void {
    const tally = this.#tallyOf(exchange);
    const { method, url } = exchange.request;
    if (isAnswered(exchange)) tally.forbiddenInARow = exchange.response.status === 403 ? tally.forbiddenInARow + 1 : 0;
    if (isAnswered(exchange) && isSuccess(exchange)) {
      tally.succeeded += 1;
      tally.firstSuccess ??= exchange;
      if (method === "GET") this.#take(url);
    } else if (isDenied(exchange)) {
      const isForbidden = exchange.response.status === 403;
      if (isForbidden) tally.firstForbidden ??= exchange;
      if (isForbidden && !(method === "GET" && this.#taken.has(url))) return;
      tally.denied += 1;
      tally.firstDenial ??= exchange;
    }
  }

  #tallyOf({ operation }: Exchange): OperationTally {
    const first = { firstDenial: null, firstForbidden: null, firstSuccess: null };
    const tally = this.#operations.get(operation) ?? { succeeded: 0, denied: 0, ...first, forbiddenInARow: 0 };
    this.#operations.set(operation, tally);
    return tally;
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

/** Whether the credentials were refused (401 or 403). */
export function isDenied(exchange: Exchange): exchange is Answered {
  return exchange.response !== null && (exchange.response.status === 401 || exchange.response.status === 403);
}

/** The clause of each documented operation. */
export const OPERATION_CLAUSES = {
  "create instance": "admin-4.POST",
  "read instance": "admin-4.GET",
  "update instance": "admin-4.PUT",
  push: "logs-4.push",
  query_range: "logs-4.query_range",
  query: "logs-4.query",
  labels: "logs-4.labels",
  "label values": "logs-4.label-values",
} as const satisfies Record<string, ClauseId>;

/** Returns the error for a 403 if the operation succeeded with other inputs. A quota or a gateway may be the reason. */
export function inputForbidden(exchange: Exchange): Masked {
  const operation = exchange.operation.replace(/ \(.*$/, "");
  const clauses: Readonly<Record<string, ClauseId>> = OPERATION_CLAUSES;
  return new Masked(
    clauses[operation] ?? "admin-4.GET",
    `some inputs of ${operation}, for example because of a quota or of a rule of a gateway`,
    exchange,
  );
}

/**
 * Counts the response to a documented request. Throws `Masked` for a 403 if the operation succeeded before with the same credentials.
 * Throws `Inconclusive` for refused credentials, and for a redirect, which is not followed.
 */
export function documented<E extends Exchange>(exchange: E, tally: CredentialTally): E {
  tally.count(exchange);
  const { operation } = exchange;
  const status = exchange.response?.status ?? 0;
  const succeeded = tally.operations.get(operation)?.succeeded ?? 0;
  if (status === 403 && succeeded > 0) throw inputForbidden(exchange);
  if (status === 403)
    throw new Inconclusive(
      `this token may not ${operation}: each attempt was answered 403 (the documents do not define token permissions)`,
    );
  if (isDenied(exchange)) throw new Inconclusive(`${operation} was answered 401: does the token exist, and is the tenant right?`);
  // The status 304 is not a redirect, so a response with 304 is treated like other responses.
  if (status >= 300 && status < 400 && status !== 304 && !isSeeOther(exchange)) {
    throw new Inconclusive(
      `${operation} was answered ${status}, a redirect to ${exchange.response?.headers["location"] ?? "nowhere"}; the suite does not follow redirects; is the base URL right?`,
    );
  }
  return exchange;
}

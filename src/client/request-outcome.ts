/** Says how an attempt at a request ended: with a response, with an error, or possibly with a refusal. */
import { grouped } from "../model/grouped.ts";
import type { Exchange } from "./exchange.ts";
import { HOPELESS, errorText, Inconclusive } from "./inconclusive.ts";

/** The text with which the error of a request begins if the request timed out. */
export const HUNG = "no complete answer within";

export function isHopeless(exchange: Exchange): boolean {
  return exchange.error !== null && HOPELESS.test(exchange.error);
}

/** Throws `Inconclusive` for an unknown host or a bad certificate. The run then sends no further request to the service. */
export function reachable<E extends Exchange>(exchange: E): E {
  if (isHopeless(exchange)) throw new Inconclusive(`${exchange.operation} was not answered: ${outcomeOf(exchange)}`);
  return exchange;
}

/** Whether the connection was never made, so that the target cannot have seen the request. */
export function wasNeverSent(exchange: Exchange): boolean {
  return isHopeless(exchange) || /ECONNREFUSED/.test(exchange.error ?? "");
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return errorText(error);
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(reasonOf).join("; ");
  const code = "code" in error && typeof error.code === "string" ? `${error.code}: ` : "";
  const text = `${code}${error.message}`;
  if (/certificate|CERT_|UNABLE_TO_VERIFY/i.test(text)) {
    return `${text} (TLS_CA_FILE verifies against your own CA bundle, TLS_INSECURE=true skips verification)`;
  }
  return text;
}

/** Matches the beginning of an error that says that the connection was closed before any part of a response arrived. */
export const HUNG_UP = /^(?:UND_ERR_SOCKET: other side closed|ECONNRESET: )/;

/** In ms. If a connection is closed after more than this time, the reason may be a timeout of a gateway. */
const SOON_MS = 1_000;

/** The status of a service that is overloaded or down at the moment (RFC 9110, section 15.6.4). */
const UNAVAILABLE = 503;

/**
 * Whether the target may have refused the request: with a 5xx other than 503, or by closing the connection at once. A 503 is no refusal: a
 * service may not have enough resources for a valid request.
 */
export function isRefusal({ response, error, durationMs }: Exchange): boolean {
  if (response !== null) return response.status >= 500 && response.status !== UNAVAILABLE;
  return durationMs < SOON_MS && HUNG_UP.test(error ?? "");
}

/** Returns the outcome of an attempt in a few words, such as its status or its error. */
export function outcomeOf(exchange: Exchange): string {
  const { response, error } = exchange;
  if (response !== null) return `status ${response.status}`;
  return error !== null && HUNG_UP.test(error)
    ? `no response, because the target closed the connection (${error})`
    : (error ?? "no answer");
}

/** Returns each different outcome once, with its number of attempts. */
export function outcomesText(outcomes: readonly string[]): string {
  return [...grouped(outcomes, (outcome) => outcome)]
    .map(([outcome, { length }]) => (length === 1 ? outcome : `${outcome} (${length} times)`))
    .join(", then ");
}

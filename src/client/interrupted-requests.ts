/** Records the requests that were in flight when a service stopped answering. Each request in flight may have crashed the service. */
import { toBeCut } from "../model/cut.ts";
import { visible } from "../model/difference.ts";
import type { Exchange, ExchangeRequest } from "./exchange.ts";

/** The part of a request by which a message names it. */
type Asked = Pick<ExchangeRequest, "method" | "url">;

/** The maximum number of requests that a message names, and the maximum number of characters of each name. */
const NAMED = 2;
const SHOWN_CHARACTERS = 120;

/** The beginning of the error of a request whose connection was open and broke. */
const BROKEN = /^(?:the response was cut off: |UND_ERR_SOCKET: |ECONNRESET: |EPIPE: )/;

export class InterruptedRequests {
  readonly #underWay = new Set<Asked>();
  /** The requests in flight when the first connection broke, since the last response. */
  #cutOff: readonly Asked[] | null = null;

  /** Sends a request, and records its outcome. */
  async watched<E extends Exchange>(asked: Asked, send: () => Promise<E>): Promise<E> {
    this.#underWay.add(asked);
    try {
      const exchange = await send();
      if (exchange.response !== null) this.#cutOff = null;
      else if (BROKEN.test(exchange.error ?? "")) this.#cutOff ??= [...this.#underWay];
      return exchange;
    } finally {
      this.#underWay.delete(asked);
    }
  }

  /**
   * The requests that were in flight when the service stopped answering, as the end of a sentence. Empty if the service has answered since,
   * or if no connection broke.
   */
  get text(): string {
    if (this.#cutOff === null) return "";
    const alike = [...new Set(this.#cutOff.map(shown))];
    const named = alike.slice(0, NAMED);
    const more = alike.length - named.length;
    return `; the target closed the connection after ${named.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
  }
}

function shown({ method, url }: Asked): string {
  const { pathname, searchParams } = new URL(url);
  const parameters = [...searchParams].map(([name, value]) => `${name}=${value}`);
  return toBeCut(visible([method, pathname, ...parameters].join(" ")), SHOWN_CHARACTERS);
}

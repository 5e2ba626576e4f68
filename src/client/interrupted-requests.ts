/** Records the requests that were in flight when a service stopped answering. Each of them may have crashed the service. */
import { toBeCut } from "../model/cut.ts";
import { visible } from "../model/difference.ts";
import type { Exchange, ExchangeRequest } from "./exchange.ts";

type Asked = Pick<ExchangeRequest, "method" | "url">;

/** A message names at most this number of requests, and shows at most this number of characters of each. */
const NAMED = 2;
const SHOWN_CHARACTERS = 120;

/** Matches the beginning of the error of a request whose open connection broke. */
const BROKEN = /^(?:the response was cut off: |UND_ERR_SOCKET: |ECONNRESET: |EPIPE: )/;

export class InterruptedRequests {
  readonly #underWay = new Set<Asked>();
  /** The requests in flight at the first broken connection since the last response. */
  #cutOff: readonly Asked[] | null = null;

  /** Sends a request, and records whether a response arrived or the connection broke. */
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

  /** The end of a message: the requests that were in flight when the service stopped answering. Empty if there are none. */
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

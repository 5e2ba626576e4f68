/** What a service was asked when it went away: a request that it does not survive is among those. */
import { toBeCut } from "../model/cut.ts";
import { visible } from "../model/difference.ts";
import type { Exchange, ExchangeRequest } from "./exchange.ts";

/** As much of a request as tells it from others. */
type Asked = Pick<ExchangeRequest, "method" | "url">;

/** How many requests are named, and how much of each. */
const NAMED = 2;
const SHOWN_CHARACTERS = 120;

/** How the error begins of a request whose connection was there and broke. */
const BROKEN = /^(?:the response was cut off: |UND_ERR_SOCKET: |ECONNRESET: |EPIPE: )/;

export class Departure {
  readonly #underWay = new Set<Asked>();
  /** Those under way when the first connection broke, since the last answer. */
  #cutOff: readonly Asked[] | null = null;

  /** Sends a request, and notes what came of it. */
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

  /** What it was asked when it went away, as the end of a sentence; empty where it has answered since, or broke no connection off. */
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

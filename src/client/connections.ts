/**
 * Connections to one service. They are kept and used again, as a service that closes idle ones usually says; where requests were lost on
 * connections that were closed without a word, first what must not be sent twice and then everything gets a connection of its own.
 */
import { Agent, type Dispatcher, ProxyAgent } from "undici";
import type { TransportSettings } from "../settings/types.ts";
import type { Proxy } from "./proxy.ts";

/** One may be a matter of that request; so many are how this service treats its connections. What only reads is sent again otherwise. */
const MOST_LOST = { writes: 2, reads: 10 };

const READS = new Set(["GET", "HEAD"]);

export class Connections {
  readonly #kept: Dispatcher;
  readonly #own: Dispatcher;
  #lost = 0;

  constructor(settings: TransportSettings, proxy: Proxy | null) {
    const tls = { rejectUnauthorized: !settings.tlsInsecure, ...(settings.tlsCa === null ? {} : { ca: settings.tlsCa }) };
    const options = {
      connections: settings.concurrency,
      headersTimeout: settings.requestTimeoutMs,
      bodyTimeout: settings.requestTimeoutMs,
      connect: { ...tls, timeout: settings.requestTimeoutMs },
    };
    const agent = (pipelining: number): Dispatcher =>
      proxy === null
        ? new Agent({ ...options, pipelining })
        : new ProxyAgent({ ...options, pipelining, uri: proxy.url, proxyTunnel: proxy.tunnel, requestTls: tls });
    this.#kept = agent(1);
    // Of no requests at once a connection is not kept.
    this.#own = agent(0);
  }

  for(method: string): Dispatcher {
    return this.#lost < MOST_LOST[READS.has(method) ? "reads" : "writes"] ? this.#kept : this.#own;
  }

  /** Notes that a request was sent and its connection closed before anything of an answer came. */
  noteLost(): void {
    this.#lost += 1;
  }

  async close(): Promise<void> {
    await Promise.all([this.#kept.destroy(), this.#own.destroy()]);
  }
}

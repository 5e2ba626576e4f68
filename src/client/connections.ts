/**
 * Keeps connections open for later requests. If a service closes an idle connection at the moment when a request is sent, the request is
 * lost. After some lost requests, each write gets a new connection. After more lost requests, every request does.
 */
import { Agent, type Dispatcher, ProxyAgent } from "undici";
import type { TransportSettings } from "../settings/types.ts";
import type { Proxy } from "./proxy.ts";

/**
 * After this number of lost requests, each write (or each read) gets a new connection. A single loss may be a coincidence. The number for
 * reads is higher, because a lost read is simply repeated.
 */
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
    // If `pipelining` is 0, undici closes each connection after its response.
    this.#own = agent(0);
  }

  for(method: string): Dispatcher {
    return this.#lost < MOST_LOST[READS.has(method) ? "reads" : "writes"] ? this.#kept : this.#own;
  }

  /** Records that a request was sent, and that its connection was closed before any part of a response arrived. */
  noteLost(): void {
    this.#lost += 1;
  }

  async close(): Promise<void> {
    await Promise.all([this.#kept.destroy(), this.#own.destroy()]);
  }
}

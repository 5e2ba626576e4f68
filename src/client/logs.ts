/** Sends the documented requests of the log API. Times are BigInt nanoseconds, and are sent as text. */
import { isObject, member, parsed } from "../model/json.ts";
import type { Direction, Labels, Stream } from "../model/logs.ts";
import type { LogsTarget } from "../settings/types.ts";
import type { Recorder } from "./admin.ts";
import { basic, lowerCased, printedExtras } from "./credentials.ts";
import { type Answered, type Exchange, isAnswered, isPassing, isSuccess, printedBasic, statusOf } from "./exchange.ts";
import { Inconclusive, unanswered } from "./inconclusive.ts";
import { documented } from "./credential-tally.ts";
import type { LogRead, Subject } from "./subject.ts";
import { requireWellFormed } from "./well-formed.ts";
import type { PushPace } from "./push-pace.ts";
import { lineBytes, type PushSizes } from "./push-parts.ts";
import type { StreamQuota } from "./stream-quota.ts";
import { COMPRESSED, IN_CHUNKS } from "./bodies.ts";
import { type Call, type Transport } from "./transport.ts";
import { outcomeOf, reachable, wasNeverSent } from "./request-outcome.ts";

export interface LogsSession {
  readonly transport: Transport;
  readonly target: LogsTarget;
  readonly extraHeaders: Readonly<Record<string, string>>;
  readonly sizes: PushSizes;
  readonly pace: PushPace;
  readonly quota: StreamQuota;
  /** The priority of the requests of this session. */
  readonly urgency: number;
}

export interface RangeParameters {
  readonly query: string;
  readonly start: bigint;
  readonly end: bigint;
  readonly limit?: number;
  readonly direction?: Direction;
}

/** The parts of a request that are not as configured, for checks of tenants, authentication and compression. */
export interface LogsOverride {
  /** The value of X-Scope-OrgID in place of the configured tenant. If it is null, this header is not sent. */
  readonly tenant?: string | null;
  /** The Basic credentials in place of the configured ones. If null, the request has no Authorization header. */
  readonly credentials?: { readonly user: string; readonly token: string; readonly printed: string } | null;
  /** True if the request says that its response may be compressed. */
  readonly compressed?: true;
  /** True if the body of the request is sent in chunks. */
  readonly chunked?: true;
}

/** The maximum number of attempts at a refused or unanswered push. Each attempt uses new streams. */
const MOST_PUSHES = 12;
/** The maximum number of attempts at a list of pushes if there are 429s. After each 429, the whole list is pushed again. */
const MOST_PUSHES_WHEN_LIMITED = 20;

const NO_MORE_STREAMS = "every push was answered 429, also after long waits; the stream quota is probably used up";

export class LogsClient {
  readonly #session: LogsSession;
  readonly #record: Recorder;

  constructor(session: LogsSession, record: Recorder) {
    this.#session = session;
    this.#record = record;
  }

  /** Sends GET query_range, and repeats the request while the service cannot answer. */
  async queryRange(parameters: RangeParameters, override?: LogsOverride): Promise<Answered> {
    return this.#queryRange(rangeText(parameters), override);
  }

  /** Sends GET query_range like `queryRange`, with the parameters in the order `order`. A parameter that is not in `order` is left out. */
  async queryRangeInOrder(parameters: RangeParameters, order: readonly (keyof RangeParameters)[]): Promise<Answered> {
    const text = rangeText(parameters);
    return this.#queryRange(Object.fromEntries(order.flatMap((name) => (text[name] === undefined ? [] : [[name, text[name]]]))));
  }

  async #queryRange(text: Readonly<Record<string, string>>, override?: LogsOverride): Promise<Answered> {
    requireWellFormed("query_range", text);
    return this.#read("query_range", "query_range", text, override);
  }

  /** Sends GET query (instant), and repeats the request while the service cannot answer. */
  async query(query: string, time: bigint, override?: LogsOverride): Promise<Answered> {
    const text = { query, time: time.toString() };
    requireWellFormed("query", text);
    return this.#read("query", "query", text, override);
  }

  async labels(override?: LogsOverride): Promise<Answered> {
    return this.#read("labels", "labels", {}, override);
  }

  async labelValues(name: string, override?: LogsOverride): Promise<Answered> {
    requireWellFormed("label values", { name });
    return this.#read("label values", `label/${encodeURIComponent(name)}/values`, {}, override, name);
  }

  /** Sends POST push once. The caller judges the response. Throws `Inconclusive` for 401, 403 and 3xx. */
  async push(streams: readonly Stream[], override?: LogsOverride): Promise<Exchange> {
    const { transport, quota } = this.#session;
    const body = pushOf(streams);
    const bytes = lineBytes(streams);
    transport.budget.takePushBytes(bytes);
    requireWellFormed("push", body);
    const subject = { kind: "push", tenant: this.#tenantOf(override), sent: streams } as const;
    const call = this.#call(asTenant("push", override), "POST", "push", {}, override, JSON.stringify(body), subject);
    const exchange = await transport.once({ ...call, asksNoRest: quota.isMet }, this.#record);
    if (isSuccess(exchange)) quota.taken();
    else if (statusOf(exchange) === 429) quota.refused(performance.now());
    const status = statusOf(exchange);
    // The bytes of a refused push do not count, because the service has stored little or nothing. A 503 also counts as a refusal, because
    // some gateways limit the rate of requests with 503.
    if (wasNeverSent(exchange) || (status >= 400 && status < 500) || status === 503) transport.budget.returnPushBytes(bytes);
    return documented(reachable(exchange), transport.tally);
  }

  /**
   * Pushes a list of bodies in order. A body that is too large (413) is pushed in parts. After 429, 5xx or no response, the whole list is
   * pushed again into new streams, which `bodies` makes for each attempt. Returns the number of the last attempt, and its exchanges. If the
   * service finally refused a push, the last exchange shows the refusal.
   */
  async store(
    bodies: (attempt: number) => readonly (readonly Stream[])[],
    override?: LogsOverride,
  ): Promise<{ attempt: number; exchanges: Answered[] }> {
    const { transport, sizes, pace, quota } = this.#session;
    const failures: string[] = [];
    let patience = MOST_PUSHES;
    for (let attempt = 0; attempt < patience; attempt += 1) {
      if (attempt > 0) await transport.budget.pause(transport.pauseAfter(attempt - 1));
      if (!quota.letsThrough(performance.now())) throw new Inconclusive(NO_MORE_STREAMS);
      const exchanges: Answered[] = [];
      let failed = false;
      const left: (readonly Stream[])[] = [...bodies(attempt)];
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const { body, exchange } = await this.#pushed(next, left, override);
        if (statusOf(exchange) === 429) {
          if (quota.isMet) throw new Inconclusive(NO_MORE_STREAMS);
          patience = MOST_PUSHES_WHEN_LIMITED;
          pace.limited(performance.now());
        }
        if (statusOf(exchange) === 413 && sizes.parts(body).length > 1) {
          left.unshift(body);
          continue;
        }
        if (!isAnswered(exchange) || isPassing(exchange.response.status)) {
          failures.push(outcomeOf(exchange));
          failed = true;
          break;
        }
        exchanges.push(exchange);
        if (!isSuccess(exchange)) break;
        pace.taken(lineBytes(body), performance.now());
      }
      if (!failed) return { attempt, exchanges };
    }
    throw new Inconclusive(`push was not answered in ${failures.length} attempts: ${transport.outcomes(failures)}`);
  }

  /** Whether the service has refused pushes of this size. If so, `store` would push these streams in parts. */
  isTooLarge(streams: readonly Stream[]): boolean {
    return this.#session.sizes.parts(streams).length > 1;
  }

  /** Pushes a body. If bodies of this size are refused, pushes its first part, and puts the other parts at the start of `left`. */
  async #pushed(
    next: readonly Stream[],
    left: (readonly Stream[])[],
    override: LogsOverride | undefined,
  ): Promise<{ readonly body: readonly Stream[]; readonly exchange: Exchange }> {
    const { transport, sizes, pace } = this.#session;
    const end = await sizes.turn(next);
    try {
      const [body, ...rest] = sizes.parts(next);
      left.unshift(...rest);
      // A push waits until the pause after a 429 ends, and then for its turn. Without the second wait, all waiting pushes would be sent at
      // once when the pause ends.
      await transport.rested();
      const waitMs = pace.waitMs(lineBytes(body), performance.now());
      if (waitMs > 0) await transport.budget.pause(waitMs);
      const exchange = await this.push(body, override);
      sizes.answered(body, statusOf(exchange));
      return { body, exchange };
    } finally {
      end();
    }
  }

  /** Sends any GET unchanged. The credential tally does not count this request, and a 5xx is returned like any other response. */
  async probe(operation: string, path: string, parameters: Readonly<Record<string, string>>, override?: LogsOverride): Promise<Answered> {
    return this.#session.transport.probed(this.#call(operation, "GET", path, parameters, override), this.#record);
  }

  /** Sends any push body unchanged and only once. The credential tally does not count this request. */
  async probePush(operation: string, body: string, override?: LogsOverride): Promise<Answered> {
    this.#session.transport.budget.takeBytesAside(Buffer.byteLength(body));
    const subject = { kind: "push", tenant: this.#tenantOf(override), sent: streamsIn(body) ?? body } as const;
    return this.#probeOnce(this.#call(operation, "POST", "push", {}, override, body, subject));
  }

  /** Sends a range query unchanged and once, without the credential tally. A 429 is returned like any other response. */
  async probeRange(operation: string, parameters: RangeParameters): Promise<Answered> {
    return this.#probeOnce(this.#call(operation, "GET", "query_range", rangeText(parameters)));
  }

  async #probeOnce(call: Call): Promise<Answered> {
    const exchange = await this.#session.transport.once({ ...call, unpaced: true }, this.#record);
    if (!isAnswered(exchange)) throw unanswered(call.operation, outcomeOf(exchange));
    return exchange;
  }

  async #read(
    operation: LogRead["kind"],
    path: string,
    parameters: Readonly<Record<string, string>>,
    override?: LogsOverride,
    name?: string,
  ): Promise<Answered> {
    const { transport } = this.#session;
    const { query } = parameters;
    const subject: LogRead = {
      kind: operation,
      tenant: this.#tenantOf(override),
      ...(query === undefined ? {} : { query }),
      ...(name === undefined ? {} : { name }),
    };
    const call = this.#call(asTenant(operation, override), "GET", path, parameters, override, undefined, subject);
    return documented(await transport.repeated(call, this.#record), transport.tally);
  }

  #tenantOf(override: LogsOverride | undefined): string | null {
    return override?.tenant === undefined ? this.#session.target.tenantId : override.tenant;
  }

  #call(
    operation: string,
    method: Call["method"],
    path: string,
    parameters: Readonly<Record<string, string>>,
    override: LogsOverride = {},
    body?: string,
    subject?: Subject,
  ): Call {
    const { target, extraHeaders, urgency } = this.#session;
    const tenant = this.#tenantOf(override);
    const credentials = override.credentials === undefined ? target.credentials : override.credentials;
    const placeholder = override.credentials?.printed ?? `$${target.credentials?.tokenName ?? ""}`;
    const query = Object.entries(parameters)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join("&");
    return {
      operation,
      subject,
      urgency,
      method,
      url: `${target.baseUrl}/${target.segment}/api/v1/${path}${query === "" ? "" : `?${query}`}`,
      headers: {
        ...lowerCased(extraHeaders),
        ...(credentials === null ? {} : { authorization: basic(credentials.user, credentials.token) }),
        ...(tenant === null ? {} : { "x-scope-orgid": tenant }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(override.compressed === true ? COMPRESSED : {}),
        ...(override.chunked === true ? IN_CHUNKS : {}),
      },
      credentials: {
        ...printedExtras(extraHeaders),
        ...(credentials === null ? {} : { authorization: printedBasic(credentials.user, placeholder) }),
      },
      ...(body === undefined ? {} : { body }),
    };
  }
}

/** Adds the tenant to an operation. The credential tally then counts each tenant separately: a token may permit only one tenant. */
function asTenant(operation: string, override: LogsOverride | undefined): string {
  return override?.tenant === undefined ? operation : `${operation} (tenant ${override.tenant ?? "not named"})`;
}

/** Returns the query parameters of a range query. All values are text. */
export function rangeText({ query, start, end, limit, direction }: RangeParameters): Record<string, string> {
  return {
    query,
    start: start.toString(),
    end: end.toString(),
    ...(limit === undefined ? {} : { limit: limit.toString() }),
    ...(direction === undefined ? {} : { direction }),
  };
}

/** Returns the body of a push as data (logs-4.push). */
export function pushOf(streams: readonly Stream[]): unknown {
  return {
    streams: streams.map(({ labels, entries }) => ({
      stream: labels,
      values: entries.map(({ ts, line }) => [ts.toString(), line]),
    })),
  };
}

/** Returns the streams in a push body, or null if the body cannot be read as streams. */
function streamsIn(body: string): Stream[] | null {
  const streams = member(parsed(body), "streams");
  if (!Array.isArray(streams)) return null;
  const read = streams.map((stream: unknown): Stream | null => {
    const [labels, values] = [member(stream, "stream"), member(stream, "values")];
    if (!isLabels(labels) || !Array.isArray(values) || !values.every(isEntry)) return null;
    return { labels, entries: values.map(([ts, line]) => ({ ts: BigInt(ts), line })) };
  });
  return read.every((stream) => stream !== null) ? read : null;
}

function isLabels(value: unknown): value is Labels {
  return isObject(value) && Object.values(value).every((one) => typeof one === "string");
}

function isEntry(value: unknown): value is readonly [ts: string, line: string] {
  return Array.isArray(value) && typeof value[0] === "string" && /^\d+$/.test(value[0]) && typeof value[1] === "string";
}

export function pushBody(streams: readonly Stream[]): string {
  return JSON.stringify(pushOf(streams));
}

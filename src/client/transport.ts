/** Sends all requests to a service, with budgets, limited concurrency, timeouts, pauses and retries. Records each exchange. */
import { Readable } from "node:stream";
import type { TransportSettings } from "../settings/types.ts";
import { type Budget, Gate } from "./budget.ts";
import { Connections } from "./connections.ts";
import { type Answered, type Exchange, type ExchangeRequest, isAnswered, isPassing, requestText } from "./exchange.ts";
import { toBeCut } from "../model/cut.ts";
import { InterruptedRequests } from "./interrupted-requests.ts";
import { flatHeaders, piecesOf, readBody } from "./bodies.ts";
import { Overload } from "./overload.ts";
import { RequestPace } from "./request-pace.ts";
import { Rests } from "./rests.ts";
import { retryAfterMs } from "./retry-after.ts";
import { Interrupted, Unanswered } from "./inconclusive.ts";
import { HUNG, HUNG_UP, isHopeless, isRefusal, outcomeOf, outcomesText, reasonOf } from "./request-outcome.ts";
import { type Proxy, throughProxy } from "./proxy.ts";
import { Silences } from "./silences.ts";
import type { CredentialTally } from "./credential-tally.ts";
import type { Subject } from "./subject.ts";

export interface Call {
  /** The operation of the request, for example `create instance`. The credential tally counts requests by operation. */
  readonly operation: string;
  readonly subject?: Subject | undefined;
  readonly method: ExchangeRequest["method"];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The priority of the request while more requests wait than may be in flight. The default is 0. */
  readonly urgency?: number;
  /** True if the request is sent immediately and is not repeated after a 429, and if its 429 does not slow down other requests. */
  readonly unpaced?: true;
  /** Whether a 429 to this request concerns only this request. If so, no other request waits after the 429. */
  readonly asksNoRest?: boolean;
}

/** The maximum number of attempts at a request that may be repeated. */
const MOST_ATTEMPTS = 6;
/** After this number of consecutive unanswered requests, the run makes fewer attempts, because all attempts can take minutes. */
const MOST_GIVEN_UP = 3;
const FEW_ATTEMPTS = 2;
/** The maximum number of attempts after a 429. A 429 is not a failure of the target, so more attempts are made. */
const MOST_ATTEMPTS_WHEN_LIMITED = 10;
const LONGEST_PAUSE_MS = 10_000;
/** A pause is multiplied by a random factor of at most this number, and at least this number minus 0.5. */
const LONGEST_JITTER = 1.25;
/** The longest pause after an attempt without a response, in ms. Longer pauses would only delay the result. */
const LONGEST_UNANSWERED_PAUSE_MS = 3_000;
/** A Date header before this time comes from a clock that was never set. */
const EARLIEST_CLOCK_MS = Date.UTC(2000, 0, 1);
/** The time between two requests that test whether a silence is over, as a multiple of REQUEST_TIMEOUT_MS. */
const SILENT_TIMES = 3;

export interface TransportOptions {
  readonly settings: TransportSettings;
  readonly budget: Budget;
  readonly gate: Gate;
  readonly tally: CredentialTally;
  readonly userAgent: string;
  /** The length of the first pause before a retry, in ms. Later pauses are longer. */
  readonly retryMs: number;
  /** The proxy between the suite and the target, or null if there is no proxy. */
  readonly proxy: Proxy | null;
  /** Returns the number of requests that are kept for the other service of the run. */
  readonly keptForOther?: () => number;
  /** Called just before a request is sent. From then on, reads may show the values of a write. */
  readonly onSend?: (call: Call) => void;
}

/** Above this share, temporary 5xx count as frequent. At this share, twelve consecutive 5xx have a probability of about 1e-7. */
const TROUBLE = 0.25;

const PLAIN = { "accept-encoding": "identity" } as const;

/** Sends the requests to one service of the target. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #connections: Connections;
  #sequence = 0;
  /** No request is sent before this value of `performance.now()`, because the target asked to slow down (429). */
  #restUntil = 0;
  readonly #rests = new Rests();
  readonly #pace = new RequestPace();
  /** The number of requests that may be in flight to this service. The number is unlimited until the service asks to slow down (429). */
  #width = Number.POSITIVE_INFINITY;
  readonly #lane = new Gate(this.#width);
  readonly #overload = new Overload();
  readonly #silences: Silences;
  readonly #interrupted = new InterruptedRequests();
  #passingErrors = 0;
  /** The number of temporary 5xx responses: a repeat of the same request got another status. */
  #passed = 0;
  /** The number of requests since the last response that were given up, because no attempt got a response. */
  #givenUp = 0;
  /** The time in ms by which the clock of the target is ahead of this machine, or null before the first Date header. */
  clockOffsetMs: number | null = null;

  constructor(options: TransportOptions) {
    this.#options = options;
    const { settings, proxy } = options;
    this.#connections = new Connections(settings, proxy);
    this.#silences = new Silences(longestSeriesMs(options), SILENT_TIMES * settings.requestTimeoutMs);
  }

  get tally(): CredentialTally {
    return this.#options.tally;
  }

  get budget(): Budget {
    return this.#options.budget;
  }

  get requests(): number {
    return this.#sequence;
  }

  /** Counts `times` temporary 5xx responses to a request that was then answered with another status. */
  notePassingError(times = 1): void {
    this.#passingErrors += 1;
    this.#passed += times;
  }

  /** The number of 5xx after which a repeat got another response. If it is large, a 5xx may have nothing to do with its request. */
  get passingErrors(): number {
    return this.#passingErrors;
  }

  /** Whether temporary 5xx are so frequent that several consecutive ones to the same request may be a coincidence. */
  get isTroubled(): boolean {
    return this.#passed > TROUBLE * this.#sequence;
  }

  /** Returns the length of the pause before attempt `attempt + 1`, in ms. The pause grows with each attempt and has a random factor. */
  pauseAfter(attempt: number, longestMs = LONGEST_PAUSE_MS): number {
    const grown = Math.min(this.#options.retryMs * 2 ** attempt, longestMs);
    return grown * (LONGEST_JITTER - Math.random() / 2);
  }

  /**
   * Sends a request once, and resolves even without a response. Rejects only if the request may not be sent: a budget is used up, the run
   * was interrupted, or the target no longer answers requests of this kind.
   */
  async once(call: Call, record: (exchange: Exchange) => void): Promise<Exchange> {
    const { budget, gate } = this.#options;
    await this.#lane.enter(call.urgency);
    await gate.enter(call.urgency);
    try {
      await this.#turn(call);
      const sentMs = performance.now();
      if (!this.#silences.letsThrough(call.operation, sentMs)) this.#giveUpInSilence(call);
      budget.takeRequest(this.#options.keptForOther?.());
      this.#options.onSend?.(call);
      const exchange = await this.#interrupted.watched(call, async () => this.#send(call));
      if (exchange.response === null) this.#silences.unanswered(call.operation, sentMs);
      else this.#silences.answered(call.operation);
      record(exchange);
      this.#learn(exchange, call.asksNoRest !== true);
      return exchange;
    } finally {
      gate.leave();
      this.#lane.leave();
    }
  }

  /** Waits while no request may be sent, because the target asked to slow down (429). */
  async rested(): Promise<void> {
    for (let ms = this.#restUntil - performance.now(); ms > 0; ms = this.#restUntil - performance.now())
      await this.#options.budget.pause(ms);
  }

  /** Waits until the learned pace of requests allows this request. */
  async #turn(call: Call): Promise<void> {
    await this.rested();
    if (call.unpaced === true) return;
    const ms = this.#pace.waitMs(performance.now());
    if (ms === 0) return;
    await this.#options.budget.pause(ms);
    await this.rested();
  }

  /** Sends a request again after 408, 429, 5xx and connection errors. Throws `Inconclusive` if all attempts end so. */
  async repeated(call: Call, record: (exchange: Exchange) => void): Promise<Answered> {
    return this.#repeat(call, record, isPassing);
  }

  /** Like `repeated`, but does not repeat a request after a 5xx. It is for requests that the target may refuse. */
  async probed(call: Call, record: (exchange: Exchange) => void): Promise<Answered> {
    return this.#repeat(call, record, (status) => status < 500 && isPassing(status));
  }

  async #repeat(call: Call, record: (exchange: Exchange) => void, again: (status: number) => boolean): Promise<Answered> {
    const seen: string[] = [];
    let refusals = 0;
    let serverErrors = 0;
    const hangs: Exchange[] = [];
    let patience = this.#givenUp < MOST_GIVEN_UP ? MOST_ATTEMPTS : FEW_ATTEMPTS;
    let longestMs = LONGEST_PAUSE_MS;
    let askedForMs = 0;
    for (let attempt = 0; attempt < patience; attempt += 1) {
      if (attempt > 0) await this.#options.budget.pause(Math.max(this.pauseAfter(attempt - 1, longestMs), askedForMs));
      const exchange = await this.once(call, record);
      if (isAnswered(exchange) && !again(exchange.response.status)) {
        if (serverErrors > 0) this.notePassingError(serverErrors);
        if (hangs.length > 0) this.#givenUp = 0;
        return exchange;
      }
      if (isAnswered(exchange) && exchange.response.status >= 500) serverErrors += 1;
      if (exchange.error?.startsWith(HUNG) === true) hangs.push(exchange);
      longestMs = exchange.response === null ? LONGEST_UNANSWERED_PAUSE_MS : LONGEST_PAUSE_MS;
      askedForMs = askedMs(exchange);
      seen.push(outcomeOf(exchange));
      if (isRefusal(exchange)) refusals += 1;
      if (exchange.response?.status === 429) patience = MOST_ATTEMPTS_WHEN_LIMITED;
      if (isHopeless(exchange)) break;
      if (exchange.response === null) this.#giveUpInSilence(call);
    }
    const isSlow = hangs.length === seen.length;
    if (isSlow) this.#givenUp += 1;
    // The message names the request, because a service may be too slow only for this request, for example for its expression.
    const request = hangs.slice(0, 1).map((exchange) => `, request: ${toBeCut(requestText(exchange), 300)}`);
    throw new Unanswered(
      `${call.operation} was not answered in ${seen.length} attempts: ${this.outcomes(seen)}${request.join("")}${isSlow ? "; raise REQUEST_TIMEOUT_MS to wait longer for an answer" : ""}`,
      refusals === seen.length && !this.isTroubled,
      seen.at(-1) ?? "no answer",
    );
  }

  /** Returns the outcomes of all attempts as text. If no connection was made, it also names the requests that were in flight before. */
  outcomes(seen: readonly string[]): string {
    return `${outcomesText(seen)}${seen.at(-1)?.includes("ECONNREFUSED") === true ? this.#interrupted.text : ""}`;
  }

  /** Throws if requests of this kind have had no response for so long that the next request would probably get none either. */
  #giveUpInSilence({ operation }: Call): void {
    const ms = this.#silences.lastingMs(operation, performance.now());
    if (ms === null) return;
    const seconds = Math.round(ms / 1_000);
    throw new Unanswered(`${operation} was not answered: no request of this kind has been answered for ${seconds} s`, false, "no answer");
  }

  async close(): Promise<void> {
    await this.#connections.close();
  }

  #learn(exchange: Exchange, rests: boolean): void {
    if (exchange.response === null) return;
    const { status, headers } = exchange.response;
    const date = Date.parse(headers["date"] ?? "");
    if (this.clockOffsetMs === null && !Number.isNaN(date)) {
      // The Date header has only whole seconds, so the best estimate of the target's time is half a second later.
      this.clockOffsetMs = date < EARLIEST_CLOCK_MS ? 0 : date + 500 - (exchange.startedAt + exchange.durationMs / 2);
    }
    if (status === 429) {
      if (rests) this.#slowDown(askedMs(exchange));
    } else if (this.#overload.answered(status)) {
      this.#slowDown(askedMs(exchange));
    } else if (status !== 503) {
      this.#pace.answered();
      if (this.#rests.answered()) this.#widen(this.#width + 1);
    }
  }

  #widen(width: number): void {
    this.#width = width < this.#options.settings.concurrency ? width : Number.POSITIVE_INFINITY;
    this.#lane.resize(this.#width);
  }

  /**
   * After a 429, or a 503 in an overload, halves the number of concurrent requests, because some targets limit this number. A response that
   * arrives during the pause can only extend the pause. After many responses without 429, the number is raised again step by step.
   */
  #slowDown(askedForMs: number): void {
    const now = performance.now();
    if (now < this.#restUntil) {
      this.#restUntil = Math.max(this.#restUntil, now + askedForMs);
      return;
    }
    this.#pace.limited(now);
    this.#restUntil = now + Math.max(this.pauseAfter(this.#rests.asked()), askedForMs);
    this.#narrow();
  }

  #narrow(): void {
    this.#widen(Math.max(1, Math.floor(Math.min(this.#width, this.#options.settings.concurrency) / 2)));
  }

  async #send(call: Call): Promise<Exchange> {
    const { settings, userAgent, budget } = this.#options;
    const headers = {
      "user-agent": userAgent,
      accept: "*/*",
      ...PLAIN,
      ...call.headers,
    };
    const url = new URL(call.url);
    // The evidence has the URL as it is sent. This URL may differ from the given URL, because parsing may escape or shorten a URL.
    const request: ExchangeRequest = {
      method: call.method,
      url: url.href,
      headers,
      body: call.body ?? null,
      credentials: call.credentials,
    };
    const startedAt = Date.now();
    const started = performance.now();
    const timeout = new AbortController();
    const patienceMs = Math.ceil(Math.min(settings.requestTimeoutMs, Math.max(budget.msLeft, 1)));
    const timer = setTimeout(() => timeout.abort(), patienceMs);
    const stop = (): void => timeout.abort();
    budget.signal.addEventListener("abort", stop, { once: true });
    const base = { sequence: (this.#sequence += 1), operation: call.operation, subject: call.subject, startedAt, request };
    const end = (): { endedAt: number; durationMs: number } => {
      const endedAt = performance.now();
      return { endedAt, durationMs: endedAt - started };
    };
    let begun = false;
    try {
      const { "transfer-encoding": coding, ...plain } = headers as Readonly<Record<string, string>>;
      const answer = await this.#connections.for(call.method).request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: call.method,
        headers: plain,
        body: coding === undefined ? (call.body ?? null) : Readable.from(piecesOf(call.body ?? "")),
        signal: timeout.signal,
      });
      begun = true;
      const body = await readBody(answer.body, answer.headers);
      const response = { status: answer.statusCode, headers: flatHeaders(answer.headers), body };
      return { ...base, ...end(), response, error: null };
    } catch (error) {
      if (budget.signal.aborted) throw new Interrupted();
      const reason = timeout.signal.aborted ? `${HUNG} ${patienceMs} ms` : `${begun ? "the response was cut off: " : ""}${reasonOf(error)}`;
      if (!begun && HUNG_UP.test(reason)) this.#connections.noteLost();
      const { proxy } = this.#options;
      return { ...base, ...end(), response: null, error: proxy === null ? reason : throughProxy(reason, proxy) };
    } finally {
      clearTimeout(timer);
      budget.signal.removeEventListener("abort", stop);
    }
  }
}

/** Returns a time in ms after which all attempts at an unanswered request have certainly ended. */
function longestSeriesMs({ settings, retryMs }: TransportOptions): number {
  const pauses = Array.from({ length: MOST_ATTEMPTS - 1 }, (_, attempt) => Math.min(retryMs * 2 ** attempt, LONGEST_UNANSWERED_PAUSE_MS));
  return (MOST_ATTEMPTS + 1) * settings.requestTimeoutMs + LONGEST_JITTER * pauses.reduce((sum, ms) => sum + ms, 0);
}

/** Returns the length of the pause that a response asks for, in ms. */
function askedMs({ response }: Exchange): number {
  return response === null ? 0 : retryAfterMs(response.headers, Date.now());
}

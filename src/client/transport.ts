/** The one function every request goes through: budget, concurrency, time-out, back-off, repeats, record. */
import { Readable } from "node:stream";
import type { TransportSettings } from "../settings/types.ts";
import { type Budget, Gate } from "./budget.ts";
import { Connections } from "./connections.ts";
import { type Answered, type Exchange, type ExchangeRequest, isAnswered } from "./exchange.ts";
import { Departure } from "./departure.ts";
import { flatHeaders, piecesOf, readBody } from "./bodies.ts";
import { Overload } from "./overload.ts";
import { RequestPace } from "./request-pace.ts";
import { Rests } from "./rests.ts";
import { retryAfterMs } from "./retry-after.ts";
import { errorText, Inconclusive, Interrupted, Unanswered } from "./inconclusive.ts";
import { type Proxy, throughProxy } from "./proxy.ts";
import { Silences } from "./silences.ts";
import type { CredentialTally } from "./credential-tally.ts";
import type { Subject } from "./subject.ts";

export interface Call {
  /** What the suite is doing, e.g. `create instance`; the tally counts by it. */
  readonly operation: string;
  readonly subject?: Subject | undefined;
  readonly method: ExchangeRequest["method"];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Who is let in first where more calls wait than may be under way; 0 unless given. */
  readonly urgency?: number;
  /** Sent at once, whatever pace the target takes: a 429 is an answer like any other. */
  readonly unpaced?: true;
  /** An answer of 429 is about this request alone: no other waits for it. */
  readonly asksNoRest?: boolean;
}

/** How often and how long a request that may be repeated is repeated. */
const MOST_ATTEMPTS = 6;
/**
 * A request that hangs takes minutes until it is given up. After so many that were, while others were answered, further ones are given up
 * sooner: what else there is to be judged is not to wait for them.
 */
const MOST_GIVEN_UP = 3;
const FEW_ATTEMPTS = 2;
/** Being asked to slow down is not a failure of the target, so it gets more patience. */
const MOST_ATTEMPTS_WHEN_LIMITED = 10;
const LONGEST_PAUSE_MS = 10_000;
/** A pause is up to so many times what it would be without chance, and down to half a time less. */
const LONGEST_JITTER = 1.25;
/** Where nothing answers at all, longer pauses only delay the news. */
const LONGEST_UNANSWERED_PAUSE_MS = 3_000;
/** A Date before this is of no clock that was ever set. */
const EARLIEST_CLOCK_MS = Date.UTC(2000, 0, 1);
/** After a request that was to show whether a silence is over, none is sent for so many times REQUEST_TIMEOUT_MS. */
const SILENT_TIMES = 3;

export interface TransportOptions {
  readonly settings: TransportSettings;
  readonly budget: Budget;
  readonly gate: Gate;
  readonly tally: CredentialTally;
  readonly userAgent: string;
  /** First pause before a repeat, ms. */
  readonly retryMs: number;
  /** What stands between the suite and the target, or null. */
  readonly proxy: Proxy | null;
  /** Called before each request is sent: what a write sends may be read from then on. */
  readonly onSend?: (call: Call) => void;
}

/** So large a part of all answers: twelve in a row by chance are one in ten million. */
const TROUBLE = 0.25;

const PLAIN = { "accept-encoding": "identity" } as const;

/** Transport to one service of the target. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #connections: Connections;
  #sequence = 0;
  /** While the target asks for a rest (429), nobody sends: `performance.now()` until then. */
  #restUntil = 0;
  readonly #rests = new Rests();
  readonly #pace = new RequestPace();
  /** How many requests this service gets at once; a service that never asked for a rest gets as many as there are. */
  #width = Number.POSITIVE_INFINITY;
  readonly #lane = new Gate(this.#width);
  readonly #overload = new Overload();
  readonly #silences: Silences;
  readonly #departure = new Departure();
  #passingErrors = 0;
  /** Answers of 5xx that passed. */
  #passed = 0;
  /** Requests that hung in every attempt, since one was answered in another. */
  #givenUp = 0;
  /** Milliseconds to add to this machine's clock to get the target's; null until a Date header was seen. */
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

  /** How many requests were sent. */
  get requests(): number {
    return this.#sequence;
  }

  /** Counts a request that was answered 5xx `times` in a row, and otherwise then. */
  notePassingError(times = 1): void {
    this.#passingErrors += 1;
    this.#passed += times;
  }

  /** How many requests were answered otherwise once they were repeated after a 5xx: how often a 5xx says nothing of what was asked. */
  get passingErrors(): number {
    return this.#passingErrors;
  }

  /** Whether so many answers are 5xx that pass that even some in a row to one request may have nothing to do with it. */
  get isTroubled(): boolean {
    return this.#passed > TROUBLE * this.#sequence;
  }

  /** The pause before attempt `attempt + 1`, growing and jittered, ms. */
  pauseAfter(attempt: number, longestMs = LONGEST_PAUSE_MS): number {
    const grown = Math.min(this.#options.retryMs * 2 ** attempt, longestMs);
    return grown * (LONGEST_JITTER - Math.random() / 2);
  }

  /**
   * Sends once. Resolves also when nothing came back; rejects only when nothing is to be sent: the run may not (budget, interrupt), or
   * the target has not answered requests of this kind for long.
   */
  async once(call: Call, record: (exchange: Exchange) => void): Promise<Exchange> {
    const { budget, gate } = this.#options;
    await this.#lane.enter(call.urgency);
    await gate.enter(call.urgency);
    try {
      await this.#turn(call);
      const sentMs = performance.now();
      if (!this.#silences.letsThrough(call.operation, sentMs)) this.#giveUpInSilence(call);
      budget.takeRequest();
      this.#options.onSend?.(call);
      const exchange = await this.#departure.watched(call, async () => this.#send(call));
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

  /** Waits while nobody sends, since the target asked for a rest. */
  async rested(): Promise<void> {
    for (let ms = this.#restUntil - performance.now(); ms > 0; ms = this.#restUntil - performance.now())
      await this.#options.budget.pause(ms);
  }

  /** Waits until a request may follow those before it. */
  async #turn(call: Call): Promise<void> {
    await this.rested();
    if (call.unpaced === true) return;
    const ms = this.#pace.waitMs(performance.now());
    if (ms === 0) return;
    await this.#options.budget.pause(ms);
    await this.rested();
  }

  /**
   * Sends a request that is safe to repeat, again after 429, 5xx and connection errors, with growing pauses.
   * Throws `Inconclusive` when no other answer came.
   */
  async repeated(call: Call, record: (exchange: Exchange) => void): Promise<Answered> {
    return this.#repeat(call, record, (status) => status === 429 || status >= 500);
  }

  /** The same, but a 5xx is an answer like any other: for requests whose refusal is the question. */
  async probed(call: Call, record: (exchange: Exchange) => void): Promise<Answered> {
    return this.#repeat(call, record, (status) => status === 429);
  }

  async #repeat(call: Call, record: (exchange: Exchange) => void, again: (status: number) => boolean): Promise<Answered> {
    const seen: string[] = [];
    let refusals = 0;
    let serverErrors = 0;
    let hung = 0;
    let patience = this.#givenUp < MOST_GIVEN_UP ? MOST_ATTEMPTS : FEW_ATTEMPTS;
    let longestMs = LONGEST_PAUSE_MS;
    let askedForMs = 0;
    for (let attempt = 0; attempt < patience; attempt += 1) {
      if (attempt > 0) await this.#options.budget.pause(Math.max(this.pauseAfter(attempt - 1, longestMs), askedForMs));
      const exchange = await this.once(call, record);
      if (isAnswered(exchange) && !again(exchange.response.status)) {
        if (serverErrors > 0) this.notePassingError(serverErrors);
        if (hung > 0) this.#givenUp = 0;
        return exchange;
      }
      if (isAnswered(exchange) && exchange.response.status >= 500) serverErrors += 1;
      if (exchange.error?.startsWith(HUNG) === true) hung += 1;
      longestMs = exchange.response === null ? LONGEST_UNANSWERED_PAUSE_MS : LONGEST_PAUSE_MS;
      askedForMs = askedMs(exchange);
      seen.push(outcomeOf(exchange));
      if (isRefusal(exchange)) refusals += 1;
      if (exchange.response?.status === 429) patience = MOST_ATTEMPTS_WHEN_LIMITED;
      if (isHopeless(exchange)) break;
      if (exchange.response === null) this.#giveUpInSilence(call);
    }
    const isSlow = hung === seen.length;
    if (isSlow) this.#givenUp += 1;
    throw new Unanswered(
      `${call.operation} was not answered in ${seen.length} attempts: ${this.outcomes(seen)}${isSlow ? "; raise REQUEST_TIMEOUT_MS to wait longer for an answer" : ""}`,
      refusals === seen.length && !this.isTroubled,
      seen.at(-1) ?? "no answer",
    );
  }

  /** What came of all attempts at a request, and what the service was asked when it went away, where none could connect to it any more. */
  outcomes(seen: readonly string[]): string {
    return `${outcomesText(seen)}${seen.at(-1)?.includes("ECONNREFUSED") === true ? this.#departure.text : ""}`;
  }

  /** Throws where requests of this kind have not been answered for so long that one more would not be, either. */
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
      // The Date header has whole seconds: half a second more is its best reading.
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
   * Each time the target asks for a rest (429, or 503 where it is overloaded) after the last one is over, half as many requests are sent
   * at once: it may count those in flight, not those of a second. Answers in a row undo it, step by step.
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
    // The URL as it goes out: parsing may have escaped or shortened it.
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

/** Longer than one request takes with all its repeats where none of them is answered, ms. */
function longestSeriesMs({ settings, retryMs }: TransportOptions): number {
  const pauses = Array.from({ length: MOST_ATTEMPTS - 1 }, (_, attempt) => Math.min(retryMs * 2 ** attempt, LONGEST_UNANSWERED_PAUSE_MS));
  return (MOST_ATTEMPTS + 1) * settings.requestTimeoutMs + LONGEST_JITTER * pauses.reduce((sum, ms) => sum + ms, 0);
}

/** How long an answer asks not to be disturbed, ms. */
function askedMs({ response }: Exchange): number {
  return response === null ? 0 : retryAfterMs(response.headers, Date.now());
}

/** How the error begins of a request that the time for it was over. */
const HUNG = "no complete answer within";

/** Codes of connection errors that no repeat mends within a run. */
const HOPELESS = /certificate|self-signed|CERT_|UNABLE_TO_VERIFY|ENOTFOUND|ERR_TLS|wrong version number/i;

function isHopeless(exchange: Exchange): boolean {
  return exchange.error !== null && HOPELESS.test(exchange.error);
}

/** Throws `Inconclusive` when the target cannot be reached this way at all, so that nobody tries again. */
export function reachable<E extends Exchange>(exchange: E): E {
  if (isHopeless(exchange)) throw new Inconclusive(`${exchange.operation} was not answered: ${outcomeOf(exchange)}`);
  return exchange;
}

/** Whether the connection was never made, so that the target cannot have seen the request. */
export function wasNeverSent(exchange: Exchange): boolean {
  return isHopeless(exchange) || /ECONNREFUSED/.test(exchange.error ?? "");
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return errorText(error);
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(reasonOf).join("; ");
  const code = "code" in error && typeof error.code === "string" ? `${error.code}: ` : "";
  const text = `${code}${error.message}`;
  if (/certificate|CERT_|UNABLE_TO_VERIFY/i.test(text)) {
    return `${text} (TLS_CA_FILE verifies against your own CA bundle, TLS_INSECURE=true skips verification)`;
  }
  return text;
}

/** How the error begins where the connection was closed before anything of an answer came. */
const HUNG_UP = /^(?:UND_ERR_SOCKET: other side closed|ECONNRESET: )/;

/** Who takes longer than this, ms, may be hung up on for that by whatever lies between. */
const SOON_MS = 1_000;

/** Whether what came of an attempt may be meant for this kind of request: a 5xx, or a connection that was closed at once and without a word. */
function isRefusal({ response, error, durationMs }: Exchange): boolean {
  if (response !== null) return response.status >= 500;
  return durationMs < SOON_MS && HUNG_UP.test(error ?? "");
}

/** What came of one attempt, in a few words. */
export function outcomeOf(exchange: Exchange): string {
  return exchange.response === null ? (exchange.error ?? "no answer") : `status ${exchange.response.status}`;
}

/** What came of all attempts: each outcome once, with how often it was seen. */
export function outcomesText(outcomes: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => (count === 1 ? outcome : `${outcome} (${count} times)`)).join(", then ");
}

/**
 * Sends the documented requests of the admin API. Updates send the ETag of the instance, because some real servers require it. If the
 * service may have carried out a create or an update, it is not repeated.
 */
import type { Limits } from "../contract/limits.ts";
import type { AdminTarget } from "../settings/types.ts";
import { authorizationOf, type Credentials, lowerCased, printedExtras } from "./credentials.ts";
import { Conflicts } from "./conflicts.ts";
import { Locks } from "./locks.ts";
import { type Answered, type Exchange, isAnswered, isSeeOther, isSuccess, jsonOf, statusOf } from "./exchange.ts";
import { ETags } from "./etags.ts";
import { Inconclusive, unanswered } from "./inconclusive.ts";
import { documented, inputForbidden } from "./credential-tally.ts";
import { CreateVisibility } from "./create-visibility.ts";
import { isWeak, AcceptedTags } from "./accepted-tags.ts";
import type { Subject } from "./subject.ts";
import { requireWellFormed } from "./well-formed.ts";
import { COMPRESSED } from "./bodies.ts";
import { member, parsed } from "../model/json.ts";
import { type Call, type Transport } from "./transport.ts";
import { outcomeOf, outcomesText, reachable, wasNeverSent } from "./request-outcome.ts";

export interface UpdatePayload {
  readonly display_name: string;
  readonly status: string;
  readonly cluster: string;
  readonly limits?: Limits;
}

export interface CreatePayload extends UpdatePayload {
  readonly name: string;
}

export type Recorder = (exchange: Exchange) => void;

/** Returns a new record of the facts that a run learns about instances of its target. All clients of the run share the record. */
export function nothingLearned(settleTimeoutMs: number) {
  return {
    settleTimeoutMs,
    etags: new ETags(),
    acceptedTags: new AcceptedTags(),
    conflicts: new Conflicts(),
    locks: new Locks(),
    unshown: new CreateVisibility(settleTimeoutMs),
    /** The names of the instances whose create succeeded, or got no response and may have been carried out. */
    created: new Set<string>(),
  };
}

export interface AdminSession extends Readonly<ReturnType<typeof nothingLearned>> {
  readonly transport: Transport;
  readonly target: AdminTarget;
  readonly extraHeaders: Readonly<Record<string, string>>;
  /** Called with the name of an instance before its create is sent. */
  readonly onCreate: (name: string) => void;
  readonly urgency: number;
}

/** After this number of consecutive creates with 403, no further create is sent. */
const MOST_FORBIDDEN = 3;

const CONFIGURED: Credentials = { kind: "configured" };

/** Statuses of an update that was not carried out: a request timeout, a missing or failed precondition, or a rate limit. */
const REPEATED: ReadonlySet<number> = new Set([408, 412, 428, 429]);
/** Statuses of an update whose precondition is missing or not met. */
const UNMET: ReadonlySet<number> = new Set([412, 428]);
/** An update is attempted at least this number of times, even if SETTLE_TIMEOUT_MS is very short. */
const LEAST_ATTEMPTS = 4;
/** After this number of consecutive updates with a fresh ETag were refused because of the ETag, `If-Match: *` is sent instead. */
const MOST_UNMET = 3;
/** A precondition that is true for each state of an instance (RFC 9110, section 13.1.1). */
const ANY_STATE = { "if-match": "*" };

export class AdminClient {
  readonly #session: AdminSession;
  readonly #record: Recorder;

  constructor(session: AdminSession, record: Recorder) {
    this.#session = session;
    this.#record = record;
  }

  /**
   * Sends a POST once. `written` is the JSON text to send, if a check needs the payload in another spelling. A create without a response
   * may have been carried out, so it is never repeated under the same name. Throws `Inconclusive` after 401, 403 or 3xx, and if the budget
   * is exhausted.
   */
  async create(payload: CreatePayload, written = JSON.stringify(payload)): Promise<Exchange> {
    const { transport } = this.#session;
    requireWellFormed("create instance", payload);
    this.#refuseForbidden();
    transport.budget.takeInstance();
    this.#session.onCreate(payload.name);
    const exchange = await transport.once(
      this.#call("create instance", "POST", "", written, writeOf("create", payload.name, written, true)),
      this.#record,
    );
    this.#noteCreate(payload.name, exchange);
    return documented(reachable(exchange), transport.tally);
  }

  /** Throws if the service has answered 403 to several creates in a row, because a quota of instances is probably used up. */
  #refuseForbidden(): void {
    const creates = this.#session.transport.tally.operations.get("create instance");
    if (creates === undefined || creates.succeeded === 0 || creates.forbiddenInARow < MOST_FORBIDDEN || creates.firstForbidden === null)
      return;
    throw inputForbidden(creates.firstForbidden);
  }

  /** Reads an instance. Repeats the read while the service may not know it yet. Throws `Inconclusive` if there is no response. */
  async read(name: string): Promise<Answered> {
    requireWellFormed("read instance", { name });
    const { transport, settleTimeoutMs, unshown } = this.#session;
    const deadline = performance.now() + settleTimeoutMs;
    for (let attempt = 0; ; attempt += 1) {
      const exchange = await transport.repeated(this.#call("read instance", "GET", name, undefined, { kind: "read", name }), this.#record);
      if (unshown.mayPass(name, exchange)) {
        if (performance.now() <= deadline) {
          await transport.budget.pause(transport.pauseAfter(Math.min(attempt, 4)));
          continue;
        }
        unshown.stayed();
      }
      if (isSuccess(documented(exchange, transport.tally))) this.#session.etags.shown(name, exchange.response.headers["etag"]);
      return exchange;
    }
  }

  /** Reads an instance with a compressed response. Its ETag may differ from that of other responses, so it is not stored. */
  async readCompressed(name: string): Promise<Answered> {
    const { transport } = this.#session;
    const call = this.#call("read instance compressed", "GET", name, undefined, { kind: "read", name }, CONFIGURED, COMPRESSED);
    return transport.repeated(call, this.#record);
  }

  /**
   * Sends a PUT to an instance. Throws `Inconclusive` if the PUT was never accepted.
   * - `If-Match` has the newest ETag. So the instance is read before its first PUT, and after a response that leaves the ETag unknown.
   * - After 412 and 428, the instance is read and the PUT is sent again. If no precondition is met in SETTLE_TIMEOUT_MS, this is a refusal.
   * - The responses 404, 409, 423 and 425 may be temporary, so the PUT is repeated until SETTLE_TIMEOUT_MS has passed.
   * - The ETag may also cause another 4xx. So a 4xx is final only if the same update with `If-Match: *` gets a 4xx too.
   * - A PUT without a response is repeated only after a read shows that the PUT was not applied.
   * @param written the JSON text to send, if a check needs the payload in another spelling.
   * @param applied whether an instance already has the values of this PUT. If so, a read replaces the response to the PUT.
   */
  async update(
    name: string,
    payload: UpdatePayload,
    applied: (instance: unknown) => boolean,
    written = JSON.stringify(payload),
  ): Promise<Answered> {
    const { transport, settleTimeoutMs } = this.#session;
    const deadline = performance.now() + settleTimeoutMs;
    const { conflicts, acceptedTags } = this.#session;
    const failures: string[] = [];
    let unmet = 0;
    let isDoubted = false;
    let conflicted: number | null = null;
    for (let attempt = 0; ; attempt += 1) {
      const known: Readonly<Record<string, string>> = isDoubted ? ANY_STATE : await this.condition(name);
      // If all reads lag, no read shows the required ETag. So after `MOST_UNMET` attempts, the update is sent with `If-Match: *`. A weak
      // ETag may never match, or may be old, so a weak ETag and `*` are tried in turn.
      const isFutile = isWeak(known["if-match"]) ? unmet % 2 === 1 : unmet > MOST_UNMET;
      const condition = "if-match" in known && isFutile ? ANY_STATE : known;
      const exchange = await this.#send(name, payload, written, condition);
      const status = statusOf(exchange);
      if (isSuccess(exchange) && conflicted !== null && UNMET.has(conflicted)) conflicts.ended(conflicted, status);
      const tag = known["if-match"];
      if (isSuccess(exchange) && tag !== undefined && known !== ANY_STATE) {
        if (condition === known) acceptedTags.met(tag);
        else if (unmet > 0) acceptedTags.unmet(tag);
      }
      unmet = status === 412 ? unmet + 1 : 0;
      const tooLate = performance.now() > deadline && attempt >= LEAST_ATTEMPTS;
      const conflict = conflicts.mayPass(status);
      if (isAnswered(exchange) && !REPEATED.has(status) && status < 500 && (!conflict || tooLate)) {
        // If reads lag, their ETag may be old. The next attempt is sent with `If-Match: *` and without another read. It shows whether an
        // old ETag caused the refusal.
        isDoubted = status >= 400 && !conflict && "if-match" in condition && condition !== ANY_STATE;
        if (isDoubted) continue;
        if (conflicted !== null) conflicts.ended(conflicted, status);
        return exchange;
      }
      if (conflict || UNMET.has(status)) conflicted ??= status;
      if (UNMET.has(status) && isAnswered(exchange) && (tooLate || conflicts.stays(status)))
        return this.#unmetAlways(exchange, (headers) => this.#send(name, payload, written, headers));
      failures.push(outcomeOf(exchange));
      if (tooLate) {
        throw new Inconclusive(`update instance was never accepted: ${outcomesText(failures)}`);
      }
      await transport.budget.pause(transport.pauseAfter(Math.min(attempt, 4)));
      const read = await this.#lookUp(name);
      if (!conflict && !REPEATED.has(status) && isSuccess(read) && applied(jsonOf(read))) return read;
    }
  }

  /**
   * Returns the response to an update whose precondition was never met, although reads had enough time to show the newest ETag. The
   * document shows updates without a precondition. So the first such update is also sent with `If-Match: *` and without a precondition.
   */
  async #unmetAlways(unmet: Answered, send: (headers: Readonly<Record<string, string>>) => Promise<Exchange>): Promise<Answered> {
    const { conflicts } = this.#session;
    const status = statusOf(unmet);
    for (const headers of conflicts.stays(status) ? [] : [ANY_STATE, {}]) {
      const answer = await send(headers);
      if (isAnswered(answer) && isSuccess(answer)) return answer;
    }
    conflicts.ended(status, status);
    return unmet;
  }

  /** Sends a PUT once, with the newest known ETag of the instance in `If-Match`. The caller judges the response. */
  async updateOnce(name: string, payload: UpdatePayload, headers: Readonly<Record<string, string>> = {}): Promise<Exchange> {
    return this.#send(name, payload, JSON.stringify(payload), { ...headers, ...(await this.condition(name)) });
  }

  async #send(name: string, payload: UpdatePayload, written: string, headers: Readonly<Record<string, string>>): Promise<Exchange> {
    const { transport, locks } = this.#session;
    await this.#unlocked(name);
    requireWellFormed("update instance", payload);
    const call = this.#call("update instance", "PUT", name, written, writeOf("update", name, written, true), CONFIGURED, headers);
    const exchange = await transport.once(call, this.#record);
    documented(exchange, transport.tally);
    locks.answered(name, statusOf(exchange), performance.now());
    const sent = headers["if-match"];
    if (isAnswered(exchange) && isSuccess(exchange)) this.#session.etags.updated(name, exchange.response.headers["etag"], sent);
    // An update without a clear response may have changed the ETag, so the next update must first read the ETag.
    else if (sent !== undefined) this.#session.etags.forget(name);
    return exchange;
  }

  async #unlocked(name: string): Promise<void> {
    const { locks, transport } = this.#session;
    const ms = locks.waitMs(name, performance.now());
    if (ms > 0) await transport.budget.pause(ms);
  }

  /**
   * Sends any request unchanged, for observations and authentication probes. The credential tally does not count it. A GET or PUT is
   * repeated after 429 or no response, because repeating it does no harm.
   */
  async probe(
    operation: string,
    method: Call["method"],
    name: string,
    body?: unknown,
    credentials: Credentials = CONFIGURED,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered> {
    const written = textOf(body);
    const subject =
      written === undefined ? undefined : writeOf(method === "POST" ? "create" : "update", nameIn(body, name), written, false);
    const sent = this.#call(operation, method, name, written, subject, credentials, headers);
    if (method === "GET" || method === "PUT") {
      if (method === "PUT") await this.#unlocked(name);
      const answer = await this.#session.transport.probed(sent, this.#record);
      if (method === "PUT") this.#session.locks.answered(name, statusOf(answer), performance.now());
      return answer;
    }
    const exchange = await this.#session.transport.once(sent, this.#record);
    if (!isAnswered(exchange)) throw new Inconclusive(`${operation} was not answered: ${outcomeOf(exchange)}`);
    return exchange;
  }

  /** Sends a create in an undocumented form. Such a create counts against the budget and is recorded like any other create. */
  async probeCreate(operation: string, name: string, body: unknown, credentials: Credentials = CONFIGURED): Promise<Answered> {
    const { transport, onCreate } = this.#session;
    transport.budget.takeInstance();
    onCreate(name);
    const exchange = await transport.once(
      this.#call(operation, "POST", "", textOf(body), writeOf("create", name, textOf(body) ?? "", false), credentials),
      this.#record,
    );
    this.#noteCreate(name, exchange);
    if (!isAnswered(exchange)) throw unanswered(operation, outcomeOf(exchange));
    return exchange;
  }

  /** Counts the instance of a create that was sent and not refused. After 5xx or no response, the instance may exist. */
  #noteCreate(name: string, exchange: Exchange): void {
    const status = statusOf(exchange);
    if ((status >= 300 && status < 500 && !isSeeOther(exchange)) || wasNeverSent(exchange)) this.#session.transport.budget.returnInstance();
    else this.#session.created.add(name);
  }

  /** Returns the headers with the precondition of a write. If the ETag of the instance is unknown, reads the instance first. */
  async condition(name: string): Promise<Readonly<Record<string, string>>> {
    const { etags, acceptedTags } = this.#session;
    if (etags.of(name) === undefined) await this.#lookUp(name);
    const etag = etags.of(name) ?? null;
    if (etag === null) return {};
    return acceptedTags.mayBeMet(etag) ? { "if-match": etag } : ANY_STATE;
  }

  async #lookUp(name: string): Promise<Answered> {
    this.#session.etags.noteLookup();
    return this.read(name);
  }

  #call(
    operation: string,
    method: Call["method"],
    name: string,
    body: string | undefined,
    subject: Subject | undefined,
    credentials: Credentials = CONFIGURED,
    headers: Readonly<Record<string, string>> = {},
  ): Call {
    const { target, extraHeaders, urgency } = this.#session;
    const path = name === "" ? "/admin/api/v1/instances" : `/admin/api/v1/instances/${encodeURIComponent(name)}`;
    const authorization = authorizationOf(credentials, target);
    return {
      operation,
      subject,
      urgency,
      method,
      url: target.baseUrl + path,
      headers: {
        ...lowerCased(extraHeaders),
        ...(authorization === null ? {} : { authorization: authorization.value }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      credentials: { ...printedExtras(extraHeaders), ...(authorization === null ? {} : { authorization: authorization.printed }) },
      ...(body === undefined ? {} : { body }),
    };
  }
}

function writeOf(kind: "create" | "update", name: string, written: string, documented: boolean): Subject {
  return { kind, name, body: parsed(written), documented };
}

function nameIn(body: unknown, name: string): string {
  const created = member(body, "name");
  return name === "" && typeof created === "string" ? created : name;
}

function textOf(body: unknown): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body);
}

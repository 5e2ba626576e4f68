/**
 * Judges each response of a run once. A response must have its documented shape, and show only data that the run wrote. Label lists must
 * have all pushed labels. The checks of the phase `final` report the findings.
 */
import { LogAnswers, originOf, type Origins } from "./origins.ts";
import { isConsequence } from "../diagnosis/causes.ts";
import { OPERATION_CLAUSES } from "../client/credential-tally.ts";
import { type Exchange, isSuccess, jsonOf, statusOf } from "../client/exchange.ts";
import type { InstanceWrite, LogRead, Subject } from "../client/subject.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { Service } from "../contract/clause.ts";
import { LIMIT_NAMES, type Limits } from "../contract/limits.ts";
import type { Finding } from "./finding.ts";
import { blamed, type Difference, show, showInvalid } from "../model/difference.ts";
import { grouped } from "../model/grouped.ts";
import { showLimits } from "../model/limits.ts";
import { isObject, type JsonObject, member } from "../model/json.ts";
import { PossibleValues, YearLengths, type Shown, type Write } from "../model/possible-values.ts";
import { ShownLimits } from "../model/shown-limits.ts";
import { Pushed } from "../model/pushed.ts";
import { asEntries, rangeStreams } from "../model/range-answer.ts";
import { answerDifferences } from "../model/schemas.ts";
import { missingItemText } from "../model/missing-entries.ts";

/** The label that a run adds to each pushed stream. The value of this label is the id of the run. */
export const RUN_LABEL = "plumbline_run";

/** The maximum difference of two clocks that are both right, in ms. */
const MOST_APART_MS = 240_000;

export interface EveryResponseOptions {
  /** The limits whose global default in this deployment differs from the default in the document, with their defaults here. */
  readonly defaults: Limits;
  readonly runId: string;
  /** The value of SETTLE_TIMEOUT_MS. A list of labels may lag for this time. */
  readonly settleTimeoutMs: number;
  /** The clock of the log service, in milliseconds since 1970. */
  readonly logsNow: () => number;
  /** The difference between the clock of the tested log API and the clock of this machine, in ms. */
  readonly logsOffsetMs: () => number;
}

export interface Wrong {
  readonly clause: ClauseId;
  readonly differences: readonly Difference[];
  /** The first response that showed this violation of the clause. */
  readonly exchange: Exchange;
  /** The number of responses that showed the violation. */
  readonly responses: number;
}

interface Seen {
  readonly difference: Difference;
  readonly exchange: Exchange;
  readonly by: Shown["by"] | null;
  /** Whether the response does not have its documented shape. Such a violation does not depend on the written data. */
  readonly isShape: boolean;
}

/** The maximum number of findings that are kept per clause. */
const MOST_FINDINGS = 50;

const FIELDS = ["name", "display_name", "status", "cluster", "created_at"] as const;

export class EveryResponse {
  readonly #options: EveryResponseOptions;
  readonly #instances = new Map<string, PossibleValues>();
  readonly #years = new YearLengths();
  readonly #limits = new ShownLimits();
  readonly #writes = new Map<Subject, Write>();
  readonly pushed = new Pushed();
  readonly #answers = new LogAnswers();
  readonly #findings = new Map<ClauseId, Seen[]>();
  readonly #responses = new Map<ClauseId, number>();
  /** For each clause, the last response that showed that the clause is held. */
  readonly #held = new Map<ClauseId, Exchange>();
  /** For each field of an instance, the operations whose responses have shown the field. */
  readonly #fieldsShown = new Map<string, Set<Shown["by"]>>();
  readonly #judged = { admin: 0, logs: 0 };
  /** For each response with a wrong shape or an impossible value, the paths of these differences. */
  readonly #impossible = new WeakMap<Exchange, ReadonlySet<string>>();
  /** The instances that certainly have no limits. The run knows this from the responses to all writes so far. */
  readonly #bare = new Set<string>();

  constructor(options: EveryResponseOptions) {
    this.#options = options;
  }

  /** Finds out where each wrong value of a response comes from, and which other request has such a right response. Each may be unknown. */
  originsOf(exchange: Exchange): Origins {
    return {
      of: (difference) => originOf(exchange, difference, { instances: this.#instances, pushed: this.pushed, limits: this.#limits }),
      equalTo: this.#answers.equalTo(exchange),
    };
  }

  /** Records that an assertion found a response right. */
  noteRight(exchange: Exchange): void {
    this.#answers.noteRight(exchange);
  }

  judged(service: Service): number {
    return this.#judged[service];
  }

  /** Returns the differences of a response that no late write can have caused. */
  impossibleIn(exchange: Exchange, differences: readonly Difference[]): readonly Difference[] {
    const paths = this.#impossible.get(exchange);
    return differences.filter(({ path }) => paths?.has(path) === true);
  }

  /** Whether an instance certainly has no limits, if the service carried out each accepted write and no refused write. */
  isBare(name: string): boolean {
    return this.#bare.has(name);
  }

  /** Records a request just before the request is sent. */
  sending(subject: Subject): void {
    if (subject.kind === "create" || subject.kind === "update") this.#sendingWrite(subject);
    else if (subject.kind === "push") this.pushed.sending(subject.tenant, subject.sent);
  }

  #sendingWrite(subject: InstanceWrite): void {
    // An update can only change an instance that this run has created.
    const known = this.#instances.get(subject.name);
    if (known === undefined && subject.kind === "update") return;
    const possible = known ?? new PossibleValues(subject.name, this.#options.defaults, this.#years);
    this.#instances.set(subject.name, possible);
    const write: Write = { kind: subject.kind, body: subject.body, sentAt: performance.now() };
    this.#writes.set(subject, write);
    possible.sending(write);
  }

  answered(exchange: Exchange): void {
    const { subject } = exchange;
    if (subject === undefined) return;
    switch (subject.kind) {
      case "push":
        if (typeof subject.sent !== "string" && isSuccess(exchange))
          this.pushed.acknowledged(subject.tenant, subject.sent, exchange.endedAt);
        return;
      case "create":
      case "update":
        this.#writeAnswered(subject, exchange);
        return;
      case "read":
        if (this.#instances.has(subject.name)) this.#judgeInstance(exchange, subject.name, "read");
        return;
      default:
        this.#judgeLogs(exchange, subject);
    }
  }

  #writeAnswered(subject: InstanceWrite, exchange: Exchange): void {
    const possible = this.#instances.get(subject.name);
    const write = this.#writes.get(subject);
    this.#writes.delete(subject);
    if (possible === undefined || write === undefined) return;
    // The service may still carry out a write that got no response or a 5xx.
    possible.answered(write, exchange.response !== null && exchange.response.status < 500, exchange.endedAt);
    this.#noteBare(subject, exchange, possible.wasAlone(write));
    if (subject.kind === "create" || !subject.documented) return;
    const by = Object.hasOwn(subject.body as object, "limits") ? "update with limits" : "update without limits";
    this.#judgeInstance(exchange, subject.name, by, possible.wasAlone(write));
  }

  #noteBare({ kind, name, body }: InstanceWrite, exchange: Exchange, isAlone: boolean): void {
    const status = statusOf(exchange);
    if (status >= 400 && status < 500) return;
    const hasLimits = !isObject(body) || Object.hasOwn(body, "limits");
    if (hasLimits || !isAlone) this.#bare.delete(name);
    else if (kind === "create" || isSuccess(exchange)) this.#bare.add(name);
  }

  /** Judges an instance in a response. `isAlone` is true if no other write can have changed the values in the response. */
  #judgeInstance(exchange: Exchange, name: string, by: Shown["by"], isAlone = true): void {
    if (!isSuccess(exchange)) return;
    const body = jsonOf(exchange);
    const shape = instanceShape(exchange, body, by);
    const shown: Difference[] = [];
    const clauses = clausesOfInstance(body, by);
    if (isObject(body)) {
      for (const field of FIELDS)
        if (Object.hasOwn(body, field)) this.#fieldsShown.set(field, (this.#fieldsShown.get(field) ?? new Set()).add(by));
      const expected = "absent, because the update sent no limits";
      if (by === "update without limits" && isAlone && Object.hasOwn(body, "limits"))
        shape.push({ clause: "admin-4.2", path: "limits", expected, actual: showLimits(body["limits"]), kind: "present" });
      const beganAt = exchange.endedAt - exchange.durationMs;
      const possible = this.#instances.get(name);
      if (possible?.hasShownCreation === true) clauses.push("admin-2.created-at-unchanged");
      shown.push(...(possible?.differences({ body, by, beganAt }) ?? []));
      if (isObject(body["limits"])) this.#limits.note(body["limits"], (limit, value) => possible?.wasSent(limit, value) === true);
    }
    this.#note(exchange, by, shape, shown, clauses);
  }

  #judgeLogs(exchange: Exchange, subject: LogRead): void {
    if (!isSuccess(exchange)) this.#answers.noteRefused(exchange);
    if (!isSuccess(exchange) || !isDocumented(subject)) return;
    const body = jsonOf(exchange);
    const shape =
      body === undefined ? notJson(OPERATION_CLAUSES[subject.kind], exchange) : asEntries(body, answerDifferences(subject.kind, body));
    const shown = shape.length > 0 ? [] : this.#logsShown(exchange, subject, body);
    this.#note(exchange, null, shape, shown, clausesOfLogs(body, subject.kind));
  }

  #logsShown(exchange: Exchange, subject: LogRead, body: unknown): Difference[] {
    const { kind, tenant } = subject;
    if (kind === "query") return [];
    if (kind === "query_range") {
      const streams = rangeStreams(body);
      if (tenant === null || !tenant.includes("|")) this.pushed.shown(tenant, streams);
      return this.pushed.invented(streams, [RUN_LABEL, this.#options.runId]);
    }
    const beganAt = exchange.endedAt - exchange.durationMs;
    return this.isClockKnown ? this.listDifferences(member(body, "data"), subject, beganAt - this.#options.settleTimeoutMs) : [];
  }

  /** Whether the clocks of the target and this machine agree. If not, the age of pushed labels by the service's clock is unknown. */
  get isClockKnown(): boolean {
    return Math.abs(this.#options.logsOffsetMs()) < MOST_APART_MS;
  }

  /** Returns the missing labels of a list. A label must be in the list if its push was acknowledged in time and a read has shown it. */
  listDifferences(
    data: unknown,
    { kind, tenant, name = "" }: Pick<LogRead, "kind" | "tenant" | "name">,
    acknowledgedBy: number,
  ): Difference[] {
    const time = { now: BigInt(Math.floor(this.#options.logsNow())) * 1_000_000n, acknowledgedBy };
    const wanted = kind === "labels" ? this.pushed.names(tenant, time) : this.pushed.values(tenant, name, time);
    const list = new Set<unknown>(Array.isArray(data) ? data : []);
    const [first, ...others] = [...wanted].filter(([one]) => !list.has(one));
    if (first === undefined) return [];
    const more = others.length === 0 ? "" : `, and ${others.length} more`;
    return [
      {
        clause: kind === "labels" ? "logs-4.labels" : "logs-4.label-values",
        path: kind === "labels" ? "data (label names)" : `data (values of ${name})`,
        expected: `${show(first[0])} in the list${more}, because the stream ${show(first[1], 100)} was pushed and a read has shown it`,
        actual: missingItemText([first[0], ...others.map(([one]) => one)], [...list]),
        kind: "lost",
      },
    ];
  }

  #note(
    exchange: Exchange,
    by: Shown["by"] | null,
    shape: readonly Difference[],
    shown: readonly Difference[],
    clauses: readonly ClauseId[],
  ): void {
    this.#judged[by === null ? "logs" : "admin"] += 1;
    const wrong = new Set(blamed([...shape, ...shown]));
    if (wrong.size > 0) this.#impossible.set(exchange, new Set([...shape, ...shown].map(({ path }) => path)));
    for (const clause of clauses) if (!wrong.has(clause)) this.#held.set(clause, exchange);
    for (const clause of wrong) this.#responses.set(clause, (this.#responses.get(clause) ?? 0) + 1);
    for (const [index, difference] of [...shape, ...shown].entries())
      this.#add({ difference, exchange, by, isShape: index < shape.length });
  }

  /** Remembers that a read did not return a dataset as it was pushed, because the run may have no other check of this dataset. */
  noteDataset({ differences, exchanges: [exchange] }: Pick<Finding, "differences" | "exchanges">): void {
    if (exchange === undefined) return;
    for (const difference of differences) this.#add({ difference, exchange, by: null, isShape: false });
    for (const clause of blamed(differences)) this.#responses.set(clause, (this.#responses.get(clause) ?? 0) + 1);
  }

  #add(seen: Seen): void {
    const { clause } = seen.difference;
    const known = this.#findings.get(clause) ?? [];
    this.#findings.set(clause, known);
    if (known.length < MOST_FINDINGS) known.push(seen);
  }

  held(service: Service): ReadonlyMap<ClauseId, Exchange> {
    return new Map([...this.#held].filter(([clause]) => clause.startsWith(service)));
  }

  /** Returns the violations that responses showed. Excludes the clauses in `failed` and their known consequences. */
  wrong(service: Service, failed: ReadonlySet<string>): Wrong[] {
    const isTold = (finding: Seen): boolean => {
      const clause = this.#clauseOf(finding);
      const isFollowing = !finding.isShape && [...failed].some((cause) => isConsequence(clause, cause));
      return clause.startsWith(service) && !failed.has(clause) && !isFollowing;
    };
    const told = [...this.#findings.values()].flat().filter(isTold);
    return [...grouped(told, (finding) => this.#clauseOf(finding))].map(([clause, findings]) => ({
      clause,
      differences: findings.map(({ difference }) => ({ ...difference, clause })),
      exchange: findings[0].exchange,
      responses: this.#responses.get(findings[0].difference.clause) ?? findings.length,
    }));
  }

  /** If a field is missing only in the responses of one operation, the clause of this operation is violated. */
  #clauseOf({ difference: { clause, path, actual }, by }: Seen): ClauseId {
    if (by === null || actual !== "absent" || !FIELDS.some((field) => field === path)) return clause;
    const shownBy = this.#fieldsShown.get(path) ?? new Set();
    if (shownBy.size === 0) return clause;
    if (by === "read") return "admin-4.GET";
    return by === "update without limits" && shownBy.has("update with limits") ? "admin-4.2" : "admin-4.PUT";
  }
}

function instanceShape(exchange: Exchange, body: unknown, by: Shown["by"]): Difference[] {
  if (body === undefined) return notJson("admin-4.json", exchange);
  const differences = answerDifferences(by === "read" ? "read instance" : "update instance", body);
  // Earlier writes decide whether a limit may be missing. So the comparison with the documented shape ignores missing limits.
  return differences.filter(({ path, actual }) => !(path.startsWith("limits.") && actual === "absent"));
}

/** Whether the documents describe the request: a log query sent to `query_range`, or a metric query with a selector sent to `query`. */
function isDocumented({ kind, query = "" }: LogRead): boolean {
  if (kind === "query_range") return query.trimStart().startsWith("{");
  return kind !== "query" || (query.includes("{") && !query.trimStart().startsWith("{"));
}

function notJson(clause: ClauseId, exchange: Exchange): Difference[] {
  return [{ clause, path: "body", expected: "a JSON object", actual: showInvalid(exchange.response?.body ?? ""), kind: "form" }];
}

/** Returns the clauses that a response to a log query shows as held, if the whole response is right. */
function clausesOfLogs(body: unknown, kind: LogRead["kind"]): ClauseId[] {
  const result = member(member(body, "data"), "result");
  const isFull = Array.isArray(result) && result.length > 0;
  if (kind === "query_range")
    return [OPERATION_CLAUSES[kind], "logs-2.range-result", ...(isFull ? (["logs-2.Stream", "logs-2.Entry", "logs-2.1"] as const) : [])];
  return [OPERATION_CLAUSES[kind], ...(kind === "query" && isFull ? (["logs-2.instant-result"] as const) : [])];
}

function clausesOfInstance(body: unknown, by: Shown["by"]): ClauseId[] {
  const own: ClauseId[] = by === "read" ? ["admin-4.GET"] : by === "update with limits" ? ["admin-4.PUT"] : ["admin-4.PUT", "admin-4.2"];
  if (!isObject(body)) return own;
  const fields = FIELDS.filter((field) => Object.hasOwn(body, field)).map((field): ClauseId => `admin-2.field.${field}`);
  return ["admin-4.json", ...own, ...fields, "admin-2.field.limits", ...rowsOf(body)];
}

function rowsOf({ limits }: JsonObject): ClauseId[] {
  if (!isObject(limits)) return [];
  return LIMIT_NAMES.filter((name) => Object.hasOwn(limits, name)).map((name): ClauseId => `admin-2.limit.${name}`);
}

/**
 * Remembers all values that writes can have given to an instance. A read may lag, but must not show any other value. Because of lag,
 * possible values are never removed. A service may show some changes of a write before others, so each field has its own list of values.
 */
import { isDeepStrictEqual } from "node:util";
import type { ClauseId } from "../contract/catalogue.ts";
import { isLimitName, LIMIT_NAMES, type LimitName, LIMITS, type Limits } from "../contract/limits.ts";
import { type Difference, show, difference } from "./difference.ts";
import { isObject, type JsonObject, member } from "./json.ts";
import { underExactNames } from "./limit-names.ts";
import { globalDefaults, hasLimitType, sameAsRead, showLimits, yearsThatFit } from "./limits.ts";
import { parseRfc3339, type DaysOfYear, YEARS } from "./times.ts";

export interface Write {
  readonly kind: "create" | "update";
  /** The parsed body of the request, or undefined if it was not JSON. */
  readonly body: unknown;
  /** The value of `performance.now()` when the write was sent. */
  readonly sentAt: number;
}

export interface Shown {
  readonly body: JsonObject;
  /** The kind of the request: a read, an update with limits, or an update without limits. */
  readonly by: "read" | "update with limits" | "update without limits";
  /** The value of `performance.now()` when the request for this response was sent. */
  readonly beganAt: number;
}

/** The time from the request of a write to its response, in values of `performance.now()`. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface Possible {
  /** The possible values: sent values, defaults, and values that a read showed when the default was unknown. */
  readonly values: unknown[];
  /** Whether the limit may have a default that neither the documents nor a read have shown yet. */
  isOpen: boolean;
}

/** Learns how many days a service counts for a year. The number must be the same for all values of a run. */
export class YearLengths {
  #possible: readonly DaysOfYear[] = YEARS;

  /** Records that one of `written` was sent and `shown` was shown. Returns true if one length of a year fits all durations so far. */
  fits(written: readonly unknown[], shown: unknown): boolean {
    const fitting = new Set(written.flatMap((one) => yearsThatFit(one, shown)));
    // If no length of a year fits this duration, the value itself is wrong.
    if (fitting.size === 0) return true;
    const left = this.#possible.filter((days) => fitting.has(days));
    if (left.length === 0) return false;
    this.#possible = left;
    return true;
  }
}

/** If at least this number of limits is wrong, this violates the clause of the request that set them, and not the clauses of the limits. */
const MANY_LIMITS = 3;

/** For each kind of write with limits, the clause that is violated if many limits are wrong after it. */
const SET_BY = { create: "admin-4.1", adding: "admin-4.3", over: "admin-4.PUT-over-limits" } as const satisfies Record<string, ClauseId>;

/** In ms. A write that is sent later than this time after a failed write counts as independent of the failed write. */
export const LONGEST_LATE_MS = 5_000;

export class PossibleValues {
  readonly #name: string;
  readonly #years: YearLengths;
  readonly #defaults: ReturnType<typeof globalDefaults>;
  readonly #displayNames = new Set<string>();
  readonly #clusters = new Set<string>();
  #createdAt: { readonly ns: bigint; readonly text: string } | null = null;
  readonly #limits = new Map<LimitName, Possible>();
  /** Whether a write may have left the instance without limits (`#wasWithout`), or with limits (`#wasWith`). */
  #wasWithout = false;
  #wasWith = false;
  #setBy: (typeof SET_BY)[keyof typeof SET_BY] = SET_BY.create;
  /** Whether a read that began after the last write has shown all limits. */
  #isFilled = false;
  /** The fields and limits for which a response since the last write has shown a possible value. */
  readonly #shownRight = new Set<string>();
  /** The writes of the instance without a response. Such a write may still take effect. */
  readonly #open = new Set<Write>();
  readonly #overlapped = new WeakSet<Write>();
  /** For each failed write, the time at which it got a 5xx, or was given up without a response. */
  readonly #failedAt = new Map<Write, number>();
  #lastAnsweredAt = 0;
  /** Whether the body of a write was not JSON. Such a write may have set any value. */
  #isUnknown = false;
  /** The instance in the last response that showed it. */
  #shown: JsonObject = {};
  /** For each write, the instance in the last response before the write. */
  readonly #before: { readonly sentAt: number; readonly body: JsonObject; readonly sent: unknown }[] = [];
  /** The sent display names that reads have shown. */
  readonly #shownNames = new Set<string>();
  /** The times of the answered writes, in the order of their responses. */
  readonly #spans: Span[] = [];
  /** The number of creates with the name of this instance. A second create may replace the instance. */
  #creates = 0;

  /** `overrides`: the global defaults that differ from the table. `years`: the lengths of a year that fit all instances of the run. */
  constructor(name: string, overrides: Limits, years: YearLengths = new YearLengths()) {
    this.#name = name;
    this.#years = years;
    this.#defaults = globalDefaults(overrides);
  }

  /** Records a write just before the write is sent. */
  sending(write: Write): void {
    for (const other of this.#open)
      if (write.sentAt - (this.#failedAt.get(other) ?? Infinity) < LONGEST_LATE_MS) this.#overlapped.add(other).add(write);
    this.#open.add(write);
    this.#before.push({ sentAt: write.sentAt, body: this.#shown, sent: write.body });
    const { kind, body } = write;
    if (kind === "create") this.#creates += 1;
    if (!isObject(body)) {
      this.#isUnknown = true;
      return;
    }
    if (typeof body["display_name"] === "string") this.#displayNames.add(composed(body["display_name"]));
    if (typeof body["cluster"] === "string") this.#clusters.add(composed(body["cluster"]));
    this.#isFilled = false;
    this.#shownRight.clear();
    // If `limits` is null or an empty object, the documents do not say whether the instance has limits afterwards.
    const { limits } = body;
    const isUnclear = Object.hasOwn(body, "limits") && (!isObject(limits) || Object.keys(limits).length === 0);
    if (isUnclear || !Object.hasOwn(body, "limits")) this.#wasWithout = true;
    if (!Object.hasOwn(body, "limits")) return;
    this.#setBy = kind === "create" ? SET_BY.create : this.#wasWith ? SET_BY.over : SET_BY.adding;
    this.#wasWith = true;
    const sent = isObject(limits) ? limits : {};
    for (const name of LIMIT_NAMES) this.#allow(name, sent);
  }

  #allow(name: LimitName, sent: JsonObject): void {
    const known = this.#limits.get(name) ?? { values: [], isOpen: false };
    this.#limits.set(name, known);
    const value = Object.hasOwn(sent, name) ? sent[name] : this.#defaults[name];
    if (value === undefined) known.isOpen = true;
    else if (!known.values.some((one) => isDeepStrictEqual(one, value))) known.values.push(value);
  }

  /** Records that a write was answered, or that no response will arrive. */
  answered(write: Write, isAnswered: boolean, at: number): void {
    this.#spans.push({ from: write.sentAt, to: at });
    if (isAnswered) this.#open.delete(write);
    else this.#failedAt.set(write, at);
    this.#lastAnsweredAt = Math.max(this.#lastAnsweredAt, at);
  }

  /** Whether a response has shown the `created_at` of the instance. */
  get hasShownCreation(): boolean {
    return this.#createdAt !== null;
  }

  /** Returns the time of the last write before a time, or 0. The unit is that of `performance.now()`. */
  lastWriteBefore(time: number): number {
    return this.#before.findLast(({ sentAt }) => sentAt <= time)?.sentAt ?? 0;
  }

  /** The number of sent display names that reads have shown. */
  get namesShown(): number {
    return this.#shownNames.size;
  }

  /** Returns what the last two writes before a time have in common: their whole body, their display name, or nothing (then null). */
  repeatedBefore(time: number): "body" | "display name" | null {
    const [last, previous] = this.#before.filter(({ sentAt }) => sentAt <= time).toReversed();
    if (last === undefined || previous === undefined) return null;
    if (isDeepStrictEqual(last.sent, previous.sent)) return "body";
    const name = member(last.sent, "display_name");
    return name !== undefined && name === member(previous.sent, "display_name") ? "display name" : null;
  }

  /** Returns the time of the last answered write that was sent before a time. */
  lastSpanBefore(time: number): Span | undefined {
    return this.#spans.findLast(({ from }) => from <= time);
  }

  /**
   * Says where a wrong value comes from: the global default of its limit, the value before the last write, another earlier write of this
   * instance, or none of them (then null). `shownAt`, if known: the value of `performance.now()` when a response showed the value.
   */
  originOf(path: string, value: unknown, shownAt?: number): "default" | "before" | "written" | null {
    const before = shownAt === undefined ? undefined : this.#before.findLast(({ sentAt }) => sentAt <= shownAt)?.body;
    const limit = /^limits\.(\w+)$/.exec(path)?.[1] ?? "";
    if (isLimitName(limit)) {
      const isEqual = (one: unknown): boolean => one !== undefined && sameAsRead(limit, one, value);
      if (isEqual(this.#defaults[limit])) return "default";
      if (isEqual(member(before?.["limits"], limit))) return "before";
      return this.#limits.get(limit)?.values.some(isEqual) === true ? "written" : null;
    }
    if (before?.[path] !== undefined && before[path] === value) return "before";
    const sent = path === "display_name" ? this.#displayNames : path === "cluster" ? this.#clusters : null;
    return typeof value === "string" && sent?.has(composed(value)) === true ? "written" : null;
  }

  /** Whether a value of a limit was sent to this instance, and is not the default of the limit. */
  wasSent(limit: LimitName, value: unknown): boolean {
    const isEqual = (one: unknown): boolean => sameAsRead(limit, one, value);
    return this.#limits.get(limit)?.values.some(isEqual) === true && !isEqual(this.#defaults[limit]);
  }

  /** Returns another limit of this instance than `except` that was sent with this value, or null. */
  limitSentAs(value: unknown, except: string): LimitName | null {
    return LIMIT_NAMES.find((name) => name !== except && this.originOf(`limits.${name}`, value) === "written") ?? null;
  }

  /** Whether no other write of the instance was in flight together with `write`. */
  wasAlone(write: Write): boolean {
    return !this.#overlapped.has(write);
  }

  /** Returns a difference for each value in a response that no write can have produced. Remembers the possible values that the response shows. */
  differences(shown: Shown): Difference[] {
    const { body, by } = shown;
    this.#shown = body;
    if (this.#isUnknown) return [];
    const isRead = by === "read";
    const found = [
      ...this.#textDifference(shown, "name", new Set([this.#name])),
      ...this.#textDifference(shown, "display_name", this.#displayNames),
      ...this.#textDifference(shown, "cluster", this.#clusters),
      ...this.#createdAtDifference(body),
    ];
    const { limits } = body;
    if (Object.hasOwn(body, "limits") && !isObject(limits)) return found;
    if (!isObject(limits)) {
      const isImpossible = isRead && this.#isFilled && !this.#wasWithout;
      const expected = "limits, because an earlier read showed them and no write removed them";
      return isImpossible ? [...found, difference("admin-4.GET", "limits", expected, "absent")] : found;
    }
    if (!this.#wasWith) {
      const expected = "absent, because no write of this instance sent limits";
      // Limits in the response to an update without limits are not judged here, because a separate check judges them.
      return isRead ? [...found, difference("admin-2.field.limits", "limits", expected, showLimits(limits), "present")] : found;
    }
    return [...found, ...this.#limitDifferences(underExactNames(limits), shown)];
  }

  #textDifference({ body, by }: Shown, field: "name" | "display_name" | "cluster", possible: ReadonlySet<string>): Difference[] {
    const text = body[field];
    if (typeof text !== "string") return [];
    if (possible.has(composed(text))) {
      this.#shownRight.add(field);
      if (field === "display_name" && by === "read") this.#shownNames.add(composed(text));
      return [];
    }
    const values = [...possible].slice(-3).map((one) => show(one));
    const expected =
      values.length === 1 ? `${values[0]}, the only value that was written` : `a value that was written, such as ${values.join(" or ")}`;
    return [difference(this.#shownRight.has(field) ? operationOf(by) : `admin-2.field.${field}`, field, expected, show(text))];
  }

  #createdAtDifference(body: JsonObject): Difference[] {
    const text = body["created_at"];
    const stamp = typeof text === "string" ? parseRfc3339(text) : null;
    if (typeof text !== "string" || stamp === null || this.#creates > 1) return [];
    this.#createdAt ??= { ns: stamp.epochNs, text };
    if (this.#createdAt.ns === stamp.epochNs) return [];
    const expected = `${show(this.#createdAt.text)}, as an earlier response showed it`;
    const actual = `${show(text)}${distanceText(stamp.epochNs - this.#createdAt.ns)}`;
    return [difference("admin-2.created-at-unchanged", "created_at", expected, actual)];
  }

  #limitDifferences(limits: JsonObject, { by, beganAt }: Shown): Difference[] {
    const isLater = beganAt >= this.#lastAnsweredAt && this.#open.size === 0;
    const missing: LimitName[] = [];
    const wrong: LimitName[] = [];
    const years: LimitName[] = [];
    for (const name of LIMIT_NAMES) {
      if (!Object.hasOwn(limits, name)) missing.push(name);
      // A value of a wrong type is not judged here, because the comparison with the schema reports it.
      else if (!hasLimitType(name, limits[name])) continue;
      else if (!this.#isPossible(name, limits[name], isLater)) wrong.push(name);
      else if (LIMITS[name].type === "retention" && !this.#years.fits(this.#limits.get(name)?.values ?? [], limits[name])) years.push(name);
      else if (isLater && by === "read") this.#shownRight.add(name);
    }
    if (missing.length === 0 && by === "read" && isLater) this.#isFilled = true;
    const operation = operationOf(by);
    const lost = by === "read" && this.#isFilled ? missing : [];
    return [
      ...lost.map((name) => difference(operation, `limits.${name}`, "present, because an earlier read showed all limits", "absent")),
      ...[...wrong, ...years].map((name): Difference => ({
        clause: this.#shownRight.has(name) ? operation : wrong.length >= MANY_LIMITS ? this.#setBy : rowOf(name),
        path: `limits.${name}`,
        expected:
          shownValues(this.#limits.get(name)?.values ?? []) + (years.includes(name) ? ", with years as long as in other responses" : ""),
        actual: show(limits[name]),
      })),
    ];
  }

  #isPossible(name: LimitName, value: unknown, isLater: boolean): boolean {
    const possible = this.#limits.get(name);
    if (possible === undefined || possible.values.some((candidate) => sameAsRead(name, candidate, value))) return true;
    if (!possible.isOpen) return false;
    // For some limits, the documents show no default. The first read that cannot lag shows it.
    if (isLater) {
      possible.values.push(value);
      possible.isOpen = false;
    }
    return true;
  }
}

function shownValues(values: readonly unknown[]): string {
  const latest = values.slice(-3).map((value) => show(value));
  return latest.length === values.length
    ? `${latest.join(" or ")}, the only ${values.length === 1 ? "value that a write" : "values that writes"} can have set`
    : `one of the ${values.length} values that writes can have set, such as ${latest.join(" or ")}`;
}

function operationOf(by: Shown["by"]): ClauseId {
  return by === "read" ? "admin-4.GET" : "admin-4.PUT";
}

function rowOf(name: LimitName): ClauseId {
  return name === "compactor_blocks_retention_period" ? "admin-2.retention-format" : `admin-2.limit.${name}`;
}

/** Returns a text in composed form (NFC). The documents do not say whether a service composes letters and accents. */
function composed(text: string): string {
  return text.normalize("NFC");
}

const SECOND_NS = 1_000_000_000n;

/** Returns a text such as ` (3600 s later)`, or an empty text if the time is not a whole number of seconds. */
function distanceText(ns: bigint): string {
  return ns % SECOND_NS === 0n ? ` (${ns > 0n ? ns / SECOND_NS : -ns / SECOND_NS} s ${ns > 0n ? "later" : "earlier"})` : "";
}

/** Records all pushes: reads may show only pushed data, and lists must have pushed labels. To save memory, lines are not copied. */
import type { ClauseId } from "../contract/catalogue.ts";
import { isSubset } from "./assigned.ts";
import { type Difference, show, difference } from "./difference.ts";
import { placedKey } from "./missing-entries.ts";
import { pushText, type SentPush } from "./push-places.ts";
import { type Entry, labelKey, type Labels, type Stream } from "./logs.ts";

/** The maximum age of the newest entry of a stream whose labels a list must have, in ns. Lists may cover only some minutes. */
const LISTED_FOR = 300_000_000_000n;

interface PushedStream {
  readonly labels: Labels;
  /** The size of all log lines that were pushed to the stream, in bytes. */
  bytes: number;
  /** The timestamp of the newest acknowledged entry, in nanoseconds, or null if no entry was acknowledged. */
  newest: bigint | null;
  /** The value of `performance.now()` when the last push of this stream was acknowledged. */
  acknowledgedAt: number;
  /** Whether a read has shown the newest entry of the stream. */
  isSeen: boolean;
}

/** The times that decide which labels a list must have. */
interface ListTime {
  /** The time at the target, in nanoseconds since 1970. */
  readonly now: bigint;
  /** A value of `performance.now()`. A list must have a label if a read has shown it, and its push was acknowledged before this time. */
  readonly acknowledgedBy: number;
}

export class Pushed {
  /** The pushed log lines, by tenant and then by timestamp. Most timestamps have a single line. */
  readonly #lines = new Map<string, Map<bigint, string | Set<string>>>();
  /** The pushed streams, by tenant and then by label set. */
  readonly #streams = new Map<string, Map<string, PushedStream>>();
  readonly #names = new Set<string>();
  /** The labels in push bodies that cannot be read as streams. A read may show any entry of a stream with such labels. */
  readonly #unreadable: ReadonlySet<string>[] = [];

  /** The acknowledged pushes, in the order of their responses. */
  readonly #pushes: SentPush[] = [];
  #lastAcknowledgedAt = 0;

  /** The value of `performance.now()` when the last push of the run was acknowledged. */
  get lastAcknowledgedAt(): number {
    return this.#lastAcknowledgedAt;
  }

  /** Records a push just before it is sent. `sent` has the streams of the push, or the text of a body that cannot be read as streams. */
  sending(tenant: string | null, sent: readonly Stream[] | string): void {
    if (typeof sent === "string") {
      const pairs = [...sent.matchAll(LABEL)];
      for (const [, name = ""] of pairs) this.#names.add(name);
      this.#unreadable.push(new Set(pairs.map(([, name = "", value = ""]) => pairText(name, value))));
      return;
    }
    const own = this.#of(tenant);
    const lines = this.#lines.get(tenant ?? "") ?? new Map<bigint, string | Set<string>>();
    this.#lines.set(tenant ?? "", lines);
    for (const { labels, entries } of sent) {
      for (const name of Object.keys(labels)) this.#names.add(name);
      const key = labelKey(labels);
      const stream = own.get(key) ?? { labels, bytes: 0, newest: null, acknowledgedAt: 0, isSeen: false };
      own.set(key, stream);
      stream.bytes += entries.reduce((sum, { line }) => sum + Buffer.byteLength(line), 0);
      for (const { ts, line } of entries) {
        const known = lines.get(ts);
        if (known === undefined) lines.set(ts, line);
        else if (typeof known !== "string") known.add(line);
        else if (known !== line) lines.set(ts, new Set([known, line]));
      }
    }
  }

  acknowledged(tenant: string | null, streams: readonly Stream[], at: number): void {
    this.#pushes.push({ tenant, streams, at });
    for (const { labels, entries } of streams) {
      const stream = this.#of(tenant).get(labelKey(labels));
      if (stream === undefined) continue;
      stream.acknowledgedAt = at;
      this.#lastAcknowledgedAt = Math.max(this.#lastAcknowledgedAt, at);
      for (const { ts } of entries) {
        if (stream.newest !== null && ts <= stream.newest) continue;
        stream.newest = ts;
        stream.isSeen = false;
      }
    }
  }

  /** Says where the missing entries of a response to a tenant were in its pushes. Returns no words if the places show nothing. */
  placeOf({ gone, wanted }: NonNullable<Difference["missing"]>, tenant: string | null): string {
    const isGone = new Set(gone.map(placedKey));
    const left = wanted.filter((entry) => !isGone.has(placedKey(entry)));
    const own = this.#pushes.filter((push) => push.tenant === tenant);
    return left.length === 0 ? "" : pushText(gone, left, own);
  }

  /** Records the entries that a read of a tenant has shown. */
  shown(tenant: string | null, streams: readonly Stream[]): void {
    const own = this.#of(tenant);
    for (const { labels, entries } of streams) {
      const pushed = own.get(labelKey(this.#known(labels)));
      if (pushed === undefined || pushed.isSeen) continue;
      if (entries.some(({ ts }) => ts === pushed.newest)) pushed.isSeen = true;
    }
  }

  /** Returns a difference for each entry or label set in a response that was never pushed, in streams with the label `mark`. */
  invented(streams: readonly Stream[], mark: readonly [name: string, value: string]): Difference[] {
    const own = streams.filter(({ labels }) => labels[mark[0]] === mark[1] && !this.#isOpen(labels));
    const stranger = own.find(({ labels, entries }) => entries.length > 0 && !this.#isPushed(labels));
    if (stranger !== undefined) {
      const expected = "the labels of a stream that was pushed, and possibly more";
      const merged = this.#mergedFrom(stranger.labels);
      const actual = `${show(stranger.labels)}${merged === null ? "" : `, which merges ${merged.map((one) => show(one)).join(" and ")}`}`;
      return [difference("logs-2.Stream", "data.result (stream)", expected, actual)];
    }
    for (const { entries } of own) for (const entry of entries) if (!this.#wasPushed(entry)) return [this.#inventedEntry(entry)];
    return [];
  }

  #wasPushed({ ts, line }: Entry): boolean {
    for (const lines of this.#lines.values()) if (hasLine(lines.get(ts), line)) return true;
    return false;
  }

  /** The number of streams of all tenants that have an acknowledged entry. */
  get acceptedStreams(): number {
    return [...this.#streams.values()].reduce((sum, own) => sum + [...own.values()].filter(({ newest }) => newest !== null).length, 0);
  }

  /** Returns the size of all lines that were pushed to streams with this label, in bytes. */
  bytesOf(name: string, value: string): number {
    const streams = [...this.#streams.values()].flatMap((own) => [...own.values()]);
    return streams.reduce((sum, { labels, bytes }) => sum + (labels[name] === value ? bytes : 0), 0);
  }

  /** Returns the line that was pushed with a timestamp, or null if no line or several lines were pushed with it. */
  lineAt(ts: bigint): string | null {
    const lines = [...this.#lines.values()].flatMap((own) => own.get(ts) ?? []);
    const [line, ...others] = new Set(lines.flatMap((one) => (typeof one === "string" ? one : [...one])));
    return line === undefined || others.length > 0 ? null : line;
  }

  /** Returns the tenants for which an entry was pushed. Null stands for requests without a tenant. */
  ownersOf(ts: bigint, line: string): (string | null)[] {
    return [...this.#lines].filter(([, lines]) => hasLine(lines.get(ts), line)).map(([tenant]) => (tenant === "" ? null : tenant));
  }

  /** Returns two pushed label sets that together have all of `labels`, or null. `labels` itself was never pushed. */
  #mergedFrom(labels: Labels): readonly [Labels, Labels] | null {
    const pushed = [...this.#streams.values()].flatMap((streams) => [...streams.values()].map((one) => one.labels));
    const missing = (one: Labels, names: readonly string[]): string[] => names.filter((name) => one[name] !== labels[name]);
    const names = Object.keys(this.#known(labels));
    const [nearest] = pushed.toSorted((one, other) => missing(one, names).length - missing(other, names).length);
    if (nearest === undefined) return null;
    const rest = missing(nearest, names);
    const second = rest.length === 0 || rest.length === names.length ? undefined : pushed.find((one) => missing(one, rest).length === 0);
    return second === undefined ? null : [nearest, second];
  }

  #inventedEntry({ ts, line }: Entry): Difference {
    const actual = show([ts.toString(), line]);
    const path = "data.result (values)";
    const all = [...this.#lines.values()];
    if (all.some((lines) => lines.has(ts))) return difference("logs-2.Entry", path, "the line that was pushed at this timestamp", actual);
    const clause: ClauseId = all.some((lines) => [...lines.values()].some((known) => hasLine(known, line)))
      ? "logs-2.1"
      : "logs-4.query_range";
    return {
      clause,
      path,
      expected: clause === "logs-2.1" ? "the timestamp that this line was pushed with" : "entries that were pushed",
      actual,
    };
  }

  /** Returns the label names that a list must contain. As evidence, each has the label set of a stream with this name. */
  names(tenant: string | null, time: ListTime): ReadonlyMap<string, Labels> {
    return new Map(this.#listed(tenant, time).flatMap((labels) => Object.keys(labels).map((name) => [name, labels] as const)));
  }

  /** Returns the label values that a list must contain. As evidence, each has the label set of a stream with this value. */
  values(tenant: string | null, name: string, time: ListTime): ReadonlyMap<string, Labels> {
    const labelled = this.#listed(tenant, time).filter((labels) => Object.hasOwn(labels, name));
    return new Map(labelled.map((labels) => [labels[name] ?? "", labels] as const));
  }

  #listed(tenant: string | null, { now, acknowledgedBy }: ListTime): Labels[] {
    return [...this.#of(tenant).values()]
      .filter(
        ({ newest, isSeen, acknowledgedAt }) => newest !== null && isSeen && acknowledgedAt <= acknowledgedBy && newest >= now - LISTED_FOR,
      )
      .map(({ labels }) => labels);
  }

  #of(tenant: string | null): Map<string, PushedStream> {
    const known = this.#streams.get(tenant ?? "") ?? new Map<string, PushedStream>();
    this.#streams.set(tenant ?? "", known);
    return known;
  }

  /** Removes the labels whose names the run has not pushed, because the service may have added them. */
  #known(labels: Labels): Labels {
    return Object.fromEntries(Object.entries(labels).filter(([name]) => this.#names.has(name)));
  }

  /** Whether a push body that cannot be read has all labels of a stream. */
  #isOpen(labels: Labels): boolean {
    if (this.#unreadable.length === 0) return false;
    const pairs = Object.entries(this.#known(labels)).map(([name, value]) => pairText(name, value));
    return this.#unreadable.some((unreadable) => pairs.every((pair) => unreadable.has(pair)));
  }

  #isPushed(labels: Labels): boolean {
    const tenants = [...this.#streams.values()];
    const isStream = (one: Labels): boolean => tenants.some((streams) => streams.has(labelKey(one)));
    if (isStream(labels) || isStream(this.#known(labels))) return true;
    // A service may add a label whose name was pushed for another stream. So a stream with more labels is accepted.
    return tenants.some((streams) => [...streams.values()].some((one) => isSubset(one.labels, labels)));
  }
}

/** Matches a label name and its value, as JSON writes a member of an object. */
const LABEL = /"([A-Za-z_]\w*)"\s*:\s*"((?:[^"\\]|\\.)*)"/g;

function pairText(name: string, value: string): string {
  return `${name} ${value}`;
}

function hasLine(lines: string | ReadonlySet<string> | undefined, line: string): boolean {
  return typeof lines === "string" ? lines === line : lines?.has(line) === true;
}

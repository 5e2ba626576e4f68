/** What the scripts of the seams are written with: a fixed clock, pushes of many entries, reads. */
import type { Answer, Bench } from "../testing.ts";

/** The clock of every server in these scripts, ms: twenty to nine. */
export const NOW_MS = Date.UTC(2027, 0, 15, 8, 40);

const NOW = BigInt(NOW_MS) * 1_000_000n;
export const MILLISECOND = 1_000_000n;
export const SECOND = 1_000_000_000n;
export const MINUTE = 60n * SECOND;
export const HOUR = 60n * MINUTE;
/** The last full hour. */
export const FULL_HOUR = (NOW / HOUR) * HOUR;

export function ago(ns: bigint): bigint {
  return NOW - ns;
}

export type Labels = Readonly<Record<string, string>>;
export type Pairs = readonly (readonly [ts: bigint, line: string])[];

/** What a script saw: one text for each answer. */
export type Seen = readonly string[];
export type Script = (client: Client) => Promise<Seen>;

/** An answer is not what was expected of it. */
export class Differs extends Error {}

/** What a script saw so far. Where it is told what to expect, it ends at the first answer that differs. */
export class Transcript {
  readonly seen: string[] = [];
  readonly #expected: Seen | null;

  constructor(expected: Seen | null) {
    this.#expected = expected;
  }

  /** Throws {@link Differs} at the first answer that is not the expected one. */
  add(...answers: readonly string[]): void {
    for (const answer of answers) {
      if (this.#expected !== null && answer !== this.#expected[this.seen.length]) throw new Differs(answer);
      this.seen.push(answer);
    }
  }
}

function seen({ status, text }: Answer): string {
  return `${status} ${text}`;
}

/** One tenant's requests. */
export class Client {
  readonly #bench: Bench;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(bench: Bench, tenant: string) {
    this.#bench = bench;
    this.#headers = { "x-scope-orgid": tenant };
  }

  as(tenant: string): Client {
    return new Client(this.#bench, tenant);
  }

  /** Pushes streams in one body. */
  async push(...streams: readonly { readonly labels: Labels; readonly pairs: Pairs }[]): Promise<string> {
    const body = streams.map(({ labels, pairs }) => ({ stream: labels, values: pairs.map(([ts, line]) => [ts.toString(), line]) }));
    const headers = { ...this.#headers, "content-type": "application/json" };
    return seen(await this.#bench.send("POST", "/logs/api/v1/push", JSON.stringify({ streams: body }), headers));
  }

  async range(query: string, parameters: Readonly<Record<string, string | bigint>> = {}): Promise<string> {
    const window = { start: ago(30n * MINUTE), end: ago(0n), limit: "5000", direction: "backward", ...parameters };
    return seen(await this.#bench.get("query_range", asText({ query, ...window }), this.#headers));
  }

  /** The same range query in both directions, one after the other. */
  async both(query: string, parameters: Readonly<Record<string, string | bigint>> = {}): Promise<Seen> {
    const directions = ["backward", "forward"];
    return inTurn(directions.map((direction) => async () => this.range(query, { ...parameters, direction })));
  }

  async instant(query: string, time: bigint = ago(0n)): Promise<string> {
    return seen(await this.#bench.get("query", { query, time: time.toString() }, this.#headers));
  }

  async names(): Promise<string> {
    return seen(await this.#bench.get("labels", {}, this.#headers));
  }

  async values(name: string): Promise<string> {
    return seen(await this.#bench.get(`label/${name}/values`, {}, this.#headers));
  }
}

function asText(parameters: Readonly<Record<string, string | bigint>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, value.toString()]));
}

/** `count` entries from `from` on, `step` apart. */
export function entries(count: number, from: bigint, step: bigint, line: (index: number) => string): Pairs {
  return Array.from({ length: count }, (_, index) => [from + BigInt(index) * step, line(index)]);
}

/** Waits for all of them, one after the other. */
export async function inTurn(actions: readonly (() => Promise<string | readonly string[]>)[]): Promise<Seen> {
  const found: string[] = [];
  for (const action of actions) found.push(...[await action()].flat());
  return found;
}

/** Pushes the entries of one stream in bodies of a fair size. */
export async function pushAll(client: Client, labels: Labels, pairs: Pairs, size: number): Promise<Seen> {
  const parts = Array.from({ length: Math.ceil(pairs.length / size) }, (_, part) => pairs.slice(part * size, (part + 1) * size));
  return inTurn(parts.map((part) => async () => client.push({ labels, pairs: part })));
}

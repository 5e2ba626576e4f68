/** Helpers for many faulty servers: settings of runs, keys of requests, caches, slow requests, and hashes. */
import { crc32 } from "node:zlib";
import type { Instance, StoredVersion } from "../admin/state.ts";
import type { Behaviour, BehaviourChange, ServerHandle } from "../behaviour.ts";
import { type HttpRequest, isJsonObject, isSuccessful, type Operation, type Reply } from "../http/message.ts";
import type { Query } from "../logql/ast.ts";
import { tiesOf } from "../logs/store.ts";
import type { Entry, Window } from "../logs/types.ts";
import { broken, type FaultDetails, type Row, type Told } from "./define.ts";

/** The details of faults of a log service with two tenants, and with reads of several tenants. */
export const TENANTS = { options: { tenancy: true }, settings: { LOGS_TENANT_ID: "one", LOGS_TENANT_ID_2: "two" } } satisfies FaultDetails;
export const SEVERAL = {
  options: { tenancy: true },
  settings: { ...TENANTS.settings, LOGS_MULTI_TENANT_QUERIES: "true" },
} satisfies FaultDetails;

/** The details of faults for a log service without credentials, and for one that requires credentials. */
export const OPEN = { options: { logsUser: null, tenancy: false } } satisfies FaultDetails;
export const HOSTED = {
  options: { logsUser: "fleet" },
  settings: { LOGS_USER: "fleet", LOGS_AUTH_ENFORCED: "true" },
} satisfies FaultDetails;

/** Caches treat data that are older than this (in ns) as final: ten minutes. */
export const SETTLED_NS = 600_000_000_000n;

export function windowOf({ query }: HttpRequest): Window {
  return { from: BigInt(query.get("start") ?? 0), to: BigInt(query.get("end") ?? 0) };
}

/** Returns the value of X-Scope-OrgID of a request. */
export function tenantsOf({ headers }: HttpRequest): string {
  return headers["x-scope-orgid"] ?? "";
}

/** Returns the key of a metric query: its text, time and tenants. `change` may change the text. */
export function metricKey(request: HttpRequest, change: (query: string) => string = (query) => query): string {
  return [change(request.query.get("query") ?? ""), request.query.get("time"), tenantsOf(request)].join("\n");
}

/** Returns a function with a memory: for each key, it always returns the value of the first call. */
export function firstOfKey<Value>(): (key: string, value: Value) => Value {
  const first = new Map<string, Value>();
  return (key, value) => {
    const known = first.get(key) ?? value;
    first.set(key, known);
    return known;
  };
}

/** Returns a function that returns true at its first call with a key. */
export function firstTime(): (key: string) => boolean {
  const known = new Set<string>();
  return (key) => !known.has(key) && known.add(key).has(key);
}

/** Returns an instance with other limits, or without limits. */
export function withLimits({ limits: _limits, ...rest }: Instance, limits: Instance["limits"]): Instance {
  return limits === undefined ? rest : { ...rest, limits };
}

/** Further data that a read of an instance may depend on. */
interface Shown {
  readonly name: string;
  readonly versions: readonly StoredVersion[];
  /** The instance before its last write. */
  readonly before: Instance | undefined;
  /** The time since the last write of the instance, in ms. */
  readonly ageMs: number;
  readonly server: ServerHandle;
}

/** Returns a fault: reads of an existing instance show the result of `show`. */
export function misread(told: Told, show: (found: Instance, shown: Shown) => Instance | undefined): Row {
  return broken(told, (base, server) => ({
    findInstance: (versions, context) => {
      const found = base.findInstance(versions, context);
      const last = versions.at(-1);
      if (context.operation !== "read" || found === undefined || last === undefined) return found;
      const before = versions.at(-2)?.instance;
      return show(found, { name: context.name, versions, before, ageMs: context.nowMs - last.atMs, server });
    },
  }));
}

/** Returns streams, blocks or other lists of entries with only the entries that pass `test`. */
export function filterEntries<Part extends { readonly entries: readonly Entry[] }>(
  parts: readonly Part[],
  test: (entry: Entry) => boolean,
): Part[] {
  return parts.map((part) => ({ ...part, entries: part.entries.filter(test) }));
}

/** Applies a limit wrongly: it takes all entries of the first stream, then of the next stream, up to `limit` entries. */
export function firstEntries<Stream extends { readonly entries: readonly unknown[] }>(streams: readonly Stream[], limit: number): Stream[] {
  let left = limit;
  return streams.map((stream) => {
    const entries = stream.entries.slice(0, left);
    left -= entries.length;
    return { ...stream, entries };
  });
}

/** Computes a fact about each query that a server parses. The returned `fact` gives the fact about the last query. */
export function noted<Fact>(
  base: Behaviour,
  initial: Fact,
  factOf: (query: Query, text: string) => Fact,
): { readonly parseQuery: Behaviour["parseQuery"]; readonly fact: () => Fact } {
  let fact = initial;
  return {
    parseQuery: (text) => {
      const query = base.parseQuery(text);
      fact = factOf(query, text);
      return query;
    },
    fact: () => fact,
  };
}

export function isFiltered(query: Query): boolean {
  return query.kind === "log" && query.filters.length > 0;
}

export function hasResult({ body }: Reply): boolean {
  const data = body.kind === "json" && isJsonObject(body.value) ? body.value["data"] : undefined;
  const result = isJsonObject(data) ? data["result"] : undefined;
  return Array.isArray(result) && result.length > 0;
}

/** Returns the reply to a range query, but with an empty result. */
export function emptied(reply: Reply): Reply {
  return { ...reply, status: 200, body: { kind: "json", value: { status: "success", data: { resultType: "streams", result: [] } } } };
}

/** A fault: requests with the same key get the first response. `kept` says which responses are cached: by default, those with results. */
export function cached(
  operation: Operation,
  key: (request: HttpRequest) => string,
  kept: (reply: Reply, request: HttpRequest) => boolean = hasResult,
): (base: Behaviour) => Pick<Behaviour, "respond"> {
  return (base) => {
    const answers = new Map<string, Reply>();
    return {
      respond: (given, request, route) => {
        const reply = base.respond(given, request, route);
        if (route?.operation !== operation || !isSuccessful(reply)) return reply;
        const known = answers.get(key(request));
        if (known === undefined && kept(reply, request)) answers.set(key(request), reply);
        return known ?? reply;
      },
    };
  };
}

/** A fault: until the next push, requests with the same key get the first response. */
export function cachedUntilPush(operation: Operation, key: (request: HttpRequest) => string): BehaviourChange["change"] {
  return (base) => {
    let fresh = cached(operation, key)(base);
    return {
      respond: (given, request, route) => {
        if (route?.operation === "logs.push") fresh = cached(operation, key)(base);
        return fresh.respond(given, request, route);
      },
    };
  };
}

/** In ms: the duration of a slow request, and the part of it in which the request is certainly in progress. */
const TAKES_MS = 12;
const BUSY_MS = 9;

/** The facts about the requests that are in progress when another request arrives. */
export interface Overlap {
  /** Whether some request in progress has the same key as the arriving request. */
  readonly same: boolean;
  readonly others: number;
}

/** Makes some operations of a server slow, and records the requests in progress by their key. */
export function slowed(
  base: Behaviour,
  operations: readonly Operation[],
): { readonly respond: Behaviour["respond"]; readonly begin: (keys: readonly string[]) => Overlap } {
  let open: { readonly since: number; readonly keys: readonly string[] }[] = [];
  return {
    respond: (given, request, route) => {
      const reply = base.respond(given, request, route);
      const slow = route !== undefined && operations.includes(route.operation);
      return slow ? { ...reply, delayMs: (reply.delayMs ?? 0) + TAKES_MS } : reply;
    },
    begin: (keys) => {
      const before = open.filter(({ since }) => performance.now() - since < BUSY_MS);
      open = [...before, { since: performance.now(), keys }];
      return { same: before.some((one) => one.keys.some((key) => keys.includes(key))), others: before.length };
    },
  };
}

/** 32-bit hashes. Faulty servers identify texts by them, although two texts can have the same hash. */
export const HASHES: Readonly<Record<"hashes" | "fnv-hashes" | "checksums", (text: string) => number>> = {
  hashes: (text) => Array.from(text).reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0, 0),
  "fnv-hashes": (text) => Buffer.from(text).reduce((hash, byte) => Math.imul(hash ^ byte, 0x0100_0193) >>> 0, 0x811c_9dc5),
  checksums: (text) => crc32(text),
};

/** A fault: an entry is lost if `isLike` is true for its line and an earlier line of the same stream and timestamp. */
export function tieLost(sentence: string, isLike: (line: string, known: string) => boolean): Row {
  return broken({ clause: "logs-4.push", sentence }, (base) => ({
    insertEntry: (entries, entry) => {
      if (!tiesOf(entries, entry.ts).some(({ line }) => isLike(entry.line, line))) base.insertEntry(entries, entry);
    },
  }));
}

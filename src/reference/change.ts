/** Small tools with which faults and variants are written. */
import type { Behaviour } from "./behaviour.ts";
import { isJsonObject, isSuccessful, type Json, type JsonObject, mapJson, type Operation, type Reply } from "./http/message.ts";
import type { LimitValues } from "./admin/state.ts";
import type { PushedStream } from "./logs/ingest.ts";

/** Changes the successful JSON answers of some operations. */
export function onAnswer(base: Behaviour, operations: readonly Operation[], change: (value: Json) => Json): Pick<Behaviour, "respond"> {
  return onReply(base, operations, (reply) => mapJson(reply, change));
}

/** Changes the successful replies of some operations. */
export function onReply(base: Behaviour, operations: readonly Operation[], change: (reply: Reply) => Reply): Pick<Behaviour, "respond"> {
  return {
    respond: (given, request, route) => {
      const reply = base.respond(given, request, route);
      return route !== undefined && operations.includes(route.operation) && isSuccessful(reply) ? change(reply) : reply;
    },
  };
}

/** Stores other streams of a push than its body holds. */
export function onPush(
  base: Behaviour,
  change: (streams: readonly PushedStream[], body: string) => readonly PushedStream[],
): Pick<Behaviour, "parsePush"> {
  return {
    parsePush: (body) => {
      const streams = base.parsePush(body);
      return typeof streams === "string" ? streams : change(streams, body);
    },
  };
}

/** An object without one of its members; anything else as it is. */
export function without(value: Json, member: string): Json {
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== member)) : value;
}

/** An object with members replaced; anything else as it is. */
export function withMembers(value: Json, members: JsonObject): Json {
  return isJsonObject(value) ? { ...value, ...members } : value;
}

/** Limits with the name of each replaced. */
export function renamed(limits: LimitValues, rename: (name: string) => string): LimitValues {
  return Object.fromEntries(Object.entries(limits).map(([name, value]) => [rename(name), value]));
}

/** Limits with the value of each replaced. */
export function mapLimits(limits: LimitValues, change: (value: Json, name: string) => Json): LimitValues {
  return Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, change(value, name)]));
}

/** The limits whose name and value pass a test. */
export function filterLimits(limits: LimitValues, test: (name: string, value: Json) => boolean): LimitValues {
  return Object.fromEntries(Object.entries(limits).filter(([name, value]) => test(name, value)));
}

/** The zero of a value's own type. */
export function zeroOf(value: Json): Json {
  switch (typeof value) {
    case "number":
      return 0;
    case "boolean":
      return false;
    case "string":
      return "";
    default:
      return null;
  }
}

/** A function that is true on every `n`th call. */
export function everyNth(n: number): () => boolean {
  let calls = 0;
  return () => {
    calls += 1;
    return calls % n === 0;
  };
}

/** How often each key was counted so far, this time included. */
export function counter(): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
}

/** Numbers from 0 to below 1 that a seed always gives in the same order (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

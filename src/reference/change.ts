/** Functions that several faults and variants use. */
import type { Behaviour, BehaviourChange } from "./behaviour.ts";
import { isJsonObject, isSuccessful, type Json, type JsonObject, mapJson, type Operation, type Reply } from "./http/message.ts";
import type { LimitValues } from "./admin/state.ts";
import type { PushedStream } from "./logs/ingest.ts";

type Change = BehaviourChange["change"];
export type Given<Name extends keyof Behaviour> = Parameters<Behaviour[Name]>;
export type Result<Name extends keyof Behaviour> = ReturnType<Behaviour[Name]>;

/** Makes a change that replaces one function of a server. `replace` gets the function of the base behaviour. */
function replacing<Name extends keyof Behaviour>(
  name: Name,
  replace: (usual: (...given: Given<Name>) => Result<Name>) => (...given: Given<Name>) => Result<Name>,
): Change {
  return (base) => ({ [name]: replace(base[name] as unknown as (...given: Given<Name>) => Result<Name>) });
}

/** Makes a change of the result of one function. */
export function changedResult<Name extends keyof Behaviour>(
  name: Name,
  change: (result: Result<Name>, ...given: Given<Name>) => Result<Name>,
): Change {
  return replacing(
    name,
    (usual) =>
      (...given) =>
        change(usual(...given), ...given),
  );
}

/** Makes a change of the arguments of one function. */
export function changedInput<Name extends keyof Behaviour>(name: Name, change: (...given: Given<Name>) => Given<Name>): Change {
  return replacing(
    name,
    (usual) =>
      (...given) =>
        usual(...change(...given)),
  );
}

/** Makes a change: the result of `decide` replaces the result of a function, except if it is undefined. */
export function decided<Name extends keyof Behaviour>(name: Name, decide: (...given: Given<Name>) => Result<Name> | undefined): Change {
  return replacing(name, (usual) => (...given) => {
    const decision = decide(...given);
    return decision === undefined ? usual(...given) : decision;
  });
}

/** Changes the JSON of successful responses to some operations. */
export function onAnswer(base: Behaviour, operations: readonly Operation[], change: (value: Json) => Json): Pick<Behaviour, "respond"> {
  return onReply(base, operations, (reply) => mapJson(reply, change));
}

/** Changes the successful replies to some operations. */
export function onReply(base: Behaviour, operations: readonly Operation[], change: (reply: Reply) => Reply): Pick<Behaviour, "respond"> {
  return {
    respond: (given, request, route) => {
      const reply = base.respond(given, request, route);
      return route !== undefined && operations.includes(route.operation) && isSuccessful(reply) ? change(reply) : reply;
    },
  };
}

/** Changes the streams of a push before the server stores them. */
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

/** Returns an object without one member. Any value that is not an object is returned unchanged. */
export function without(value: Json, member: string): Json {
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== member)) : value;
}

/** Returns an object with some members replaced. Any value that is not an object is returned unchanged. */
export function withMembers(value: Json, members: JsonObject): Json {
  return isJsonObject(value) ? { ...value, ...members } : value;
}

export function renamed(limits: LimitValues, rename: (name: string) => string): LimitValues {
  return Object.fromEntries(Object.entries(limits).map(([name, value]) => [rename(name), value]));
}

export function mapLimits(limits: LimitValues, change: (value: Json, name: string) => Json): LimitValues {
  return Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, change(value, name)]));
}

export function filterLimits(limits: LimitValues, test: (name: string, value: Json) => boolean): LimitValues {
  return Object.fromEntries(Object.entries(limits).filter(([name, value]) => test(name, value)));
}

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

/** Returns a function that returns true on every `n`th call. */
export function everyNth(n: number): () => boolean {
  let calls = 0;
  return () => {
    calls += 1;
    return calls % n === 0;
  };
}

/** Returns a function that returns how many times it has been called with the given key. */
export function counter(): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
}

/** Returns a generator of pseudorandom numbers from 0 to below 1 (mulberry32). Equal seeds give equal numbers. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Tests which reads are repeated at the end of a run. */
import { expect, test } from "vitest";
import type { ClauseId } from "../contract/catalogue.ts";
import type { Finding } from "./finding.ts";
import { again } from "./rereads.ts";
import type { Revisit, Scope } from "./scope.ts";

/** Returns a scope with one earlier read per resource, and a list to which each repeated read adds the name of its resource. */
function scopeOf(
  names: readonly string[],
  {
    spare = 100,
    isWritten = (_name: string): boolean => false,
    clauseOf = (_name: string): ClauseId => "logs-4.push",
    differencesOf = (_name: string): Finding["differences"] => [],
  } = {},
): { readonly scope: Scope; readonly read: string[] } {
  const read: string[] = [];
  const revisits = names.map((name): Revisit => {
    const resource = { name, lastWriteAt: performance.now() - 1_000 };
    const assertion: Revisit["assertion"] = async () => {
      read.push(name);
      if (isWritten(name)) resource.lastWriteAt = performance.now();
      return { clauses: [clauseOf(name)], differences: differencesOf(name), exchanges: [] };
    };
    return { service: "logs", resource, lastWriteAt: resource.lastWriteAt, assertion };
  });
  const scope = {
    service: "logs",
    run: { revisits, suspects: [], spare: () => spare },
    settings: { profile: "release" },
    settle: { windowMs: 10, deadlineMs: 10 },
    untilAfterWrite: async () => {},
  } as unknown as Scope;
  return { scope, read };
}

const AFTER = (ms: number) => ({ afterMs: () => ms, isOnceEnough: true }) as const;

test("a resource that was read again late enough after its last write is left out, but at least one is read", async () => {
  const { scope, read } = scopeOf(["a", "b"]);
  await again("logs-4.push", 1)(scope);
  expect(read).toEqual(["a", "b"]);
  await again("logs-4.push", 1, AFTER(500))(scope);
  expect(read).toEqual(["a", "b", "a"]);
});

test("a resource is read once more if its last reread was too early, or if each reread counts", async () => {
  const { scope, read } = scopeOf(["a", "b"]);
  await again("logs-4.push", 1)(scope);
  await again("logs-4.push", 1, AFTER(60_000))(scope);
  await again("logs-4.push", 1)(scope);
  expect(read).toEqual(["a", "b", "a", "b", "a", "b"]);
});

test("reads of a resource end if another check has written to the resource, and their result does not count", async () => {
  const { scope, read } = scopeOf(["a", "b"], { isWritten: (name) => name === "a" });
  const { exchanges, clauses } = await again("logs-4.push", 3)(scope);
  expect(read.toSorted()).toEqual(["a", "b", "b", "b"]);
  expect([exchanges, clauses]).toEqual([[], ["logs-4.push"]]);
});

test("if requests are few, resources are read until the clause is shown", async () => {
  const few = scopeOf(["a", "b", "c", "d"], { spare: -10 });
  await again("logs-4.push", 1)(few.scope);
  expect(few.read).toEqual(["a"]);
  const others = scopeOf(["a", "b", "c", "d"], { spare: -10, clauseOf: (name) => (name < "c" ? "logs-4.1" : "logs-4.push") });
  await again("logs-4.push", 1)(others.scope);
  expect(others.read).toEqual(["a", "b", "c"]);
  const written = scopeOf(["a", "b", "c", "d"], { spare: -10, isWritten: (name) => name === "a" });
  await again("logs-4.push", 1)(written.scope);
  expect(written.read).toEqual(["a", "b"]);
});

test("if requests are few, a violation of another clause ends the reads", async () => {
  const wrong = { clause: "logs-4.1", path: "data.result", expected: "the newest entry first", actual: "the oldest" } as const;
  const { scope, read } = scopeOf(["a", "b"], { spare: -10, clauseOf: () => "logs-4.1", differencesOf: () => [wrong] });
  const { differences } = await again("logs-4.push", 1)(scope);
  expect([read, differences]).toEqual([["a"], [wrong]]);
});

/** Tests which reads are repeated at the end of a run. */
import { expect, test } from "vitest";
import { again } from "./rereads.ts";
import type { Revisit, Scope } from "./scope.ts";

/** Returns a scope with one earlier read per resource, and a list to which each repeated read adds the name of its resource. */
function scopeOf(names: readonly string[]): { readonly scope: Scope; readonly read: string[] } {
  const read: string[] = [];
  const revisits = names.map((name): Revisit => {
    const resource = { name, lastWriteAt: performance.now() - 1_000 };
    const assertion: Revisit["assertion"] = async () => {
      read.push(name);
      return { clauses: ["logs-4.push"], differences: [], exchanges: [] };
    };
    return { service: "logs", resource, lastWriteAt: resource.lastWriteAt, assertion };
  });
  const scope = {
    service: "logs",
    run: { revisits, suspects: [], spare: () => 100 },
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

import { describe, expect, it } from "vitest";
import { CredentialTally } from "./credential-tally.ts";
import type { Exchange } from "./exchange.ts";
import { exchange } from "./testing.ts";

function answered(status: number, path: string, method: "GET" | "POST" = "GET"): Exchange {
  return { ...exchange(method, `http://127.0.0.1${path}`, status, 0), operation: "read instance" };
}

function denials(...exchanges: readonly Exchange[]): number | undefined {
  const tally = new CredentialTally();
  for (const one of exchanges) tally.count(one);
  return tally.operations.get("read instance")?.denied;
}

describe("CredentialTally", () => {
  it("counts each 401 as a refusal of the credentials", () => {
    expect(denials(answered(200, "/a"), answered(401, "/b"), answered(401, "/c"))).toBe(2);
  });

  it("counts a 403 only if the same read succeeded before, because an unknown instance may be answered with 403", () => {
    expect(denials(answered(200, "/a"), answered(403, "/b"))).toBe(0);
    expect(denials(answered(200, "/a"), answered(403, "/a"))).toBe(1);
    expect(denials(answered(403, "/a"), answered(403, "/a"), answered(200, "/a"))).toBe(0);
  });

  it("does not decide whether a 403 to a write refuses the credentials", () => {
    expect(denials(answered(200, "/a", "POST"), answered(403, "/a", "POST"))).toBe(0);
  });
});

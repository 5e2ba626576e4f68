/** A set in each of two tenants, for the checks of what one of them sees and of what both together do. */
import { createHash } from "node:crypto";
import { type Fixture, fixture } from "../../src/harness/context.ts";
import { type Dataset, store, stored } from "./datasets.ts";
import { visible } from "./reading.ts";

export interface TwoTenants {
  readonly first: Dataset;
  readonly second: Dataset;
}

/** A label name that is only ever pushed to one tenant, whichever place it has in the settings of a run. */
export function nameOf(tenant: string | null): string {
  return `svc_t${createHash("sha256")
    .update(tenant ?? "")
    .digest("hex")
    .slice(0, 8)}`;
}

/** One set under one name in each of two tenants: same labels but for a value, other lines. */
export const twoTenants: Fixture<TwoTenants> = fixture("logs", "a set in each of two tenants", async (scope) => {
  const override = { tenant: scope.logsTarget.tenantId2 };
  const payload = (owner: string): Parameters<typeof store>[2] => ({
    pushes: [
      [
        {
          labels: {
            svc_size: `${owner}-${scope.run.runId}`,
            [nameOf(owner === "first" ? scope.logsTarget.tenantId : scope.logsTarget.tenantId2)]: "yes",
          },
          entries: [1n, 2n, 3n].map((index) => ({
            offset: index * 1_000_000_000n + (owner === "second" ? 1n : 0n),
            line: `${owner} ${index}`,
          })),
        },
        // Both tenants have a stream with these labels; their entries differ, since equal ones may collapse where both are read.
        {
          labels: { svc_size: `shared-${scope.run.runId}` },
          entries: [{ offset: owner === "second" ? 11_000_000_001n : 11_000_000_000n, line: `${owner} shared` }],
        },
      ],
    ],
  });
  const [first, second] = await Promise.all([
    store(scope, "tenants", payload("first")),
    store(scope, "tenants", payload("second"), override),
  ]);
  await visible(scope, first);
  await visible(scope, second, override);
  return { first: stored(first), second: stored(second) };
});

/** Deletes the instances that a run has created, if CLEANUP is `delete`. */
import { AdminClient, type AdminSession } from "../client/admin.ts";
import { Budget } from "../client/budget.ts";
import { isSuccess } from "../client/exchange.ts";
import { errorText } from "../client/inconclusive.ts";
import type { Transport } from "../client/transport.ts";

export interface CleanupReport {
  readonly deleted: readonly string[];
  readonly failed: readonly { readonly name: string; readonly reason: string }[];
}

const CLEANUP_MS = 30_000;

/** Sends a DELETE for each created instance. The report names each failed DELETE, and no response is judged. */
export async function removeCreated(
  session: AdminSession,
  transportTo: (baseUrl: string, within: Budget) => Transport,
): Promise<CleanupReport> {
  const deleted: string[] = [];
  const failed: { name: string; reason: string }[] = [];
  // The cleanup has its own small budget. So it also works if the run was interrupted or has used up its budget.
  const transport = transportTo(
    session.target.baseUrl,
    new Budget({ runTimeoutMs: CLEANUP_MS, maxRequests: 2 * session.created.size, maxInstances: 0, maxPushBytes: 0 }),
  );
  const client = new AdminClient({ ...session, transport }, () => {});
  for (const name of session.created) {
    try {
      const condition = await client.condition(name);
      const exchange = await client.probe("delete instance", "DELETE", name, undefined, { kind: "configured" }, condition);
      if (isSuccess(exchange)) deleted.push(name);
      else failed.push({ name, reason: `status ${exchange.response.status}` });
    } catch (error) {
      failed.push({ name, reason: errorText(error) });
    }
  }
  await transport.close();
  return { deleted, failed };
}

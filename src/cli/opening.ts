/** Writes the first lines of a run: the judged targets, and how many instances and bytes of log lines the run may write. */
import { bytesText, counted } from "../report/words.ts";
import type { Settings } from "../settings/types.ts";

/** Words about the overload check. They are separate, because this check pushes more than MAX_PUSH_BYTES. */
const BESIDE = " and up to 64 MiB more for the overload check";

/** Returns the lines about the writes of a run, which are printed before the first write. */
export function openingLines(settings: Settings, runId: string, suite: { readonly name: string; readonly version: string }): string[] {
  const { admin, logs, embedded } = settings;
  const kind = embedded ? " (embedded reference server)" : "";
  const lines = [`${suite.name} ${suite.version} · run ${runId} · profile ${settings.profile} · seed ${settings.seed}`];
  lines.push(`admin API: ${admin === null ? "not configured" : admin.baseUrl + kind}`);
  lines.push(`log API:   ${logs === null ? "not configured" : `${logs.baseUrl}/${logs.segment}${kind}`}`);
  const creates: string[] = [];
  if (admin !== null) {
    creates.push(
      `at most ${counted(settings.budgets.maxInstances, "instance")} with ${runId} in their names in cluster ${JSON.stringify(admin.cluster)}`,
    );
  }
  if (logs !== null) {
    const tenants = [logs.tenantId, logs.tenantId2].filter((tenant) => tenant !== null);
    creates.push(`log streams labelled with ${runId}${tenants.length === 0 ? "" : ` for tenant ${tenants.join(" and ")}`}`);
    creates.push(
      `at most ${bytesText(settings.budgets.maxPushBytes)} of log lines${logs.expectRateLimit && settings.profile !== "smoke" ? BESIDE : ""}`,
    );
  }
  const after =
    settings.cleanup === "delete" ? "instances are deleted afterwards where the service allows it" : "nothing is deleted afterwards";
  lines.push(`creates: ${creates.join("; ")}; ${after}`);
  return lines;
}

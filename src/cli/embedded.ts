/** Starts the embedded reference server if no base URL is configured, and returns the settings of a run against this server. */
import { NIGHTLY_PUSH_LIMIT, PUSH_LIMIT } from "../reference/http/rate-limit.ts";
import { startReference } from "../reference/server.ts";
import type { Settings } from "../settings/types.ts";

export interface Embedded {
  /** The settings of the run, with the address of the embedded server in both targets. */
  readonly settings: Settings;
  close(): Promise<void>;
}

/** Starts the embedded server with the token, cluster, user, tenants and rate limit that `settings` has. */
export async function startEmbedded(settings: Settings): Promise<Embedded> {
  const { admin, logs, profile } = settings;
  if (admin === null || logs === null) throw new Error("the embedded server is both targets");
  const reference = await startReference({
    token: admin.token,
    cluster: admin.cluster,
    logsUser: logs.credentials?.user ?? null,
    tenancy: logs.tenantId !== null,
    segment: logs.segment,
    rateLimit: logs.expectRateLimit ? (profile === "nightly" ? NIGHTLY_PUSH_LIMIT : PUSH_LIMIT) : null,
  });
  return {
    settings: { ...settings, admin: { ...admin, baseUrl: reference.url }, logs: { ...logs, baseUrl: reference.url } },
    close: () => reference.close(),
  };
}

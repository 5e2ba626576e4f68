/** Resolves the settings of the two targets with their credentials. Refuses settings that contradict each other. */
import { randomBytes } from "node:crypto";
import { contradiction, refuse } from "./error.ts";
import { readExpectedDefaults } from "./files.ts";
import { parseBaseUrl, parseBoolean, parseSegment, parseTenant, parseText } from "./parse.ts";
import { presentButEmpty, type Sources, valueOf } from "./sources.ts";
import { SETTINGS } from "./table.ts";
import { ownToken, shortTokenWarning, type Token } from "./tokens.ts";
import type { AdminTarget, LogsTarget, TokenName } from "./types.ts";

export interface Targets {
  readonly embedded: boolean;
  readonly admin: AdminTarget | null;
  readonly logs: LogsTarget | null;
  readonly warnings: readonly string[];
}

const URL_NAMES = ["BASE_URL", "METRICS_BASE_URL", "LOGS_BASE_URL"] as const;

/** The address of the embedded server until it listens on its port. */
export const EMBEDDED_PLACEHOLDER = "http://127.0.0.1";

/** The settings for the embedded server. All opt-ins are set, so that a run judges as many clauses as possible. */
const EMBEDDED = { cluster: "reference", user: "plumbline", tenant: "tenant-a", tenant2: "tenant-b" } as const;

interface LogSettings {
  readonly user: string | null;
  readonly own: Token | null;
  readonly tenantId: string | null;
  readonly tenantId2: string | null;
  readonly multiTenantQueries: boolean | null;
}

/** Returns the settings of the log API that can contradict each other. It is not yet known whether the log API is configured. */
function logSettings(sources: Sources, shared: Token | null): LogSettings {
  const user = valueOf(sources, "LOGS_USER", parseText, null);
  if (user?.includes(":") === true)
    refuse("LOGS_USER", "must not hold a colon: in Basic credentials the user ends at the first colon", "LOGS_USER=12345");
  const own = ownToken(sources, "LOGS_API_TOKEN");
  if (own !== null && user === null) {
    contradiction("LOGS_API_TOKEN is set but LOGS_USER is not: the log API needs user and token together; for example LOGS_USER=12345");
  }
  if (user !== null && own === null && shared === null) {
    contradiction(
      "LOGS_USER is set but neither LOGS_API_TOKEN nor API_TOKEN is: the log API needs user and token together; for example LOGS_API_TOKEN_FILE=./logs-token",
    );
  }
  const tenantId = valueOf(sources, "LOGS_TENANT_ID", parseTenant, null);
  const tenantId2 = valueOf(sources, "LOGS_TENANT_ID_2", parseTenant, null);
  if (tenantId2 !== null && tenantId === null) {
    contradiction("LOGS_TENANT_ID_2 is set but LOGS_TENANT_ID is not: isolation needs two tenants; for example LOGS_TENANT_ID=tenant-a");
  }
  if (tenantId2 !== null && tenantId2 === tenantId) {
    contradiction(
      "LOGS_TENANT_ID_2 and LOGS_TENANT_ID are equal: isolation needs two different tenants; for example LOGS_TENANT_ID_2=tenant-b",
    );
  }
  const multiTenantQueries = valueOf(sources, "LOGS_MULTI_TENANT_QUERIES", parseBoolean, null);
  return { user, own, tenantId, tenantId2, multiTenantQueries };
}

function refuseUnfilledUrl(sources: Sources): void {
  for (const name of URL_NAMES) {
    const label = presentButEmpty(sources, name);
    if (label === null) continue;
    refuse(
      label,
      "is present but empty and no other base URL is configured; fill it, or remove it to judge the embedded reference server",
      `${name}=${SETTINGS[name].example}`,
    );
  }
}

/** Resolves both targets. Throws a `SettingsError` for the first malformed, contradictory or missing setting. */
export function resolveTargets(sources: Sources): Targets {
  const common = valueOf(sources, "BASE_URL", parseBaseUrl, null);
  const adminUrl = valueOf(sources, "METRICS_BASE_URL", parseBaseUrl, null) ?? common;
  const logsUrl = valueOf(sources, "LOGS_BASE_URL", parseBaseUrl, null) ?? common;
  const embedded = adminUrl === null && logsUrl === null;
  if (embedded) refuseUnfilledUrl(sources);

  const shared = ownToken(sources, "API_TOKEN");
  const metrics = ownToken(sources, "METRICS_API_TOKEN") ?? shared;
  const log = logSettings(sources, shared);
  const multiTenant = log.multiTenantQueries ?? (embedded && (log.tenantId === null || log.tenantId2 !== null));
  if (multiTenant && log.tenantId2 === null && !(embedded && log.multiTenantQueries === null)) {
    contradiction(
      "LOGS_MULTI_TENANT_QUERIES is true but LOGS_TENANT_ID_2 is not set: reading several tenants needs a second one; for example LOGS_TENANT_ID_2=tenant-b",
    );
  }
  if (embedded && metrics !== null && log.own !== null && metrics.value !== log.own.value) {
    contradiction("METRICS_API_TOKEN and LOGS_API_TOKEN differ but no base URL is configured: the embedded reference server has one token");
  }
  // The embedded server accepts the same token for both services.
  const generated = embedded ? ((metrics ?? log.own)?.value ?? randomBytes(24).toString("hex")) : null;
  const given = (token: Token | null, own: TokenName): Token | null =>
    generated === null ? token : { value: generated, name: token?.name ?? own };
  const warnings = [shared, metrics, log.own].flatMap((token) => {
    const warning = token === null ? null : shortTokenWarning(token);
    return warning === null ? [] : [warning];
  });
  return {
    embedded,
    admin: embedded || adminUrl !== null ? adminTarget(sources, adminUrl, given(metrics, "METRICS_API_TOKEN")) : null,
    logs: embedded || logsUrl !== null ? logsTarget(sources, logsUrl, log, given(log.own ?? shared, "LOGS_API_TOKEN"), multiTenant) : null,
    warnings: [...new Set(warnings)],
  };
}

function adminTarget(sources: Sources, url: string | null, token: Token | null): AdminTarget {
  const cluster = valueOf(sources, "METRICS_CLUSTER", parseText, null);
  if (url !== null && token === null) {
    refuse(
      "METRICS_API_TOKEN",
      "is missing: an admin base URL is configured and every admin request carries a token",
      "METRICS_API_TOKEN=…",
    );
  }
  if (url !== null && cluster === null) {
    refuse("METRICS_CLUSTER", "is missing: instances are created in a cluster that exists at the target", "METRICS_CLUSTER=prod-1");
  }
  return {
    baseUrl: url ?? EMBEDDED_PLACEHOLDER,
    token: token?.value ?? "",
    tokenName: token?.name ?? "METRICS_API_TOKEN",
    cluster: cluster ?? EMBEDDED.cluster,
    expectedDefaults: valueOf(sources, "METRICS_EXPECTED_DEFAULTS", readExpectedDefaults, { limits: {}, extra: {} }),
    authEnforced: valueOf(sources, "METRICS_AUTH_ENFORCED", parseBoolean, url === null),
  };
}

function logsTarget(sources: Sources, url: string | null, log: LogSettings, token: Token | null, multiTenantQueries: boolean): LogsTarget {
  const embedded = url === null;
  const user = log.user ?? (embedded ? EMBEDDED.user : null);
  const tenantId = log.tenantId ?? (embedded ? EMBEDDED.tenant : null);
  return {
    baseUrl: url ?? EMBEDDED_PLACEHOLDER,
    segment: valueOf(sources, "LOGS_PATH_SEGMENT", parseSegment, "logs"),
    credentials: user === null ? null : { user, token: token?.value ?? "", tokenName: token?.name ?? "LOGS_API_TOKEN" },
    tenantId,
    tenantId2: log.tenantId2 ?? (embedded && log.tenantId === null ? EMBEDDED.tenant2 : null),
    multiTenantQueries,
    authEnforced: valueOf(sources, "LOGS_AUTH_ENFORCED", parseBoolean, embedded),
    expectRateLimit: valueOf(sources, "LOGS_EXPECT_RATE_LIMIT", parseBoolean, embedded),
  };
}

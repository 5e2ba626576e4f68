/** The command that judges the same clauses again with the same inputs; secrets appear by their variable only. */
import type { Settings } from "../settings/types.ts";

/** A shell line that replays `clauses` on the same target. */
export function replayCommand(settings: Settings, clauses: readonly string[]): string {
  const flags = [
    ["only", clauses.join(",")],
    ["seed", String(settings.seed)],
    ["profile", settings.profile],
    ...(settings.embedded ? [] : targetFlags(settings)),
  ];
  const secrets = settings.embedded ? [] : secretVariables(settings);
  const words = flags.map(([name, value]) => `--${name}${value === "" ? "" : ` ${shellWord(value ?? "")}`}`);
  return [...secrets, "npx plumbline run", ...words].join(" ");
}

function targetFlags({ admin, logs, transport }: Settings): string[][] {
  const flags: string[][] = [];
  if (admin !== null) {
    flags.push(["metrics-base-url", admin.baseUrl], ["metrics-cluster", admin.cluster]);
    if (admin.authEnforced) flags.push(["metrics-auth-enforced", "true"]);
  }
  if (logs !== null) {
    flags.push(["logs-base-url", logs.baseUrl], ["logs-path-segment", logs.segment]);
    if (logs.credentials !== null) flags.push(["logs-user", logs.credentials.user]);
    if (logs.tenantId !== null) flags.push(["logs-tenant-id", logs.tenantId]);
    if (logs.tenantId2 !== null) flags.push(["logs-tenant-id-2", logs.tenantId2]);
    if (logs.multiTenantQueries) flags.push(["logs-multi-tenant-queries", "true"]);
    if (logs.authEnforced) flags.push(["logs-auth-enforced", "true"]);
    if (logs.expectRateLimit) flags.push(["logs-expect-rate-limit", "true"]);
  }
  if (transport.tlsInsecure) flags.push(["tls-insecure", "true"]);
  return flags;
}

function secretVariables({ admin, logs, transport }: Settings): string[] {
  const names = [];
  if (admin !== null) names.push("METRICS_API_TOKEN");
  if (logs?.credentials) names.push("LOGS_API_TOKEN");
  const variables = names.map((name) => `${name}="$${name}"`);
  if (Object.keys(transport.extraHeaders).length > 0) variables.push('EXTRA_HEADERS_FILE="$EXTRA_HEADERS_FILE"');
  if (transport.tlsCa !== null) variables.push('TLS_CA_FILE="$TLS_CA_FILE"');
  return variables;
}

function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

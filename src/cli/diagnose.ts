/** Sends a harmless GET to a service. Explains problems with settings, network, credentials and clock. */
import { basic, lowerCased } from "../client/credentials.ts";
import { Budget, Gate } from "../client/budget.ts";
import { isAnswered, type Exchange } from "../client/exchange.ts";
import { CredentialTally } from "../client/credential-tally.ts";
import { proxyFor } from "../client/proxy.ts";
import { Transport } from "../client/transport.ts";
import type { Service } from "../contract/clause.ts";
import type { Settings } from "../settings/types.ts";
import { connectionPage, seePage } from "../report/failure-pages.ts";
import { suiteIdentity } from "./suite.ts";

export interface Finding {
  readonly kind: "ok" | "warning" | "problem";
  readonly text: string;
}

/** `doctor` warns above this difference of clocks in ms. Real log servers refuse entries that are some minutes from their own time. */
const SKEW_WARNING_MS = 30_000;

function authorization(settings: Settings, service: Service): string | null {
  if (service === "admin") return basic("", settings.admin?.token ?? "");
  const credentials = settings.logs?.credentials ?? null;
  return credentials === null ? null : basic(credentials.user, credentials.token);
}

export function probeUrl(settings: Settings, service: Service): string {
  if (service === "admin") return `${settings.admin?.baseUrl ?? ""}/admin/api/v1/instances/plumbline-doctor`;
  return `${settings.logs?.baseUrl ?? ""}/${settings.logs?.segment ?? ""}/api/v1/labels`;
}

export interface Sent {
  readonly operation: string;
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly body?: string;
}

/** Sends a request with the configured credentials, once. */
export async function send(settings: Settings, service: Service, sent: Sent): Promise<{ exchange: Exchange; skewMs: number | null }> {
  const transport = new Transport({
    settings: settings.transport,
    budget: new Budget(settings.budgets),
    gate: new Gate(1),
    tally: new CredentialTally(),
    userAgent: `plumbline/${suiteIdentity().version} doctor`,
    retryMs: 250,
    proxy: settings.embedded ? null : proxyFor(sent.url, settings.transport),
  });
  const credentials = authorization(settings, service);
  const tenant = service === "logs" ? (settings.logs?.tenantId ?? null) : null;
  const headers = {
    ...lowerCased(settings.transport.extraHeaders),
    ...(credentials === null ? {} : { authorization: credentials }),
    ...(tenant === null ? {} : { "x-scope-orgid": tenant }),
    ...(sent.body === undefined ? {} : { "content-type": "application/json" }),
  };
  try {
    const exchange = await transport.once({ ...sent, headers, credentials: {} }, () => undefined);
    return { exchange, skewMs: transport.clockOffsetMs };
  } finally {
    await transport.close();
  }
}

/** Returns the step at which a connection failed (DNS, TCP or TLS), by the code of the error. */
export function connectionProblem(error: string): string {
  if (error.startsWith("the proxy ")) return "no connection through the proxy: check HTTP_PROXY, HTTPS_PROXY and NO_PROXY";
  if (/ENOTFOUND|EAI_AGAIN/.test(error)) return "the host name does not resolve";
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ECONNRESET|UND_ERR_SOCKET/.test(error)) return "no connection: host, port or firewall";
  if (/certificate|CERT_|UNABLE_TO_VERIFY|self-signed/i.test(error)) return "the certificate was not accepted: set TLS_CA_FILE";
  if (/wrong version number|EPROTO|ERR_TLS|ERR_SSL/i.test(error)) return "no TLS at this port, or TLS on an http URL";
  if (/no complete answer/.test(error)) return "connected or connecting, but no answer in REQUEST_TIMEOUT_MS";
  return "no answer";
}

function judgeStatus(status: number, service: Service): Finding {
  const token = service === "admin" ? "METRICS_API_TOKEN" : "LOGS_USER, LOGS_API_TOKEN or LOGS_TENANT_ID";
  if (status === 401 || status === 403)
    return { kind: "problem", text: `status ${status}: the service refuses the credentials; check ${token}${seePage("credentials")}` };
  if (status >= 300 && status < 400)
    return {
      kind: "problem",
      text: `status ${status}: redirects are not followed; use the address of the redirect${seePage("redirected")}`,
    };
  if (status === 429) return { kind: "warning", text: `status 429: the service is limiting requests right now${seePage("rate-limited")}` };
  if (status >= 500) return { kind: "problem", text: `status ${status}: the service is not available${seePage("unavailable")}` };
  if (service === "logs" && status === 404) {
    return { kind: "problem", text: `status 404: check LOGS_PATH_SEGMENT and the base URL${seePage("not-found")}` };
  }
  // A 404 of the admin API is no problem: the document does not say how a service answers a read of an unknown instance.
  if (service === "admin" && status === 404)
    return { kind: "ok", text: "answers 404 for an instance that does not exist, as expected if the base URL is right" };
  if (status >= 400) return { kind: "problem", text: `status ${status} to a harmless GET` };
  return { kind: "ok", text: `status ${status}` };
}

export async function diagnose(settings: Settings, service: Service): Promise<Finding[]> {
  const probe = { operation: "doctor", method: "GET", url: probeUrl(settings, service) } as const;
  const { exchange, skewMs } = await send(settings, service, probe);
  if (!isAnswered(exchange)) {
    const error = exchange.error ?? "";
    return [{ kind: "problem", text: `${connectionProblem(error)} (${error.split("\n")[0] ?? ""})${seePage(connectionPage(error))}` }];
  }
  const found = [judgeStatus(exchange.response.status, service)];
  found.push({ kind: "ok", text: `answered in ${Math.round(exchange.durationMs)} ms` });
  if (skewMs !== null && Math.abs(skewMs) > SKEW_WARNING_MS) {
    found.push({
      kind: "warning",
      text: `its clock and the clock of this machine differ by about ${Math.round(skewMs / 1000)} s${seePage("clock")}`,
    });
  }
  return found;
}

/** Variants with other modes of the log service: other tenants, credentials, path segments or rate limits. */
import { textReply } from "../http/message.ts";
import { toldApart } from "../logs/told-apart.ts";
import { legal, legalDecision, legalInput, legalResult, variantsOf } from "./define.ts";
import type { Variant } from "./types.ts";

/** The options of a legal server without tenants and without authentication. */
export const OPEN_MODE = { options: { logsUser: null, tenancy: false } } as const;

/** The options of a legal server that its operator has configured for two tenants, and the settings of a run against it. */
const SET_UP = { options: { tenancy: true }, settings: { LOGS_TENANT_ID: "one", LOGS_TENANT_ID_2: "two" } } as const;

function ofStrangers(header: string | undefined): boolean {
  return (header ?? "").split("|").some((tenant) => tenant !== "" && !["one", "two"].includes(tenant));
}

export const LOGS_MODE_VARIANTS: readonly Variant[] = variantsOf({
  "single-tenant": legal(
    "There are no tenants and no authentication.",
    { why: "single-tenant local deployments need no authentication", ...OPEN_MODE },
    () => ({}),
  ),
  "single-tenant-with-header": legal(
    "There is no authentication, and the tenant header is ignored.",
    {
      why: "the document does not say what a single-tenant server does with the header",
      options: { logsUser: null, tenancy: false },
      settings: { LOGS_TENANT_ID: "one" },
    },
    () => ({}),
  ),
  "tenants-without-credentials": legal(
    "There are tenants, and no credentials are required.",
    { why: "in multi-tenant mode requests carry the tenant's header", options: { logsUser: null, tenancy: true } },
    () => ({}),
  ),
  "credentials-without-tenants": legal(
    "Credentials are required, and there are no tenants.",
    { why: "hosted deployments use Basic authentication", options: { logsUser: "hosted", tenancy: false } },
    () => ({}),
  ),
  "tenant-missing-400": legalResult(
    "tenantsOf",
    "A request without a tenant is answered 400.",
    "the document does not say how such a request is answered",
    (tenants) => ("status" in tenants && tenants.status === 401 ? textReply(400, "no org id\n") : tenants),
  ),
  "several-tenants-off": legalDecision(
    "tenantsOf",
    "Requests that list several tenants are refused.",
    {
      why: "it is judged only where the user says that it is on",
      options: { tenancy: true },
      settings: { LOGS_MULTI_TENANT_QUERIES: "false" },
    },
    (header) => (header?.includes("|") === true ? textReply(400, "one tenant only\n") : undefined),
  ),
  "several-tenants-known-only": legalDecision(
    "tenantsOf",
    "A read that lists an unknown tenant is answered 403.",
    { why: "the document does not say whether a read may list an unknown tenant", ...SET_UP },
    (header) => (ofStrangers(header) ? textReply(403, "no such tenant\n") : undefined),
  ),
  "several-tenants-lists-of-known-only": legalDecision(
    "tenantsOf",
    "A request for label names or values that lists an unknown tenant is answered 404.",
    { why: "the document does not say whether a read may list an unknown tenant", ...SET_UP },
    (header, context) =>
      context.operation.startsWith("logs.label") && ofStrangers(header) ? textReply(404, "no such tenant\n") : undefined,
  ),
  "several-tenants-nothing-of-strangers": legalInput(
    "tenantsOf",
    "A read that lists an unknown tenant finds nothing at all.",
    { why: "the document does not say whether a read may list an unknown tenant", ...SET_UP },
    (header, context) => [ofStrangers(header) ? "nobody" : header, context],
  ),
  "several-tenants-labelled": legal(
    "Reads of several tenants add __tenant_id__ to every stream.",
    { why: "the document does not forbid that the service adds labels", options: { tenancy: true } },
    (base, { logs }) => {
      let asked: readonly string[] = [];
      return {
        tenantsOf: (header, context) => {
          const tenants = base.tenantsOf(header, context);
          asked = "status" in tenants ? [] : tenants;
          return tenants;
        },
        arrange: (streams, query) => {
          const arranged = base.arrange(streams, query);
          if (asked.length < 2) return arranged;
          return arranged.map((stream) => {
            const owner = asked.find((tenant) => logs.tenant(tenant).get(base.streamIdentity(stream.labels)) !== undefined) ?? "";
            return { ...stream, labels: { ...stream.labels, __tenant_id__: owner } };
          });
        },
      };
    },
  ),
  "several-tenants-apart": legal(
    "Reads of several tenants show each stream with a label that names its tenant.",
    { why: "the document does not forbid that the service adds labels", options: { tenancy: true } },
    (base) => toldApart(base),
  ),
  "named-loki": legal(
    "The paths have another name of the service.",
    { why: "`logs` stands for the service's own name", options: { segment: "loki" }, settings: { LOGS_PATH_SEGMENT: "loki" } },
    () => ({}),
  ),
  "rate-limited": legal(
    "Requests above 150 per second are answered 429.",
    { why: "exceeding the rate limit gives 429", options: { rateLimit: { perSecond: 150, burst: 150 } } },
    () => ({}),
  ),
  "rate-limited-queries": legal(
    "Queries above 150 requests per second are answered 429. Pushes are not limited.",
    { why: "the document does not show which requests the rate limit counts", options: { rateLimit: { perSecond: 150, burst: 150 } } },
    (base) => ({ limitRate: (exceeds, request) => (request.method === "POST" ? undefined : base.limitRate(exceeds, request)) }),
  ),
  "rate-limited-low": legal(
    "After 150 requests at once, requests are answered 429 for a while.",
    { why: "exceeding the rate limit gives 429, and its values are not shown", options: { rateLimit: { perSecond: 300, burst: 150 } } },
    () => ({}),
  ),
  "rate-limited-slow": legal(
    "Requests above 60 per second, with bursts of 20, are answered 429.",
    { why: "exceeding the rate limit gives 429, and its values are not shown", options: { rateLimit: { perSecond: 60, burst: 20 } } },
    () => ({}),
  ),
  "rate-limited-503": legalResult(
    "limitRate",
    "Requests above 60 per second, with bursts of 20, are answered 503.",
    {
      why: "503 is for a service that is overloaded, and what overloads it is not shown",
      options: { rateLimit: { perSecond: 60, burst: 20 } },
      settings: { LOGS_EXPECT_RATE_LIMIT: "false" },
    },
    (usual) => (usual === undefined ? undefined : textReply(503, "too many requests at the moment\n")),
  ),
});

/** Variants with other modes of the log service: other tenants, credentials, path segments or rate limits. */
import { textReply } from "../http/message.ts";
import { toldApart } from "../logs/told-apart.ts";
import { variant } from "./define.ts";
import type { Variant } from "./types.ts";

/** The options of a legal server without tenants and without authentication. */
export const OPEN_MODE = { options: { logsUser: null, tenancy: false } } as const;

/** The options of a legal server with two tenants that its operator has configured, and the settings of a run against it. */
const SET_UP = { options: { tenancy: true }, settings: { LOGS_TENANT_ID: "one", LOGS_TENANT_ID_2: "two" } } as const;

function ofStrangers(header: string | undefined): boolean {
  return (header ?? "").split("|").some((tenant) => tenant !== "" && !["one", "two"].includes(tenant));
}

export const LOGS_MODE_VARIANTS: readonly Variant[] = [
  variant(
    "single-tenant",
    "There are no tenants and no authentication.",
    "single-tenant local deployments need no authentication",
    () => ({}),
    OPEN_MODE,
  ),
  variant(
    "single-tenant-with-header",
    "There is no authentication, and the tenant header is ignored.",
    "the document does not say what a single-tenant server does with the header",
    () => ({}),
    {
      options: { logsUser: null, tenancy: false },
      settings: { LOGS_TENANT_ID: "one" },
    },
  ),
  variant(
    "tenants-without-credentials",
    "There are tenants, and no credentials are required.",
    "in multi-tenant mode requests carry the tenant's header",
    () => ({}),
    { options: { logsUser: null, tenancy: true } },
  ),
  variant(
    "credentials-without-tenants",
    "Credentials are required, and there are no tenants.",
    "hosted deployments use Basic authentication",
    () => ({}),
    { options: { logsUser: "hosted", tenancy: false } },
  ),
  variant(
    "tenant-missing-400",
    "A request without a tenant is answered 400.",
    "the document does not say how such a request is answered",
    (base) => ({
      tenantsOf: (header, context) => {
        const tenants = base.tenantsOf(header, context);
        return "status" in tenants && tenants.status === 401 ? textReply(400, "no org id\n") : tenants;
      },
    }),
  ),
  variant(
    "several-tenants-off",
    "Requests that list several tenants are refused.",
    "it is judged only where the user says that it is on",
    (base) => ({
      tenantsOf: (header, context) =>
        header?.includes("|") === true ? textReply(400, "one tenant only\n") : base.tenantsOf(header, context),
    }),
    { options: { tenancy: true }, settings: { LOGS_MULTI_TENANT_QUERIES: "false" } },
  ),
  variant(
    "several-tenants-known-only",
    "A read that lists an unknown tenant is answered 403.",
    "the document does not say whether a read may list an unknown tenant",
    (base) => ({
      tenantsOf: (header, context) => (ofStrangers(header) ? textReply(403, "no such tenant\n") : base.tenantsOf(header, context)),
    }),
    SET_UP,
  ),
  variant(
    "several-tenants-lists-of-known-only",
    "A request for label names or values that lists an unknown tenant is answered 404.",
    "the document does not say whether a read may list an unknown tenant",
    (base) => ({
      tenantsOf: (header, context) =>
        context.operation.startsWith("logs.label") && ofStrangers(header)
          ? textReply(404, "no such tenant\n")
          : base.tenantsOf(header, context),
    }),
    SET_UP,
  ),
  variant(
    "several-tenants-nothing-of-strangers",
    "A read that lists an unknown tenant finds nothing at all.",
    "the document does not say whether a read may list an unknown tenant",
    (base) => ({
      tenantsOf: (header, context) => base.tenantsOf(ofStrangers(header) ? "nobody" : header, context),
    }),
    SET_UP,
  ),
  variant(
    "several-tenants-labelled",
    "Reads of several tenants add __tenant_id__ to every stream.",
    "the document does not forbid that the service adds labels",
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
    { options: { tenancy: true } },
  ),
  variant(
    "several-tenants-apart",
    "Reads of several tenants show each stream with a label that names its tenant.",
    "the document does not forbid that the service adds labels",
    (base) => toldApart(base),
    { options: { tenancy: true } },
  ),
  variant("named-loki", "The paths have another name of the service.", "`logs` stands for the service's own name", () => ({}), {
    options: { segment: "loki" },
    settings: { LOGS_PATH_SEGMENT: "loki" },
  }),
  variant("rate-limited", "Requests above 150 per second are answered 429.", "exceeding the rate limit gives 429", () => ({}), {
    options: { rateLimit: { perSecond: 150, burst: 150 } },
  }),
  variant(
    "rate-limited-queries",
    "Queries above 150 requests per second are answered 429. Pushes are not limited.",
    "the document does not show which requests the rate limit counts",
    (base) => ({ limitRate: (exceeds, request) => (request.method === "POST" ? undefined : base.limitRate(exceeds, request)) }),
    {
      options: { rateLimit: { perSecond: 150, burst: 150 } },
    },
  ),
  variant(
    "rate-limited-low",
    "After 150 requests at once, requests are answered 429 for a while.",
    "exceeding the rate limit gives 429, and its values are not shown",
    () => ({}),
    {
      options: { rateLimit: { perSecond: 300, burst: 150 } },
    },
  ),
  variant(
    "rate-limited-slow",
    "Requests above 60 per second, with bursts of 20, are answered 429.",
    "exceeding the rate limit gives 429, and its values are not shown",
    () => ({}),
    {
      options: { rateLimit: { perSecond: 60, burst: 20 } },
    },
  ),
  variant(
    "rate-limited-503",
    "Requests above 60 per second, with bursts of 20, are answered 503.",
    "503 is for a service that is overloaded, and what overloads it is not shown",
    (base) => ({
      limitRate: (exceeds, request) =>
        base.limitRate(exceeds, request) === undefined ? undefined : textReply(503, "too many requests at the moment\n"),
    }),
    {
      options: { rateLimit: { perSecond: 60, burst: 20 } },
      settings: { LOGS_EXPECT_RATE_LIMIT: "false" },
    },
  ),
];

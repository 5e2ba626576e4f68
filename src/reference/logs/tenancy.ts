/** Tests the credentials, the tenants and the rate limit of requests to the log API (docs/2 sections 5 and 8). */
import { basicCredentials, sameSecret, unauthorized } from "../http/authorization.ts";
import { type HttpRequest, type Operation, type Reply, textReply } from "../http/message.ts";

export interface TenancyBehaviour {
  /** Returns the refusal of a request without the right credentials, or undefined. `user` is null if no credentials are required. */
  readonly authorizeLogs: (
    request: HttpRequest,
    credentials: { readonly user: string | null; readonly token: string },
  ) => Reply | undefined;
  /** Returns the tenants in the header X-Scope-OrgID, or a refusal. A push is stored for the first of them. */
  readonly tenantsOf: (
    header: string | undefined,
    context: { readonly tenancy: boolean; readonly operation: Operation },
  ) => readonly string[] | Reply;
  /** Returns the response to a request that exceeds the rate limit. If the result is undefined, the request is accepted. */
  readonly limitRate: (exceeded: boolean, request: HttpRequest) => Reply | undefined;
}

/** The tenant of all data of a server in single-tenant mode. */
export const ONLY_TENANT = "";

export const TENANCY_BASE: TenancyBehaviour = {
  authorizeLogs: ({ headers }, { user, token }) => {
    if (user === null) return undefined;
    const credentials = basicCredentials(headers["authorization"]);
    if (credentials !== undefined && credentials.user === user && sameSecret(credentials.password, token)) return undefined;
    return unauthorized("Basic authentication with the user and the API token is required");
  },
  tenantsOf: (header, { tenancy, operation }) => {
    if (!tenancy) return [ONLY_TENANT];
    const tenants = [...new Set((header ?? "").split("|").filter((id) => id !== ""))];
    if (tenants.length === 0) return textReply(401, "no org id\n");
    if (tenants.length > 1 && operation === "logs.push") return textReply(400, "entries are pushed to one tenant\n");
    return tenants;
  },
  limitRate: (exceeded) => (exceeded ? textReply(429, "rate limit exceeded\n") : undefined),
};

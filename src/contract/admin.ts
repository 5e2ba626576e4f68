/** Lists the clauses of the admin API (docs/1) in order. The 47 clauses of limits are derived from the table of limits. */
import { LIMITS, LIMIT_NAMES, type LimitName } from "./limits.ts";
import { implied, repeats, stated, unobservable, unspecified, type ClauseData } from "./clause.ts";

const CLIENTS = "a statement about clients, which the suite follows in each of its own requests";
const ENFORCEMENT = "enforcement happens in the metrics store's read and write paths, which this API does not show";

const before = {
  "admin-1.1": repeats(
    "The service is a multi-tenant metrics store whose instances an administrator manages through an HTTP API under {base_url}/admin/api/v1.",
    "admin-4.POST",
    "admin-4.GET",
    "admin-4.PUT",
  ),
  "admin-1.2a": repeats("Each instance can carry resource limits of its own.", "admin-4.1", "admin-4.3"),
  "admin-1.2b": unobservable("The limits cover the metric read path and the write path.", ENFORCEMENT),
  "admin-1.2c": unobservable("The limits keep one tenant from monopolizing the cluster or threatening its stability.", ENFORCEMENT),
  "admin-1.3": repeats(
    "Limits may be set when an instance is created or modified, and removed by modifying it.",
    "admin-4.1",
    "admin-4.3",
    "admin-4.2",
  ),
  "admin-1.4a": unobservable("Limits set through the admin API are enforced from values kept in object storage.", ENFORCEMENT),
  "admin-1.4b": repeats("Per-tenant retention of metrics is one of the limits.", "admin-2.limit.compactor_blocks_retention_period"),
  "admin-2.json": repeats("Payloads are JSON.", "admin-4.json"),
  "admin-2.field.name": stated(
    "name, a string, is the identifier of the instance and the last path segment for read and update; it is sent on create only.",
  ),
  "admin-2.field.display_name": stated("display_name, a string, is the human-readable name of the instance."),
  "admin-2.field.status": stated("status is a string; the only value shown is `active`."),
  "admin-2.field.cluster": stated("cluster, a string, is the name of the cluster the instance belongs to."),
  "admin-2.field.limits": stated("limits is an object of per-instance limits; it is absent when the instance has no limits."),
  "admin-2.field.created_at": stated(
    "created_at is an RFC 3339 timestamp with nanosecond precision, set by the service and returned on read and update.",
  ),
  "admin-2.required-on-create": unobservable(
    "name, display_name, status and cluster are required on create; limits are not.",
    `${CLIENTS}; what a service answers when one of them is missing is not shown`,
  ),
  "admin-2.created-at-not-sent": unobservable("created_at is not sent by the client.", CLIENTS),
  "admin-2.created-at-time": implied(
    "created_at, which the service sets on create, is at most one day from the time of the create on the service's own clock.",
  ),
  "admin-2.created-at-unchanged": implied("created_at of an instance stays the same when the instance is updated."),
  "admin-2.1": repeats(
    "When an instance is created with some limits, every other limit is filled from the global default limits, and a read returns all limits.",
    "admin-4.1",
    "admin-4.GET",
  ),
  "admin-2.2": repeats(
    "When limits are added by an update to an instance that had no limits, the other limits are likewise filled from the global default limits.",
    "admin-4.3",
  ),
  "admin-2.3a": stated("Limit names are exact."),
  "admin-2.3b": repeats(
    "The defaults in the table are the values that a sample read of a new instance returned. They stand for the global defaults.",
    ...LIMIT_NAMES.filter((name) => LIMITS[name].default !== undefined).map((name) => `admin-2.limit.${name}`),
  ),
  "admin-2.4": unspecified("The global defaults of max_series_per_query and max_series_per_user."),
} as const satisfies Record<string, ClauseData>;

const after = {
  "admin-2.retention-format": stated(
    "On write, compactor_blocks_retention_period is a number followed by a unit suffix, such as `<n>y` for years and `<n>d` for days.",
  ),
  "admin-2.units": unspecified("The units of the integer duration limits and the meaning of each limit beyond its name."),
  "admin-3.1": repeats("The status field of an instance holds `active` in every example.", "admin-2.field.status"),
  "admin-3.2": unspecified("Other status values and the transitions between them."),
  "admin-3.3": unobservable(
    "Blocks of a tenant with a retention period, once marked for deletion, are removed by the blocks cleaner after the delay that the configuration setting deletion_delay sets (default 12h).",
    "blocks and their deletion are not visible through the admin API",
  ),
  "admin-4.paths": repeats("All paths are relative to {base_url}.", "admin-4.POST", "admin-4.GET", "admin-4.PUT"),
  "admin-4.json": stated("Bodies are JSON."),
  "admin-4.POST": stated("POST /admin/api/v1/instances with name, display_name, status, cluster and optional limits creates an instance."),
  "admin-4.GET": stated(
    "GET /admin/api/v1/instances/{name} answers the instance object: name, display_name, created_at, status, cluster, and limits, all of them populated when the instance has limits.",
  ),
  "admin-4.PUT": stated(
    "PUT /admin/api/v1/instances/{name} with display_name, status, cluster and optional limits modifies the instance and answers the modified instance object.",
  ),
  "admin-4.PUT-over-limits": implied(
    "PUT with limits on an instance that has limits sets the limits that it sends; each other limit then has its earlier value or its global default.",
  ),
  "admin-4.1": stated(
    "POST with a subset of the limits creates an instance whose limits are that subset plus the global defaults for the other limits.",
  ),
  "admin-4.2": stated(
    "PUT without a limits field removes the limits from the instance; the response is the instance object with name, display_name, created_at, status and cluster, and without `limits`.",
  ),
  "admin-4.3": stated(
    "PUT with limits on an instance without limits adds the sent limits, and fills the omitted limits with their defaults.",
  ),
  "admin-4.4": unspecified(
    "The response body and success status code of create, and any other operation such as listing or deleting instances.",
  ),
  "admin-5.1": stated("Admin API requests use HTTP Basic authentication with an empty username and the API token as the password."),
  "admin-5.2": unspecified("How tokens are issued, and which tokens may perform which operations."),
  "admin-6.events": unspecified("Events emitted by the service."),
  "admin-7.errors": unspecified("Error status codes, error bodies and the conditions that cause them."),
  "admin-8.1a": repeats("The per-instance limits are those listed in section 2.", ...LIMIT_NAMES.map((name) => `admin-2.limit.${name}`)),
  "admin-8.1b": unobservable("The limits apply to the tenant that the instance represents.", ENFORCEMENT),
  "admin-8.2a": unobservable(
    "Limits come from a single location at a time: the first location in order that has limits. Limits of the admin API replace limits of a runtime configuration file.",
    "the other locations are files of the deployment, out of reach of the admin API",
  ),
  "admin-8.2b": unspecified("The full list of limit locations and their order."),
  "admin-8.3": unobservable(
    "The service periodically reads object storage, every minute by default, which is configurable, with N GET requests and one LIST request for N instances in the cluster.",
    "the service's own traffic to object storage is not visible through the admin API",
  ),
  "admin-8.4a": repeats(
    "compactor_blocks_retention_period is a duration string, for example in years or in days.",
    "admin-2.retention-format",
  ),
  "admin-8.4b": unobservable(
    "Retention bounds how long a tenant keeps metrics; blocks past it are marked for deletion and removed after deletion_delay.",
    "stored metrics and blocks are not visible through the admin API",
  ),
  "admin-8.5": unspecified("Rate limits on the admin API itself."),
  "admin-9.1": repeats("The admin API path carries the version segment v1.", "admin-4.POST", "admin-4.GET", "admin-4.PUT"),
  "admin-9.2": unobservable("The document describes the behavior of release 1.5.1.", "no documented response names the release"),
  "admin-9.3": unspecified("Deprecation and compatibility policy."),
} as const satisfies Record<string, ClauseData>;

/** Returns the default of a limit, in the form that the table of limits has. */
function printed(name: LimitName): string {
  const row = LIMITS[name];
  if (row.default === undefined) return "the table shows no default";
  if (row.type === "retention") return "default 0 (integer) on read, a duration string on write";
  return `default ${row.default === "" ? "the empty string" : JSON.stringify(row.default)}`;
}

type LimitClauseId = `admin-2.limit.${LimitName}`;

const rows = Object.fromEntries(
  LIMIT_NAMES.map((name) => {
    const type = LIMITS[name].type;
    const article = type === "integer" ? "an" : "a";
    const noun = type === "list" ? "list or null" : type === "duration" ? "duration string" : type === "retention" ? "duration" : type;
    return [`admin-2.limit.${name}`, stated(`The limit ${name} is ${article} ${noun}; ${printed(name)}.`)];
  }),
) as Record<LimitClauseId, ClauseData>;

export type AdminClauseId = keyof typeof before | keyof typeof after | LimitClauseId;

export const ADMIN_CLAUSES: Readonly<Record<AdminClauseId, ClauseData>> = { ...before, ...rows, ...after };

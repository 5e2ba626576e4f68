/** The functions of the admin API that faults and variants can replace. In this file, they obey the rules of docs/1. */
import { DOCUMENTED_DEFAULTS, LIMIT_NAMES } from "../../contract/limits.ts";
import { basicCredentials, sameSecret, unauthorized } from "../http/authorization.ts";
import { type HttpRequest, type Json, type JsonObject, jsonReply, type Reply, textMember } from "../http/message.ts";
import { rfc3339 } from "./created-at.ts";
import { createComplaint, limitComplaint, updateComplaint } from "./payload.ts";
import type { Instance, LimitValues, StoredVersion } from "./state.ts";

export type AdminOperation = "create" | "read" | "update";

/** The create or update that the server is carrying out. */
export interface WriteContext {
  readonly operation: "create" | "update";
  readonly name: string;
  readonly payload: JsonObject;
  /** The limits that the client sent, or undefined if the request has no `limits`. */
  readonly sent: LimitValues | undefined;
  /** The instance before the write. For a create, this is undefined. */
  readonly previous: Instance | undefined;
}

export interface ReadContext {
  readonly operation: AdminOperation;
  readonly instance: Instance;
}

/** The parts of an instance that have another form in a response than in the store. */
export interface Presented {
  readonly createdAt: Json;
  readonly limits: LimitValues | undefined;
}

export interface AdminBehaviour {
  /** Returns the refusal of a request without the documented credentials, or undefined if the credentials are right. */
  readonly authorizeAdmin: (request: HttpRequest, credentials: { readonly token: string; readonly enforced: boolean }) => Reply | undefined;
  /** Returns the reason why a body is refused, or undefined. `payload` is undefined if the body is not JSON. */
  readonly checkCreate: (payload: Json | undefined) => string | undefined;
  readonly checkUpdate: (payload: Json | undefined) => string | undefined;
  readonly checkLimit: (name: string, value: Json, context: WriteContext) => string | undefined;
  /** Returns a sent limit as the server stores it. If the result is undefined, the server treats the limit as not sent. */
  readonly limitOnWrite: (name: string, value: Json, context: WriteContext) => Json | undefined;
  /** Returns the global default limits that this write uses. */
  readonly defaultLimits: (context: WriteContext) => LimitValues;
  /** Returns the limits of an instance without limits after a write with limits. If the result is undefined, it gets no limits. */
  readonly fillLimits: (requested: LimitValues, defaults: LimitValues, context: WriteContext) => LimitValues | undefined;
  /** Returns the limits of an instance with limits after a write with limits. Limits that are not sent may be kept or not. */
  readonly replaceLimits: (
    old: LimitValues,
    requested: LimitValues,
    defaults: LimitValues,
    context: WriteContext,
  ) => LimitValues | undefined;
  /** Returns the new limits of an instance after a write without limits. */
  readonly withoutLimits: (old: LimitValues | undefined, defaults: LimitValues, context: WriteContext) => LimitValues | undefined;
  readonly createInstance: (payload: JsonObject, limits: LimitValues | undefined, createdAtNs: bigint) => Instance;
  readonly updateInstance: (old: Instance, payload: JsonObject, limits: LimitValues | undefined, nowNs: bigint) => Instance;
  /** Returns the instance that is stored, or undefined to store nothing. The response shows `next` in both cases. */
  readonly storeInstance: (next: Instance, context: WriteContext) => Instance | undefined;
  /** Returns the version of the instance `name` that a request reads or updates. */
  readonly findInstance: (
    versions: readonly StoredVersion[],
    context: { readonly operation: AdminOperation; readonly name: string; readonly nowMs: number },
  ) => Instance | undefined;
  /** Returns the refusal of a request whose precondition is not met, or undefined if all its preconditions are met. */
  readonly precondition: (request: HttpRequest, instance: Instance) => Reply | undefined;
  readonly formatCreatedAt: (ns: bigint, context: ReadContext) => Json;
  /** Returns a limit as the response shows it. If the result is undefined, the response leaves the limit out. */
  readonly limitOnRead: (name: string, value: Json, context: ReadContext) => Json | undefined;
  readonly presentInstance: (instance: Instance, presented: Presented, context: ReadContext) => JsonObject;
  /** Returns the headers of the response that describe the instance, such as an ETag. */
  readonly instanceHeaders: (instance: Instance, context: ReadContext) => Readonly<Record<string, string>>;
  readonly instanceReply: (body: JsonObject, headers: Readonly<Record<string, string>>, context: ReadContext) => Reply;
}

/** The defaults of the reference server for the two limits for which the document shows no default. */
const UNDOCUMENTED_DEFAULTS: LimitValues = { max_series_per_query: 100_000, max_series_per_user: 5_000_000 };

export const GLOBAL_DEFAULTS: LimitValues = Object.fromEntries(
  LIMIT_NAMES.map((name) => [name, DOCUMENTED_DEFAULTS[name] ?? UNDOCUMENTED_DEFAULTS[name] ?? null]),
);

export const ADMIN_BASE: AdminBehaviour = {
  authorizeAdmin: ({ headers }, { token, enforced }) => {
    if (!enforced) return undefined;
    const credentials = basicCredentials(headers["authorization"]);
    if (credentials === undefined) return unauthorized("Basic authentication is required");
    if (credentials.user === "" && sameSecret(credentials.password, token)) return undefined;
    return unauthorized("the user name must be empty and the password the API token");
  },
  checkCreate: createComplaint,
  checkUpdate: updateComplaint,
  checkLimit: limitComplaint,
  limitOnWrite: (_name, value) => value,
  defaultLimits: () => GLOBAL_DEFAULTS,
  fillLimits: (requested, defaults) => ({ ...defaults, ...requested }),
  replaceLimits: (_old, requested, defaults) => ({ ...defaults, ...requested }),
  withoutLimits: () => undefined,
  createInstance: (payload, limits, createdAtNs) => ({
    name: textMember(payload, "name"),
    display_name: textMember(payload, "display_name"),
    status: textMember(payload, "status"),
    cluster: textMember(payload, "cluster"),
    ...(limits === undefined ? {} : { limits }),
    createdAtNs,
    version: 1,
  }),
  updateInstance: (old, payload, limits) => ({
    name: old.name,
    display_name: textMember(payload, "display_name"),
    status: textMember(payload, "status"),
    cluster: textMember(payload, "cluster"),
    ...(limits === undefined ? {} : { limits }),
    createdAtNs: old.createdAtNs,
    version: old.version + 1,
  }),
  storeInstance: (next) => next,
  findInstance: (versions) => versions.at(-1)?.instance,
  precondition: () => undefined,
  formatCreatedAt: rfc3339,
  limitOnRead: (_name, value) => value,
  presentInstance: ({ name, display_name, status, cluster }, { createdAt, limits }) => ({
    name,
    display_name,
    created_at: createdAt,
    status,
    cluster,
    ...(limits === undefined ? {} : { limits }),
  }),
  instanceHeaders: () => ({}),
  instanceReply: (body, headers, { operation }) => jsonReply(operation === "create" ? 201 : 200, body, headers),
};

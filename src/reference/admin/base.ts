/** The functions of the admin API that faults and variants can replace, and the rules of docs/1 that they implement. */
import { DOCUMENTED_DEFAULTS, LIMIT_NAMES } from "../../contract/limits.ts";
import { basicCredentials, sameSecret, unauthorized } from "../http/authorization.ts";
import { type HttpRequest, type Json, type JsonObject, jsonReply, type Reply, textMember } from "../http/message.ts";
import { rfc3339 } from "./created-at.ts";
import { createComplaint, limitComplaint, updateComplaint } from "./payload.ts";
import type { Instance, LimitValues, StoredVersion } from "./state.ts";

export type AdminOperation = "create" | "read" | "update";

/** The write that is in progress. */
export interface WriteContext {
  readonly operation: "create" | "update";
  readonly name: string;
  /** The body of the request. */
  readonly payload: JsonObject;
  /** The limits as the client sent them. Undefined if the request has no `limits`. */
  readonly sent: LimitValues | undefined;
  /** The instance before the write. Undefined on create. */
  readonly previous: Instance | undefined;
}

export interface ReadContext {
  readonly operation: AdminOperation;
  readonly instance: Instance;
}

/** The parts of an instance in the form in which the response shows them. */
export interface Presented {
  readonly createdAt: Json;
  readonly limits: LimitValues | undefined;
}

export interface AdminBehaviour {
  /** The refusal of a request without the documented credentials. Undefined if the credentials are right. */
  readonly authorizeAdmin: (request: HttpRequest, credentials: { readonly token: string; readonly enforced: boolean }) => Reply | undefined;
  /** The reason why a body is not accepted. Undefined if it is accepted. The body may be no JSON. */
  readonly checkCreate: (payload: Json | undefined) => string | undefined;
  readonly checkUpdate: (payload: Json | undefined) => string | undefined;
  readonly checkLimit: (name: string, value: Json, context: WriteContext) => string | undefined;
  /** A sent limit as the server stores it. Undefined means that the limit is treated as not sent. */
  readonly limitOnWrite: (name: string, value: Json, context: WriteContext) => Json | undefined;
  /** The global default limits that this write uses. */
  readonly defaultLimits: (context: WriteContext) => LimitValues;
  /** The new limits of an instance without limits, after a write with limits. Undefined means no limits. */
  readonly fillLimits: (requested: LimitValues, defaults: LimitValues, context: WriteContext) => LimitValues | undefined;
  /**
   * The new limits of an instance with limits, after a write with limits. The document does not say whether limits that are not sent keep
   * their values or get their defaults.
   */
  readonly replaceLimits: (
    old: LimitValues,
    requested: LimitValues,
    defaults: LimitValues,
    context: WriteContext,
  ) => LimitValues | undefined;
  /** The new limits of an instance after a write without limits. */
  readonly withoutLimits: (old: LimitValues | undefined, defaults: LimitValues, context: WriteContext) => LimitValues | undefined;
  /** The instance after a create. */
  readonly createInstance: (payload: JsonObject, limits: LimitValues | undefined, createdAtNs: bigint) => Instance;
  /** The instance after an update. */
  readonly updateInstance: (old: Instance, payload: JsonObject, limits: LimitValues | undefined, nowNs: bigint) => Instance;
  /**
   * The part of a written instance that the server stores. Undefined means nothing. The response to the write still shows the whole
   * instance.
   */
  readonly storeInstance: (next: Instance, context: WriteContext) => Instance | undefined;
  /** The version of an instance that a request for `name` works on. */
  readonly findInstance: (
    versions: readonly StoredVersion[],
    context: { readonly operation: AdminOperation; readonly name: string; readonly nowMs: number },
  ) => Instance | undefined;
  /** The refusal of a request whose precondition is not met. Undefined if its preconditions are met. */
  readonly precondition: (request: HttpRequest, instance: Instance) => Reply | undefined;
  /** The form in which a response shows created_at. */
  readonly formatCreatedAt: (ns: bigint, context: ReadContext) => Json;
  /** A limit as the response shows it. Undefined means that the limit is left out. */
  readonly limitOnRead: (name: string, value: Json, context: ReadContext) => Json | undefined;
  /** The instance object of the response. */
  readonly presentInstance: (instance: Instance, presented: Presented, context: ReadContext) => JsonObject;
  /** The headers that describe the instance. */
  readonly instanceHeaders: (instance: Instance, context: ReadContext) => Readonly<Record<string, string>>;
  /** The response with the instance object. */
  readonly instanceReply: (body: JsonObject, headers: Readonly<Record<string, string>>, context: ReadContext) => Reply;
}

/** Defaults that the document does not show. */
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

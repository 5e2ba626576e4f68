/** The seams of the admin API, and the rules of docs/1 behind them. */
import { DOCUMENTED_DEFAULTS, LIMIT_NAMES } from "../../contract/limits.ts";
import { basicCredentials, sameSecret, unauthorized } from "../http/authorization.ts";
import { type HttpRequest, type Json, type JsonObject, jsonReply, type Reply, textMember } from "../http/message.ts";
import { rfc3339 } from "./created-at.ts";
import { createComplaint, limitComplaint, updateComplaint } from "./payload.ts";
import type { Instance, LimitValues, StoredVersion } from "./state.ts";

export type AdminOperation = "create" | "read" | "update";

/** Which write is going on. */
export interface WriteContext {
  readonly operation: "create" | "update";
  readonly name: string;
  /** The body of the request. */
  readonly payload: JsonObject;
  /** The limits as they were sent; undefined: no `limits` in the request. */
  readonly sent: LimitValues | undefined;
  /** What the instance was before; undefined on create. */
  readonly previous: Instance | undefined;
}

export interface ReadContext {
  readonly operation: AdminOperation;
  readonly instance: Instance;
}

/** The parts of an instance as they will be shown. */
export interface Presented {
  readonly createdAt: Json;
  readonly limits: LimitValues | undefined;
}

export interface AdminBehaviour {
  /** A refusal of a request whose credentials are not the documented ones, or undefined. */
  readonly authorizeAdmin: (request: HttpRequest, credentials: { readonly token: string; readonly enforced: boolean }) => Reply | undefined;
  /** Why a body is not accepted, or undefined; it may be no JSON at all. */
  readonly checkCreate: (payload: Json | undefined) => string | undefined;
  readonly checkUpdate: (payload: Json | undefined) => string | undefined;
  readonly checkLimit: (name: string, value: Json, context: WriteContext) => string | undefined;
  /** A sent limit as it is kept; undefined: as if it had not been sent. */
  readonly limitOnWrite: (name: string, value: Json, context: WriteContext) => Json | undefined;
  /** The global default limits as this write sees them. */
  readonly defaultLimits: (context: WriteContext) => LimitValues;
  /** The limits of an instance that had none and is sent some; undefined: none. */
  readonly fillLimits: (requested: LimitValues, defaults: LimitValues, context: WriteContext) => LimitValues | undefined;
  /** The limits of an instance that had some and is sent some: reset or merge, the document does not say. */
  readonly replaceLimits: (
    old: LimitValues,
    requested: LimitValues,
    defaults: LimitValues,
    context: WriteContext,
  ) => LimitValues | undefined;
  /** The limits of an instance that is sent none. */
  readonly withoutLimits: (old: LimitValues | undefined, defaults: LimitValues, context: WriteContext) => LimitValues | undefined;
  /** The new instance. */
  readonly createInstance: (payload: JsonObject, limits: LimitValues | undefined, createdAtNs: bigint) => Instance;
  /** The modified instance. */
  readonly updateInstance: (old: Instance, payload: JsonObject, limits: LimitValues | undefined, nowNs: bigint) => Instance;
  /** What of a written instance is kept; undefined: nothing. The answer to the write shows the instance as given. */
  readonly storeInstance: (next: Instance, context: WriteContext) => Instance | undefined;
  /** The version that a request for `name` works on. */
  readonly findInstance: (
    versions: readonly StoredVersion[],
    context: { readonly operation: AdminOperation; readonly name: string; readonly nowMs: number },
  ) => Instance | undefined;
  /** A refusal for a precondition of the request that does not hold, or undefined. */
  readonly precondition: (request: HttpRequest, instance: Instance) => Reply | undefined;
  /** created_at as it is shown. */
  readonly formatCreatedAt: (ns: bigint, context: ReadContext) => Json;
  /** One limit as it is shown; undefined: left out. */
  readonly limitOnRead: (name: string, value: Json, context: ReadContext) => Json | undefined;
  /** The instance object. */
  readonly presentInstance: (instance: Instance, presented: Presented, context: ReadContext) => JsonObject;
  /** Headers that describe the instance. */
  readonly instanceHeaders: (instance: Instance, context: ReadContext) => Readonly<Record<string, string>>;
  /** The answer around the instance object. */
  readonly instanceReply: (body: JsonObject, headers: Readonly<Record<string, string>>, context: ReadContext) => Reply;
}

/** Defaults the document does not show. */
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

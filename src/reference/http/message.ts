/** Defines requests and replies as values, so that the functions of the reference server need no sockets. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export interface HttpRequest {
  readonly method: string;
  /** The decoded segments of the path, without empty segments. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  /** The headers of the request or reply, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, or empty if the request has no body. */
  readonly body: string;
}

export type Operation =
  | "admin.create"
  | "admin.read"
  | "admin.update"
  | "logs.push"
  | "logs.query_range"
  | "logs.query"
  | "logs.labels"
  | "logs.label_values";

/** The operation of a request. `name` is the instance or the label in the path. */
export interface Route {
  readonly operation: Operation;
  readonly name: string;
}

export type ReplyBody =
  | { readonly kind: "json"; readonly value: Json }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "none" };

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReplyBody;
  /** The delay before the reply is sent, in ms. */
  readonly delayMs?: number;
  /** True if the body is sent in chunks, without a content length. */
  readonly chunked?: true;
  /** True if the server closes the connection without a reply. */
  readonly hangUp?: true;
  /** True if the server sends nothing, and keeps the connection open. */
  readonly silent?: true;
}

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const TEXT_TYPE = { "content-type": "text/plain; charset=utf-8" };

export function jsonReply(status: number, value: Json, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: { kind: "json", value } };
}

export function textReply(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { ...TEXT_TYPE, ...headers }, body: { kind: "text", text } };
}

export function emptyReply(status: number): Reply {
  return { status, headers: {}, body: { kind: "none" } };
}

/** Returns the reply with a changed JSON body. A reply without a JSON body is returned unchanged. */
export function mapJson(reply: Reply, change: (value: Json) => Json): Reply {
  return reply.body.kind === "json" ? { ...reply, body: { kind: "json", value: change(reply.body.value) } } : reply;
}

export function isSuccessful({ status }: Reply): boolean {
  return status >= 200 && status < 300;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses a text as JSON. Returns undefined if the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Returns the string in a member of an object, or an empty string if the member is no string. */
export function textMember(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

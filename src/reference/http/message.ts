/** Requests and replies as values: what the server's rules see instead of sockets. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export interface HttpRequest {
  readonly method: string;
  /** Decoded segments of the path, without empty ones. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; empty when there is none. */
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

/** What a request asks for; `name` is the instance or the label in the path. */
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
  /** Waits so long before the reply is sent, ms. */
  readonly delayMs?: number;
  /** Sends the body in chunks, without a length. */
  readonly chunked?: true;
  /** Closes the connection instead of answering. */
  readonly hangUp?: true;
  /** Sends nothing and leaves the connection open. */
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

/** The reply with its JSON body replaced; a reply without one stays as it is. */
export function mapJson(reply: Reply, change: (value: Json) => Json): Reply {
  return reply.body.kind === "json" ? { ...reply, body: { kind: "json", value: change(reply.body.value) } } : reply;
}

export function isSuccessful({ status }: Reply): boolean {
  return status >= 200 && status < 300;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON of a text, or undefined when it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** A string member of an object; empty when it is none. */
export function textMember(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

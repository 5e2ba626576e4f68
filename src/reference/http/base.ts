/** Defines the functions that the server calls for each request, for example to find the operation or to finish the reply. */
import type { HttpRequest, Json, Operation, Reply, Route } from "./message.ts";

export interface HttpBehaviour {
  /** Returns the request as the server interprets it. */
  readonly readRequest: (request: HttpRequest) => HttpRequest;
  /** Returns the operation of a request. `"method"` means a known path with a wrong method, and undefined means an unknown path. */
  readonly route: (request: HttpRequest, segment: string) => Route | "method" | undefined;
  /** Called before a request is handled. If it returns a reply, the request is not handled. */
  readonly beforeHandle: (request: HttpRequest, route: Route | undefined) => Reply | undefined;
  /** Called with each reply before it is sent. Returns the reply to send. `route` is undefined if the path is unknown. */
  readonly respond: (reply: Reply, request: HttpRequest, route: Route | undefined) => Reply;
  /** Returns the text of a JSON body. */
  readonly serialize: (value: Json, route: Route | undefined) => string;
}

type Known = { readonly method: string; readonly operation: Operation; readonly name: string };

function adminRoutes(rest: readonly string[]): Known[] {
  if (rest.length === 1 && rest[0] === "instances") return [{ method: "POST", operation: "admin.create", name: "" }];
  const [collection, name] = rest;
  if (rest.length !== 2 || collection !== "instances" || name === undefined) return [];
  return [
    { method: "GET", operation: "admin.read", name },
    { method: "PUT", operation: "admin.update", name },
  ];
}

function logRoutes(rest: readonly string[]): Known[] {
  const [first, name, last] = rest;
  if (rest.length === 3 && first === "label" && name !== undefined && last === "values") {
    return [{ method: "GET", operation: "logs.label_values", name }];
  }
  if (rest.length !== 1) return [];
  switch (first) {
    case "query_range":
      return [{ method: "GET", operation: "logs.query_range", name: "" }];
    case "query":
      return [{ method: "GET", operation: "logs.query", name: "" }];
    case "push":
      return [{ method: "POST", operation: "logs.push", name: "" }];
    case "labels":
      return [{ method: "GET", operation: "logs.labels", name: "" }];
    default:
      return [];
  }
}

export const HTTP_BASE: HttpBehaviour = {
  readRequest: (request) => request,
  route: ({ method, segments }, segment) => {
    const [service, api, version, ...rest] = segments;
    if (api !== "api" || version !== "v1") return undefined;
    const known = service === "admin" ? adminRoutes(rest) : service === segment ? logRoutes(rest) : [];
    if (known.length === 0) return undefined;
    return known.find((route) => route.method === method) ?? "method";
  },
  beforeHandle: () => undefined,
  respond: (reply) => reply,
  serialize: (value) => JSON.stringify(value),
};

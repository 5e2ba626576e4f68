/** Faults of servers that cache responses under a key that lacks a part of the request. */
import type { Behaviour } from "../behaviour.ts";
import { type HttpRequest, isJsonObject, isSuccessful, type Operation, type Reply } from "../http/message.ts";

export function hasResult({ body }: Reply): boolean {
  const data = body.kind === "json" && isJsonObject(body.value) ? body.value["data"] : undefined;
  const result = isJsonObject(data) ? data["result"] : undefined;
  return Array.isArray(result) && result.length > 0;
}

/** Makes a faulty server that answers all requests with the same key with the response to the first of them, until the next push. */
export function cachedUntilPush(
  operation: Operation,
  key: (request: HttpRequest) => string,
): (base: Behaviour) => Pick<Behaviour, "respond"> {
  return (base) => {
    let fresh = cached(operation, key)(base);
    return {
      respond: (given, request, route) => {
        if (route?.operation === "logs.push") fresh = cached(operation, key)(base);
        return fresh.respond(given, request, route);
      },
    };
  };
}

/** A server that answers requests with the same key with the first response. `kept` says which are cached: by default, results. */
export function cached(
  operation: Operation,
  key: (request: HttpRequest) => string,
  kept: (reply: Reply, request: HttpRequest) => boolean = hasResult,
): (base: Behaviour) => Pick<Behaviour, "respond"> {
  return (base) => {
    const answers = new Map<string, Reply>();
    return {
      respond: (given, request, route) => {
        const reply = base.respond(given, request, route);
        if (route?.operation !== operation || !isSuccessful(reply)) return reply;
        const known = answers.get(key(request));
        if (known === undefined && kept(reply, request)) answers.set(key(request), reply);
        return known ?? reply;
      },
    };
  };
}

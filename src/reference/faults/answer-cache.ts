/** Answers of one operation that are kept by too little of what was asked, and given again. */
import type { Behaviour } from "../behaviour.ts";
import { type HttpRequest, isJsonObject, isSuccessful, type Operation, type Reply } from "../http/message.ts";

/** Whether an answer lists anything. */
export function hasResult({ body }: Reply): boolean {
  const data = body.kind === "json" && isJsonObject(body.value) ? body.value["data"] : undefined;
  const result = isJsonObject(data) ? data["result"] : undefined;
  return Array.isArray(result) && result.length > 0;
}

/** Gives the first answer again to every request with the same key, until something is pushed. */
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

/** Gives the first answer again to every request with the same key; `kept` says which answers: those with a result. */
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

/** Faults of compressed responses, which separate code caches or writes. */
import { isSuccessful, isJsonObject, type Reply } from "../http/message.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

/** The number of streams that the server compresses together. */
const MOST_STREAMS = 100;

function cutStreams(reply: Reply): Reply {
  const { body } = reply;
  const data = body.kind === "json" && isJsonObject(body.value) ? body.value["data"] : undefined;
  if (body.kind !== "json" || !isJsonObject(body.value) || !isJsonObject(data) || !Array.isArray(data["result"])) return reply;
  return { ...reply, body: { ...body, value: { ...body.value, data: { ...data, result: data["result"].slice(0, MOST_STREAMS) } } } };
}

export const COMPRESSED_FAULTS: readonly Fault[] = [
  fault("admin-4.GET", "admin-compressed-kept", "The first response to a read that accepts compression is repeated for ever.", (base) => {
    const kept = new Map<string, Reply>();
    return {
      respond: (given, request, route) => {
        const reply = base.respond(given, request, route);
        if (route?.operation !== "admin.read" || request.headers["accept-encoding"] !== "gzip" || !isSuccessful(reply)) return reply;
        const known = kept.get(route.name) ?? reply;
        kept.set(route.name, known);
        return known;
      },
    };
  }),
  fault("logs-4.query_range", "logs-compressed-cut", "A response that may be compressed has at most 100 streams.", (base) => ({
    respond: (given, request, route) => {
      const reply = base.respond(given, request, route);
      return route?.operation === "logs.query_range" && request.headers["accept-encoding"] === "gzip" ? cutStreams(reply) : reply;
    },
  })),
];

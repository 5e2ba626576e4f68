/** Faults that only compressed responses show, because the faulty server has separate code that caches or writes compressed responses. */
import { isSuccessful, type Reply } from "../http/message.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

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
];

/** Faults of updates that meet others: right after one, at the same time, after a refused one; and of what comes of one later. */
import type { Instance } from "../admin/state.ts";
import { onReply } from "../change.ts";
import { textReply } from "../http/message.ts";
import { fault } from "./define.ts";
import { slowed } from "./overlapping.ts";
import type { Fault } from "./types.ts";

/** When a service that keeps limits twice has written its own over those of an update, ms. */
const UNDONE_MS = 40;

export const MEETING_UPDATE_FAULTS: readonly Fault[] = [
  fault(
    "admin-4.2",
    "admin-removal-merged",
    "A removal that comes before the limits of the update before it were read leaves them stored.",
    (base) => {
      const unread = new Set<string>();
      return {
        findInstance: (versions, context) => {
          if (context.operation === "read") unread.delete(context.name);
          return base.findInstance(versions, context);
        },
        storeInstance: (next, context) => {
          const limits = context.previous?.limits;
          const isMerged = context.sent === undefined && limits !== undefined && unread.has(next.name);
          unread.delete(next.name);
          if (context.operation === "update" && context.sent !== undefined) unread.add(next.name);
          return base.storeInstance(isMerged ? { ...next, limits } : next, context);
        },
      };
    },
  ),
  fault(
    "admin-4.PUT",
    "admin-update-of-one-mixed",
    "Of two updates of one instance at once the later stores its limits beside the display name of the earlier.",
    (base) => {
      const { respond, begin } = slowed(base, ["admin.update"]);
      return {
        respond,
        storeInstance: (next, context) => {
          const mixed = context.operation === "update" && begin([next.name]).same;
          const { previous } = context;
          return base.storeInstance(mixed && previous !== undefined ? { ...next, display_name: previous.display_name } : next, context);
        },
      };
    },
  ),
  fault("admin-4.PUT", "admin-update-lock-kept", "A refused update leaves its instance locked: later ones are answered 409.", (base) => {
    const locked = new Set<string>();
    return {
      precondition: (request, instance) =>
        locked.has(instance.name) ? textReply(409, "another update is going on\n") : base.precondition(request, instance),
      respond: (given, request, route) => {
        const reply = base.respond(given, request, route);
        if (route?.operation === "admin.update" && reply.status === 400) locked.add(route.name);
        return reply;
      },
    };
  }),
  fault(
    "admin-4.PUT-over-limits",
    "admin-over-limits-undone",
    "Limits written over limits are undone a moment later.",
    (base) => ({
      findInstance: (versions, context) => {
        const found = base.findInstance(versions, context);
        const [before, last] = versions.slice(-2);
        if (found?.limits === undefined || last === undefined || context.nowMs - last.atMs < UNDONE_MS) return found;
        return before?.instance.limits === undefined ? found : { ...found, limits: before.instance.limits };
      },
    }),
    { settleMs: 1_000 },
  ),
  fault(
    "admin-4.PUT",
    "admin-update-500-beyond-latin",
    "An update is carried out and answered 500 where its display name does not fit into a header.",
    (base) => {
      let shown: Instance | undefined;
      return {
        storeInstance: (next, context) => {
          shown = next;
          return base.storeInstance(next, context);
        },
        ...onReply(base, ["admin.update"], (reply) =>
          [...(shown?.display_name ?? "")].some((character) => character > "\u00ff") ? textReply(500, "something went wrong\n") : reply,
        ),
      };
    },
  ),
];

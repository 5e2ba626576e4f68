/** Faults of updates close to other requests: back-to-back updates, concurrent updates, and updates after a refused update. */
import { onReply } from "../change.ts";
import type { Instance, LimitValues } from "../admin/state.ts";
import { isJsonObject, isSuccessful, parseJson, textMember, textReply } from "../http/message.ts";
import { broken, faultsOf, type Row, wrongResult } from "./define.ts";
import { misread, slowed, withLimits } from "./helpers.ts";
import type { Fault } from "./types.ts";

/** A faulty server has two copies of the limits. This number of ms after an update, its old copy overwrites the new limits. */
const UNDONE_MS = 40;

/** The time between the two steps in which a faulty server carries out a write, in ms. */
const HALFWAY_MS = 12;

/** A fault: a refused create changes the limits of the instance. `isWith` says whether creates with limits do this, or creates without. */
function refusedCreate(kind: string, isWith: boolean): Row {
  const sentence = `A refused create ${kind} of a known name changes the limits of the existing instance.`;
  return broken({ clause: "admin-4.GET", sentence }, (base) => {
    const changed = new Map<string, LimitValues>();
    return {
      respond: (given, request, route) => {
        const reply = base.respond(given, request, route);
        if (route?.operation === "admin.update") changed.delete(route.name);
        const payload = parseJson(request.body);
        if (reply.status !== 409 || !isJsonObject(payload) || "limits" in payload !== isWith) return reply;
        changed.set(textMember(payload, "name"), isJsonObject(payload["limits"]) ? payload["limits"] : {});
        return reply;
      },
      findInstance: (versions, context) => {
        const found = base.findInstance(versions, context);
        const limits = found === undefined ? undefined : changed.get(found.name);
        return found === undefined || limits === undefined ? found : withLimits(found, isWith ? { ...found.limits, ...limits } : undefined);
      },
    };
  });
}

export const MEETING_UPDATE_FAULTS: readonly Fault[] = faultsOf("admin-4.PUT", {
  "admin-update-halfway": misread(
    { clause: "admin-4.GET", sentence: "While an update over limits is in progress, reads show no limits.", settleMs: 1_000 },
    (found, { before, ageMs }) => (before !== undefined && ageMs < HALFWAY_MS ? withLimits(found, undefined) : found),
  ),
  "admin-update-precondition-late": broken("An update with an old ETag is carried out, and then answered 412.", (base) => ({
    instanceHeaders: (instance, context) => ({ ...base.instanceHeaders(instance, context), etag: `"${instance.version}"` }),
    respond: (given, request, route) => {
      const reply = base.respond(given, request, route);
      const tag = request.headers["if-match"];
      const isOld = tag !== undefined && tag !== "*" && reply.headers["etag"] !== `"${Number(tag.replaceAll('"', "")) + 1}"`;
      return route?.operation === "admin.update" && isSuccessful(reply) && isOld ? textReply(412, "changed meanwhile\n") : reply;
    },
  })),
  "admin-create-refused-replaces-limits": refusedCreate("without limits", false),
  "admin-create-refused-changes-limits": refusedCreate("with limits", true),
  "admin-removal-merged": broken(
    { clause: "admin-4.2", sentence: "If limits are removed before the previous update was read, its limits stay stored." },
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
  "admin-update-of-one-mixed": broken(
    "If two updates of an instance are concurrent, its display name is from the earlier and its limits from the later one.",
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
  "admin-update-lock-kept": broken("After a refused update, all later updates of the instance are answered 409.", (base) => {
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
  "admin-over-limits-undone": wrongResult(
    "findInstance",
    { clause: "admin-4.PUT-over-limits", sentence: "Limits written over limits are undone a moment later.", settleMs: 1_000 },
    (found, versions, context) => {
      const [before, last] = versions.slice(-2);
      if (found?.limits === undefined || last === undefined || context.nowMs - last.atMs < UNDONE_MS) return found;
      return { ...found, limits: before?.instance.limits ?? found.limits };
    },
  ),
  "admin-update-500-beyond-latin": broken(
    "An update whose display name has characters beyond Latin-1 is carried out and answered 500.",
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
});

/** Faults of the fields of an instance (docs/1 section 2, Instance). */
import type { ReadContext } from "../admin/base.ts";
import { rfc3339 } from "../admin/created-at.ts";
import type { Instance, LimitValues } from "../admin/state.ts";
import { isJsonObject, isSuccessful, type Json, type JsonObject, parseJson } from "../http/message.ts";
import { HOUR_NS } from "../logs/hours.ts";
import { broken, faultsOf, type Row, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

const TIME = "admin-2.created-at-time";

function shownAs(field: string, sentence: string, show: (value: string) => Json): Row {
  return wrongResult("presentInstance", { clause: `admin-2.field.${field}`, sentence }, (body) => {
    const value = body[field];
    return typeof value === "string" ? { ...body, [field]: show(value) } : body;
  });
}

function withoutCreatedAt(sentence: string, operation: ReadContext["operation"]): Row {
  return wrongResult("presentInstance", sentence, (body, _instance, _presented, context): JsonObject => {
    const { created_at: _createdAt, ...rest } = body;
    return context.operation === operation ? rest : body;
  });
}

export const ADMIN_FIELD_FAULTS: readonly Fault[] = [
  ...faultsOf("admin-2.field.limits", {
    "admin-name-upper-case": shownAs("name", "name is shown in upper case.", (name) => name.toUpperCase()),
    "admin-display-name-cut": shownAs("display_name", "display_name is cut to 8 characters.", (name) => name.slice(0, 8)),
    "admin-name-24-characters": broken(
      {
        clause: "admin-2.field.name",
        sentence: "If two names agree in their first 24 characters, both reads show the newer instance.",
      },
      (base, { instances }) => ({
        findInstance: (versions, context) =>
          instances.all().findLast(({ name }) => name.slice(0, 24) === context.name.slice(0, 24)) ?? base.findInstance(versions, context),
      }),
    ),
    "admin-display-name-as-name": wrongResult(
      "presentInstance",
      { clause: "admin-2.field.display_name", sentence: "display_name is missing if it equals the name." },
      ({ display_name: shown, ...rest }, instance) => (shown === instance.name ? rest : { ...rest, display_name: shown ?? null }),
    ),
    "admin-display-name-carriage-return": shownAs("display_name", "A carriage return in display_name is lost.", (name) =>
      name.replaceAll("\r", ""),
    ),
    "admin-display-name-plus": shownAs("display_name", "A plus in display_name is shown as a blank.", (name) => name.replaceAll("+", " ")),
    "admin-display-name-number": shownAs("display_name", "A display_name of digits is shown as a number.", (name) =>
      /^\d+$/.test(name) ? Number(name) : name,
    ),
    "admin-status-boolean": shownAs("status", "status is shown as a boolean.", (status) => status === "active"),
    "admin-cluster-object": shownAs("cluster", "cluster is shown as an object.", (name) => ({ name })),
    "admin-limits-of-the-newest": broken(
      "An instance created without limits shows the limits of the instance created before it.",
      (base, { instances }) => ({
        createInstance: (payload, limits, createdAtNs) =>
          base.createInstance(payload, limits ?? instances.all().findLast((other) => other.limits !== undefined)?.limits, createdAtNs),
      }),
    ),
    "admin-create-limits-of-refused": broken("A create without limits gets the limits of the refused create before it.", (base) => {
      let left: LimitValues | undefined;
      return {
        respond: (given, request, route) => {
          const reply = base.respond(given, request, route);
          if (route?.operation === "admin.read" || route === undefined) return reply;
          const payload = parseJson(request.body);
          const limits = isJsonObject(payload) ? payload["limits"] : undefined;
          if (isJsonObject(limits) || isSuccessful(reply)) left = isSuccessful(reply) || !isJsonObject(limits) ? undefined : limits;
          return reply;
        },
        createInstance: (payload, limits, createdAtNs) => base.createInstance(payload, limits ?? left, createdAtNs),
      };
    }),
    "admin-no-limits-null": wrongResult(
      "presentInstance",
      "An instance without limits shows `limits: null`.",
      (body, _instance, { limits }) => (limits === undefined ? { ...body, limits: null } : body),
    ),
  }),
  ...faultsOf("admin-2.field.created_at", {
    "admin-created-at-not-on-read": withoutCreatedAt("created_at is missing in the response to a read.", "read"),
    "admin-created-at-not-on-update": withoutCreatedAt("created_at is missing in the response to an update.", "update"),
    "admin-created-at-milliseconds": broken("created_at is precise to the millisecond only.", () => ({
      formatCreatedAt: (ns) => new Date(Number(ns / 1_000_000n)).toISOString(),
    })),
    "admin-created-at-tomorrow": broken({ clause: TIME, sentence: "created_at is one day late." }, () => ({
      formatCreatedAt: (ns) => rfc3339(ns + 26n * HOUR_NS),
    })),
    "admin-created-at-zero": broken({ clause: TIME, sentence: "created_at is always the year 1." }, () => ({
      formatCreatedAt: () => "0001-01-01T00:00:00.000000001Z",
    })),
  }),
  ...faultsOf("admin-2.created-at-unchanged", {
    "admin-created-at-unpadded-on-update": broken(
      "The response to an update shows milliseconds, microseconds and nanoseconds one after the other, without leading zeros.",
      () => ({
        formatCreatedAt: (ns, { operation }) =>
          operation === "update"
            ? rfc3339(ns).replace(/\.(\d{3})(\d{3})(\d{3})/, (_whole, ...parts) => `.${parts.slice(0, 3).map(Number).join("")}`)
            : rfc3339(ns),
      }),
    ),
    "admin-created-at-of-the-start": broken(
      { clause: TIME, sentence: "created_at is the time at which the service started." },
      (base, { options }) => {
        const startedAtNs = BigInt(Math.floor(options.now())) * 1_000_000n + 345_678n;
        return { createInstance: (payload, limits) => base.createInstance(payload, limits, startedAtNs) };
      },
    ),
    "admin-created-at-moves-on-update": wrongResult(
      "updateInstance",
      "An update sets created_at to the time of the update.",
      (next, _old, _payload, _limits, nowNs) => ({ ...next, createdAtNs: nowNs }),
    ),
    "admin-created-at-moves-with-first-limits": broken(
      "If an update removes the limits an instance was created with, its response shows the time of the update as created_at.",
      (base, { options }) => {
        const born = new Set<string>();
        return {
          createInstance: (payload, limits, createdAtNs): Instance => {
            const made = base.createInstance(payload, limits, createdAtNs);
            if (limits !== undefined) born.add(made.name);
            return made;
          },
          presentInstance: (instance, presented, context): JsonObject => {
            const body = base.presentInstance(instance, presented, context);
            const taken = context.operation === "update" && instance.limits === undefined && born.delete(instance.name);
            return taken ? { ...body, created_at: rfc3339(BigInt(Math.floor(options.now())) * 1_000_000n + 234_567n) } : body;
          },
        };
      },
    ),
    "admin-created-at-moves-over-limits": wrongResult(
      "updateInstance",
      "An update of limits over limits sets created_at to the time of the update.",
      (next, old, _payload, limits, nowNs) => (limits === undefined || old.limits === undefined ? next : { ...next, createdAtNs: nowNs }),
    ),
    "admin-created-at-now-on-update": broken(
      "The response to an update shows the time of the update as created_at. Reads show the right time.",
      (_base, { options }) => ({
        formatCreatedAt: (ns, { operation }) => rfc3339(operation === "update" ? BigInt(options.now()) * 1_000_000n + 123_457n : ns),
      }),
    ),
  }),
];

/** Faults of the fields of an instance (docs/1 section 2, Instance). */
import type { Behaviour } from "../behaviour.ts";
import { withMembers } from "../change.ts";
import type { Instance, LimitValues } from "../admin/state.ts";
import { isJsonObject, isSuccessful, type Json, parseJson } from "../http/message.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

function shownAs(field: string, show: (value: string, instance: Instance) => Json): (base: Behaviour) => Partial<Behaviour> {
  return (base) => ({
    presentInstance: (instance, presented, context) => {
      const body = base.presentInstance(instance, presented, context);
      const value = body[field];
      return typeof value === "string" ? { ...body, [field]: show(value, instance) } : body;
    },
  });
}

function shownWithoutLimits(limits: Json): (base: Behaviour) => Partial<Behaviour> {
  return (base) => ({
    presentInstance: (instance, presented, context) => {
      const body: Json = base.presentInstance(instance, presented, context);
      const shown = presented.limits === undefined ? withMembers(body, { limits }) : body;
      return isJsonObject(shown) ? shown : {};
    },
  });
}

export const ADMIN_FIELD_FAULTS: readonly Fault[] = [
  fault(
    "admin-2.field.name",
    "admin-name-upper-case",
    "name is shown in upper case.",
    shownAs("name", (name) => name.toUpperCase()),
  ),

  fault(
    "admin-2.field.display_name",
    "admin-display-name-cut",
    "display_name is cut to 8 characters.",
    shownAs("display_name", (name) => name.slice(0, 8)),
  ),
  fault(
    "admin-2.field.name",
    "admin-name-24-characters",
    "If two names agree in their first 24 characters, both reads show the newer instance.",
    (base, { instances }) => ({
      findInstance: (versions, context) =>
        instances.all().findLast(({ name }) => name.slice(0, 24) === context.name.slice(0, 24)) ?? base.findInstance(versions, context),
    }),
  ),
  fault("admin-2.field.display_name", "admin-display-name-as-name", "display_name is missing if it equals the name.", (base) => ({
    presentInstance: (instance, presented, context) => {
      const { display_name: shown, ...rest } = base.presentInstance(instance, presented, context);
      return shown === instance.name ? rest : { ...rest, display_name: shown ?? null };
    },
  })),
  fault(
    "admin-2.field.display_name",
    "admin-display-name-plus",
    "A plus in display_name is shown as a blank.",
    shownAs("display_name", (name) => name.replaceAll("+", " ")),
  ),
  fault(
    "admin-2.field.display_name",
    "admin-display-name-number",
    "A display_name of digits is shown as a number.",
    shownAs("display_name", (name) => (/^\d+$/.test(name) ? Number(name) : name)),
  ),

  fault(
    "admin-2.field.status",
    "admin-status-boolean",
    "status is shown as a boolean.",
    shownAs("status", (status) => status === "active"),
  ),
  fault(
    "admin-2.field.cluster",
    "admin-cluster-object",
    "cluster is shown as an object.",
    shownAs("cluster", (name) => ({ name })),
  ),

  fault(
    "admin-2.field.limits",
    "admin-limits-of-the-newest",
    "An instance created without limits shows the limits of the instance created before it.",
    (base, { instances }) => ({
      createInstance: (payload, limits, createdAtNs) =>
        base.createInstance(payload, limits ?? instances.all().findLast((other) => other.limits !== undefined)?.limits, createdAtNs),
    }),
  ),
  fault(
    "admin-2.field.limits",
    "admin-create-limits-of-refused",
    "A create without limits gets the limits of the refused create before it.",
    (base) => {
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
    },
  ),
  fault("admin-2.field.limits", "admin-no-limits-null", "An instance without limits shows `limits: null`.", shownWithoutLimits(null)),
];

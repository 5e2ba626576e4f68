/** Handles creates, reads and updates (docs/1 section 4) by calling the functions of `AdminBehaviour` one after the other. */
import type { Behaviour, ServerHandle } from "../behaviour.ts";
import {
  type HttpRequest,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  type Reply,
  type Route,
  textMember,
  textReply,
} from "../http/message.ts";
import type { AdminOperation, WriteContext } from "./base.ts";
import { nowInNanoseconds } from "./created-at.ts";
import type { Instance, LimitValues } from "./state.ts";

export function handleAdmin(request: HttpRequest, route: Route, behaviour: Behaviour, server: ServerHandle): Reply {
  const { token, authEnforced } = server.options;
  const refusal = behaviour.authorizeAdmin(request, { token, enforced: authEnforced });
  if (refusal !== undefined) return refusal;
  switch (route.operation) {
    case "admin.create":
      return create(request, behaviour, server);
    case "admin.update":
      return update(request, route.name, behaviour, server);
    default:
      return read(route.name, behaviour, server);
  }
}

function create(request: HttpRequest, behaviour: Behaviour, server: ServerHandle): Reply {
  const payload = parseJson(request.body);
  const complaint = behaviour.checkCreate(payload);
  if (complaint !== undefined || !isJsonObject(payload)) return textReply(400, `${complaint ?? "the body must be a JSON object"}\n`);
  const name = textMember(payload, "name");
  const foreign = foreignCluster(payload, server);
  if (foreign !== undefined) return foreign;
  if (server.instances.has(name)) return textReply(409, `an instance named ${name} exists\n`);
  const written = limitsOf(payload, behaviour, { operation: "create", name, payload, previous: undefined });
  if (typeof written === "string") return textReply(400, `${written}\n`);
  const nowNs = nowInNanoseconds(server.options.now());
  return keep(behaviour.createInstance(payload, written.limits, nowNs), written.context, behaviour, server);
}

function update(request: HttpRequest, name: string, behaviour: Behaviour, server: ServerHandle): Reply {
  const previous = found("update", name, behaviour, server);
  if (previous === undefined) return notFound(name);
  const failed = behaviour.precondition(request, previous);
  if (failed !== undefined) return failed;
  const payload = parseJson(request.body);
  const complaint = behaviour.checkUpdate(payload);
  if (complaint !== undefined || !isJsonObject(payload)) return textReply(400, `${complaint ?? "the body must be a JSON object"}\n`);
  const foreign = foreignCluster(payload, server);
  if (foreign !== undefined) return foreign;
  const written = limitsOf(payload, behaviour, { operation: "update", name, payload, previous });
  if (typeof written === "string") return textReply(400, `${written}\n`);
  const nowNs = nowInNanoseconds(server.options.now());
  return keep(behaviour.updateInstance(previous, payload, written.limits, nowNs), written.context, behaviour, server);
}

function read(name: string, behaviour: Behaviour, server: ServerHandle): Reply {
  const instance = found("read", name, behaviour, server);
  return instance === undefined ? notFound(name) : present(instance, "read", behaviour);
}

function limitsOf(
  payload: JsonObject,
  behaviour: Behaviour,
  write: Omit<WriteContext, "sent">,
): { readonly limits: LimitValues | undefined; readonly context: WriteContext } | string {
  const sent = isJsonObject(payload["limits"]) ? payload["limits"] : undefined;
  const context: WriteContext = { ...write, sent };
  const old = write.previous?.limits;
  if (sent === undefined) return { limits: behaviour.withoutLimits(old, behaviour.defaultLimits(context), context), context };
  for (const [name, value] of Object.entries(sent)) {
    const complaint = behaviour.checkLimit(name, value, context);
    if (complaint !== undefined) return complaint;
  }
  const requested = eachLimit(sent, (name, value) => behaviour.limitOnWrite(name, value, context));
  const defaults = behaviour.defaultLimits(context);
  const limits =
    old === undefined ? behaviour.fillLimits(requested, defaults, context) : behaviour.replaceLimits(old, requested, defaults, context);
  return { limits, context };
}

function eachLimit(limits: LimitValues, change: (name: string, value: Json) => Json | undefined): LimitValues {
  return Object.fromEntries(
    Object.entries(limits).flatMap(([name, value]) => {
      const changed = change(name, value);
      return changed === undefined ? [] : [[name, changed]];
    }),
  );
}

function keep(next: Instance, context: WriteContext, behaviour: Behaviour, server: ServerHandle): Reply {
  const stored = behaviour.storeInstance(next, context);
  if (stored !== undefined) server.instances.write(stored, server.options.now());
  return present(next, context.operation, behaviour);
}

function present(instance: Instance, operation: AdminOperation, behaviour: Behaviour): Reply {
  const context = { operation, instance };
  const limits =
    instance.limits === undefined ? undefined : eachLimit(instance.limits, (name, value) => behaviour.limitOnRead(name, value, context));
  const createdAt = behaviour.formatCreatedAt(instance.createdAtNs, context);
  const body = behaviour.presentInstance(instance, { createdAt, limits }, context);
  return behaviour.instanceReply(body, behaviour.instanceHeaders(instance, context), context);
}

function found(operation: AdminOperation, name: string, behaviour: Behaviour, { instances, options }: ServerHandle): Instance | undefined {
  return behaviour.findInstance(instances.versions(name), { operation, name, nowMs: options.now() });
}

function foreignCluster(payload: JsonObject, { options }: ServerHandle): Reply | undefined {
  if (options.cluster === null || payload["cluster"] === options.cluster) return undefined;
  return textReply(400, `there is no cluster ${textMember(payload, "cluster")}\n`);
}

function notFound(name: string): Reply {
  return textReply(404, `there is no instance ${name}\n`);
}

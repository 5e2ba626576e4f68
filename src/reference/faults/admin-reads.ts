/** Faults of create, of reads, of bodies and of authentication (docs/1 sections 4 and 5). */
import type { Behaviour } from "../behaviour.ts";
import { basicCredentials } from "../http/authorization.ts";
import { counter, everyNth, onAnswer, without } from "../change.ts";
import { isJsonObject, type Operation, textReply } from "../http/message.ts";
import { fault, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

const READ: readonly Operation[] = ["admin.read"];
const READ_AND_UPDATE: readonly Operation[] = ["admin.read", "admin.update"];

function bytes(id: string, sentence: string, operations: readonly Operation[], write: (json: string) => string): Fault {
  return wrongResult("serialize", "admin-4.json", id, sentence, (json, _value, route) =>
    route !== undefined && operations.includes(route.operation) ? write(json) : json,
  );
}

const JSON_BODIES: readonly Fault[] = [
  bytes("admin-json-single-quotes", "Bodies are written with single quotes.", READ_AND_UPDATE, (json) => json.replaceAll('"', "'")),
  bytes("admin-json-cut-on-update", "The response to an update lacks its last character.", ["admin.update"], (json) => json.slice(0, -1)),
  bytes("admin-json-quotes-on-update", "Quotes in texts are not escaped in the response to an update.", ["admin.update"], (json) =>
    json.replaceAll(String.raw`\"`, '"'),
  ),
  bytes("admin-json-form", "The response to a read has lines with names and values instead of JSON.", READ, (json) =>
    Object.entries(JSON.parse(json) as Record<string, unknown>)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
      .join("\n"),
  ),
  bytes("admin-json-undefined", "A false value is written as undefined in bodies with limits.", READ_AND_UPDATE, (json) =>
    json.replaceAll(":false", ":undefined"),
  ),
];

/** The number of characters of an instance name that the faulty server compares. */
const KEPT_OF_NAME = 30;

const ALIKE: Fault = fault(
  "admin-2.field.name",
  "admin-name-30-are-all",
  "Only the first 30 characters of a name count. A second create with the same characters is refused, and reads of its name show the first instance.",
  (base, { instances }) => {
    const first = (asked: string) =>
      asked.length > KEPT_OF_NAME ? instances.all().find(({ name }) => name.startsWith(asked.slice(0, KEPT_OF_NAME))) : undefined;
    return {
      checkCreate: (payload) => {
        const name = isJsonObject(payload) ? payload["name"] : undefined;
        const isThere = typeof name === "string" && first(name) !== undefined;
        return base.checkCreate(payload) ?? (isThere ? "there is such an instance" : undefined);
      },
      findInstance: (versions, context) => base.findInstance(versions, context) ?? first(context.name),
    };
  },
);

const CREATE: readonly Fault[] = [
  fault("admin-4.POST", "admin-create-without-limits-refused", "A create without limits is refused.", (base) => ({
    checkCreate: (payload) =>
      base.checkCreate(payload) ?? (JSON.stringify(payload).includes('"limits"') ? undefined : "limits are required"),
  })),
  fault("admin-4.POST", "admin-create-with-limits-refused", "A create with limits is refused.", (base) => ({
    checkCreate: (payload) =>
      base.checkCreate(payload) ?? (JSON.stringify(payload).includes('"limits"') ? "unknown field limits" : undefined),
  })),
  fault("admin-4.POST", "admin-create-with-limits-lost", "A create with limits is answered with success and not stored.", (base) => ({
    storeInstance: (next, context) =>
      context.operation === "create" && context.sent !== undefined ? undefined : base.storeInstance(next, context),
  })),
];

const READS: readonly Fault[] = [
  ALIKE,
  ...["name", "display_name", "status", "cluster"].map((field) =>
    fault("admin-4.GET", `admin-read-without-${field.replace("_", "-")}`, `A read lacks ${field}.`, (base) =>
      onAnswer(base, READ, (body) => without(body, field)),
    ),
  ),
  fault("admin-4.GET", "admin-read-without-limits", "A read never shows limits.", (base) =>
    onAnswer(base, READ, (body) => without(body, "limits")),
  ),
  fault("admin-4.GET", "admin-read-wrapped", "A read returns the instance object inside `instance`.", (base) =>
    onAnswer(base, READ, (instance) => ({ instance })),
  ),
  fault("admin-4.GET", "admin-read-not-found", "A read answers 404 for every instance.", (base) => ({
    findInstance: (versions, context) => (context.operation === "read" ? undefined : base.findInstance(versions, context)),
  })),
  fault("admin-4.GET", "admin-read-fourth-not-found", "Every fourth read of an instance answers 404.", (base) => {
    const count = counter();
    return {
      findInstance: (versions, context) =>
        context.operation === "read" && count(context.name) % 4 === 0 ? undefined : base.findInstance(versions, context),
    };
  }),
  fault(
    "admin-4.PUT",
    "admin-read-kept-over-update",
    "A read fills a cache some time later, and the cached instance replaces an update that came in between.",
    (base, { options }) => {
      let touched: string[] = [];
      const touch = (name: string): void => {
        touched = [name, ...touched.filter((other) => other !== name)].slice(0, 12);
      };
      const kept = new Map<string, { readonly found: ReturnType<Behaviour["findInstance"]>; readonly at: number }>();
      const stale = new Map<string, ReturnType<Behaviour["findInstance"]>>();
      return {
        findInstance: (versions, context) => {
          const found = base.findInstance(versions, context);
          if (context.operation !== "read") return found;
          if (found !== undefined && !touched.includes(context.name)) kept.set(context.name, { found, at: options.now() });
          touch(context.name);
          return stale.has(context.name) ? stale.get(context.name) : found;
        },
        storeInstance: (next, context) => {
          const read = kept.get(next.name);
          touch(next.name);
          kept.delete(next.name);
          if (read !== undefined && options.now() - read.at < 15) stale.set(next.name, read.found);
          else stale.delete(next.name);
          return base.storeInstance(next, context);
        },
      };
    },
  ),

  fault("admin-4.GET", "admin-read-unknown-remembered", "If an instance was read before its create, reads never find it.", (base) => {
    const unknown = new Set<string>();
    return {
      findInstance: (versions, context) => {
        const found = base.findInstance(versions, context);
        if (context.operation !== "read") return found;
        if (found === undefined) unknown.add(context.name);
        return unknown.has(context.name) ? undefined : found;
      },
    };
  }),

  wrongResult(
    "findInstance",
    { clause: "admin-4.GET", settleMs: 1_000 },
    "admin-read-forgets-limits",
    "250 ms after a create, reads of an instance without updates show no limits.",
    (found, versions, context) => {
      const [created] = versions;
      if (found === undefined || created === undefined || versions.length > 1 || context.nowMs - created.atMs < 250) return found;
      const { limits: _limits, ...rest } = found;
      return rest;
    },
  ),
  fault("admin-4.GET", "admin-read-third-newest", "Every third read shows the instance that was written last.", (base, { instances }) => {
    const third = everyNth(3);
    return {
      findInstance: (versions, context) => {
        const found = base.findInstance(versions, context);
        return found !== undefined && context.operation === "read" && third() ? instances.all().at(-1) : found;
      },
    };
  }),
];

/** Makes a faulty server that accepts a request with wrong credentials if `test` is true for its password and method. */
function letIn(
  test: (given: { readonly password: string | undefined; readonly method: string }) => boolean,
): (base: Behaviour) => Partial<Behaviour> {
  return (base) => ({
    authorizeAdmin: (request, credentials) => {
      const given = { password: basicCredentials(request.headers["authorization"])?.password, method: request.method };
      return test(given) ? undefined : base.authorizeAdmin(request, credentials);
    },
  });
}

const ENFORCED = { settings: { METRICS_AUTH_ENFORCED: "true" } };

const AUTHENTICATION: readonly Fault[] = [
  fault(
    { clause: "admin-5.1", ...ENFORCED },
    "admin-auth-none",
    "Requests without credentials are accepted.",
    letIn(({ password }) => password === undefined),
  ),
  fault("admin-5.1", "admin-auth-third-read-forbidden", "Every third read of an instance is answered 403.", (base) => {
    const count = counter();
    return {
      beforeHandle: (request, route) =>
        route?.operation === "admin.read" && count(route.name) % 3 === 0
          ? textReply(403, "forbidden\n")
          : base.beforeHandle(request, route),
    };
  }),
];

export const ADMIN_READ_FAULTS: readonly Fault[] = [
  ...CREATE,
  ...READS,
  ...JSON_BODIES,
  ...AUTHENTICATION,
  fault(
    "admin-4.PUT",
    "admin-update-never-changes",
    "A PUT changes nothing and is answered 200 with the unchanged instance.",
    (base, { instances }) => ({
      storeInstance: (next, context) => (context.operation === "update" ? undefined : base.storeInstance(next, context)),
      presentInstance: (instance, presented, context) => {
        const stored = instances.versions(instance.name).at(-1)?.instance;
        return context.operation === "update" && stored !== undefined
          ? base.presentInstance(stored, { ...presented, limits: stored.limits }, context)
          : base.presentInstance(instance, presented, context);
      },
    }),
  ),
];

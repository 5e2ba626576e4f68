/** Faults of create, of reads, of bodies and of authentication (docs/1 sections 4 and 5). */
import type { Behaviour } from "../behaviour.ts";
import { basicCredentials } from "../http/authorization.ts";
import { counter, everyNth, onAnswer, without } from "../change.ts";
import { isJsonObject, type Operation, textReply } from "../http/message.ts";
import { broken, fault, faultsOf, type Row, wrongResult } from "./define.ts";
import { misread, withLimits } from "./helpers.ts";
import type { Fault } from "./types.ts";

const READ: readonly Operation[] = ["admin.read"];
const READ_AND_UPDATE: readonly Operation[] = ["admin.read", "admin.update"];

function bytes(sentence: string, operations: readonly Operation[], write: (json: string) => string): Row {
  return wrongResult("serialize", { clause: "admin-4.json", sentence }, (json, _value, route) =>
    route !== undefined && operations.includes(route.operation) ? write(json) : json,
  );
}

/** The faulty server compares only this number of characters of an instance name. */
const KEPT_OF_NAME = 30;

export const ADMIN_READ_FAULTS: readonly Fault[] = [
  ...faultsOf("admin-4.POST", {
    "admin-create-without-limits-refused": wrongResult(
      "checkCreate",
      "A create without limits is refused.",
      (complaint, payload) => complaint ?? (JSON.stringify(payload).includes('"limits"') ? undefined : "limits are required"),
    ),
    "admin-create-with-limits-refused": wrongResult(
      "checkCreate",
      "A create with limits is refused.",
      (complaint, payload) => complaint ?? (JSON.stringify(payload).includes('"limits"') ? "unknown field limits" : undefined),
    ),
    "admin-create-with-limits-lost": wrongResult(
      "storeInstance",
      "A create with limits is answered with success and not stored.",
      (stored, _next, { operation, sent }) => (operation === "create" && sent !== undefined ? undefined : stored),
    ),
    "admin-name-30-are-all": broken(
      {
        clause: "admin-2.field.name",
        sentence:
          "Only the first 30 characters of a name count. A second create with the same characters is refused, and reads of its name show the first instance.",
      },
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
    ),
  }),
  ...["name", "display_name", "status", "cluster"].map((field) =>
    fault("admin-4.GET", `admin-read-without-${field.replace("_", "-")}`, `A read lacks ${field}.`, (base) =>
      onAnswer(base, READ, (body) => without(body, field)),
    ),
  ),
  ...faultsOf("admin-4.GET", {
    "admin-read-without-limits": broken("A read never shows limits.", (base) => onAnswer(base, READ, (body) => without(body, "limits"))),
    "admin-read-wrapped": broken("A read returns the instance object inside `instance`.", (base) =>
      onAnswer(base, READ, (instance) => ({ instance })),
    ),
    "admin-read-not-found": misread("A read answers 404 for every instance.", () => undefined),
    "admin-read-fourth-not-found": broken("Every fourth read of an instance answers 404.", (base) => {
      const count = counter();
      return {
        findInstance: (versions, context) =>
          context.operation === "read" && count(context.name) % 4 === 0 ? undefined : base.findInstance(versions, context),
      };
    }),
    "admin-read-kept-over-update": broken(
      {
        clause: "admin-4.PUT",
        sentence: "A read fills a cache some time later, and the cached instance replaces an update that came in between.",
      },
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
    "admin-read-unknown-remembered": broken("If an instance was read before its create, reads never find it.", (base) => {
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
    "admin-read-forgets-limits": wrongResult(
      "findInstance",
      { sentence: "250 ms after a create, reads of an instance without updates show no limits.", settleMs: 1_000 },
      (found, versions, { nowMs }) => {
        const [created] = versions;
        const isOld = created !== undefined && versions.length === 1 && nowMs - created.atMs >= 250;
        return found !== undefined && isOld ? withLimits(found, undefined) : found;
      },
    ),
    "admin-read-third-newest": broken("Every third read shows the instance that was written last.", (base, { instances }) => {
      const third = everyNth(3);
      return {
        findInstance: (versions, context) => {
          const found = base.findInstance(versions, context);
          return found !== undefined && context.operation === "read" && third() ? instances.all().at(-1) : found;
        },
      };
    }),
    "admin-json-single-quotes": bytes("Bodies are written with single quotes.", READ_AND_UPDATE, (json) => json.replaceAll('"', "'")),
    "admin-json-cut-on-update": bytes("The response to an update lacks its last character.", ["admin.update"], (json) => json.slice(0, -1)),
    "admin-json-quotes-on-update": bytes("Quotes in texts are not escaped in the response to an update.", ["admin.update"], (json) =>
      json.replaceAll(String.raw`\"`, '"'),
    ),
    "admin-json-form": bytes("The response to a read has lines with names and values instead of JSON.", READ, (json) =>
      Object.entries(JSON.parse(json) as Record<string, unknown>)
        .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
        .join("\n"),
    ),
    "admin-json-undefined": bytes("A false value is written as undefined in bodies with limits.", READ_AND_UPDATE, (json) =>
      json.replaceAll(":false", ":undefined"),
    ),
    "admin-auth-none": wrongResult(
      "authorizeAdmin",
      { clause: "admin-5.1", sentence: "Requests without credentials are accepted.", settings: { METRICS_AUTH_ENFORCED: "true" } },
      (refusal, { headers }) => (basicCredentials(headers["authorization"]) === undefined ? undefined : refusal),
    ),
    "admin-auth-third-read-forbidden": broken(
      { clause: "admin-5.1", sentence: "Every third read of an instance is answered 403." },
      (base) => {
        const count = counter();
        return {
          beforeHandle: (request, route) =>
            route?.operation === "admin.read" && count(route.name) % 3 === 0
              ? textReply(403, "forbidden\n")
              : base.beforeHandle(request, route),
        };
      },
    ),
    "admin-update-never-changes": broken(
      { clause: "admin-4.PUT", sentence: "A PUT changes nothing and is answered 200 with the unchanged instance." },
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
  }),
];

/** Faults of PUT: in the stored change, in the response, or in the limits after the update (docs/1 section 4). */
import type { WriteContext } from "../admin/base.ts";
import type { Instance } from "../admin/state.ts";
import type { Behaviour } from "../behaviour.ts";
import { counter, onAnswer, onReply } from "../change.ts";
import { emptyReply, isJsonObject, parseJson, type Reply, textReply } from "../http/message.ts";
import { broken, fault, faultsOf, type Row, wrongDecision, wrongResult } from "./define.ts";
import { misread, withLimits } from "./helpers.ts";
import type { Fault } from "./types.ts";

const RETENTION = "compactor_blocks_retention_period";
const FAILED = textReply(500, "something went wrong\n");

/** Makes a fault: updates for which `test` is true are answered with `reply`. With `isLost`, they are not stored. */
function answering(
  base: Behaviour,
  reply: Reply,
  isLost: boolean,
  test: (context: WriteContext, next: Instance) => boolean,
): Partial<Behaviour> {
  let isMeant = false;
  return {
    storeInstance: (next, context) => {
      isMeant = context.operation === "update" && test(context, next);
      return isMeant && isLost ? undefined : base.storeInstance(next, context);
    },
    ...onReply(base, ["admin.update"], (usual) => (isMeant ? reply : usual)),
  };
}

/** A fault: one kind of update is answered 500. `limited` and `limiting` say whether the instance and the request have limits. */
function failing(clause: string, limited: boolean, limiting: boolean, isLost: boolean, sentence: string): Row {
  return broken({ clause, sentence }, (base) =>
    answering(
      base,
      FAILED,
      isLost,
      ({ previous, sent }) => (previous?.limits !== undefined) === limited && (sent !== undefined) === limiting,
    ),
  );
}

/** A fault: if `changes` is false for an update of limits, it is ignored, and its response shows the old limits. */
function dropping(sentence: string, changes: (previous: Instance, next: Instance) => boolean): Row {
  return wrongResult("updateInstance", sentence, (next, old) =>
    old.limits !== undefined && next.limits !== undefined && !changes(old, next) ? old : next,
  );
}

export const ADMIN_UPDATE_FAULTS: readonly Fault[] = [
  ...faultsOf("admin-4.3", {
    "admin-put-500-bare": failing(
      "admin-4.PUT",
      false,
      false,
      false,
      "A PUT without limits to an instance without limits is carried out and answered 500.",
    ),
    "admin-put-lost-500-bare": failing(
      "admin-4.PUT",
      false,
      false,
      true,
      "A PUT without limits to an instance without limits is answered 500 and lost.",
    ),
    "admin-removal-lost-500": failing(
      "admin-4.2",
      true,
      false,
      true,
      "A PUT without limits to an instance with limits is answered 500 and lost.",
    ),
    "admin-over-limits-lost-500": failing(
      "admin-4.PUT-over-limits",
      true,
      true,
      true,
      "A PUT with limits to an instance with limits is answered 500 and lost.",
    ),
    "admin-adding-500": failing(
      "admin-4.3",
      false,
      true,
      false,
      "A PUT with limits to an instance without limits is carried out and answered 500.",
    ),
    "admin-adding-again-500": broken(
      "A PUT with limits is answered 500 and lost if the instance had limits before, or had an update without limits.",
      (base) => {
        const emptied = new Set<string>();
        return answering(base, FAILED, true, ({ previous, sent, name }) => {
          if (sent === undefined) emptied.add(name);
          return previous?.limits === undefined && sent !== undefined && emptied.has(name);
        });
      },
    ),
  }),
  ...([204, 304] as const).map((status) =>
    fault("admin-4.PUT", `admin-put-unchanged-${status}`, `An update that changes nothing is answered ${status}, without a body.`, (base) =>
      answering(
        base,
        emptyReply(status),
        false,
        ({ previous, sent }, next) => previous?.display_name === next.display_name && previous.limits === undefined && sent === undefined,
      ),
    ),
  ),
  ...faultsOf("admin-4.PUT", {
    "admin-update-unmet-always": wrongDecision("precondition", "Each update is answered 412, with and without If-Match.", () =>
      textReply(412, "the instance was changed meanwhile\n"),
    ),
    "admin-put-texts-alone-dropped": dropping(
      "An update over limits is dropped if it changes neither the display name nor a number.",
      (previous, next) =>
        previous.display_name !== next.display_name ||
        Object.entries(next.limits ?? {}).some(([name, value]) => typeof value === "number" && value !== previous.limits?.[name]),
    ),
    "admin-put-name-alone-dropped": dropping(
      "An update over limits is dropped if it changes no limit.",
      (previous, next) => JSON.stringify(previous.limits) !== JSON.stringify(next.limits),
    ),
  }),
  ...faultsOf("admin-4.2", {
    "admin-removal-keeps-retention": wrongResult(
      "withoutLimits",
      "A PUT without limits does not remove them if a retention period was set.",
      (limits, old) => (typeof old?.[RETENTION] === "string" ? old : limits),
    ),
    "admin-removal-ignored": wrongResult("withoutLimits", "A PUT without limits leaves the limits as they were.", (_limits, old) => old),
    "admin-removal-answers-old": broken("The response to a PUT without limits still shows the limits. Later reads do not.", (base) => {
      let old: Instance["limits"];
      return {
        withoutLimits: (limits, defaults, context) => {
          old = limits;
          return base.withoutLimits(limits, defaults, context);
        },
        presentInstance: (instance, presented, context) =>
          base.presentInstance(
            instance,
            context.operation === "update" && presented.limits === undefined ? { ...presented, limits: old } : presented,
            context,
          ),
      };
    }),
    "admin-removal-null": broken(
      "After a PUT without limits, an instance that had limits shows `limits: null`.",
      (base, { instances }) => ({
        presentInstance: (instance, presented, context) => {
          const body = base.presentInstance(instance, presented, context);
          const had = instances.versions(instance.name).some((version) => version.instance.limits !== undefined);
          return had && presented.limits === undefined ? { ...body, limits: null } : body;
        },
      }),
    ),
    "admin-removal-refused": wrongDecision(
      "precondition",
      "A PUT without limits on an instance with limits is refused.",
      ({ body }, instance) => {
        const payload = parseJson(body);
        return isJsonObject(payload) && payload["limits"] === undefined && instance.limits !== undefined ? emptyReply(422) : undefined;
      },
    ),
    "admin-removal-comes-back": misread(
      { sentence: "Removed limits are there again 50 ms later.", settleMs: 1_000 },
      (found, { before, ageMs }) => (found.limits === undefined && ageMs > 50 ? withLimits(found, before?.limits) : found),
    ),
  }),
  ...faultsOf("admin-4.PUT", {
    "admin-update-answers-old": broken("The response to a PUT shows the instance before the update.", (base) => {
      let old: Instance | undefined;
      return {
        updateInstance: (previous, payload, limits, nowNs) => {
          old = previous;
          return base.updateInstance(previous, payload, limits, nowNs);
        },
        presentInstance: (instance, presented, context) =>
          context.operation === "update" && old !== undefined
            ? base.presentInstance(old, { ...presented, limits: old.limits }, context)
            : base.presentInstance(instance, presented, context),
      };
    }),
    "admin-update-empty-answer": broken("A PUT is answered 204 without the instance object.", (base) =>
      onReply(base, ["admin.update"], () => emptyReply(204)),
    ),
    "admin-update-wrapped": broken("The response to a PUT has the instance object inside `instance`.", (base) =>
      onAnswer(base, ["admin.update"], (instance) => ({ instance })),
    ),
    "admin-update-listed": broken("The response to a PUT is a list with the instance object.", (base) =>
      onAnswer(base, ["admin.update"], (instance) => [instance]),
    ),
    "admin-update-always-refused": broken("Each update is refused.", () => ({ checkUpdate: () => "no updates" })),
    "admin-put-no-retention-is-unset": wrongResult(
      "replaceLimits",
      { clause: "admin-2.retention-format", sentence: "An update over limits with a retention period of zero keeps the previous period." },
      (next, old, requested) =>
        next !== undefined && requested[RETENTION] === "0d" ? { ...next, [RETENTION]: old[RETENTION] ?? null } : next,
    ),
    "admin-update-not-stored": wrongResult(
      "storeInstance",
      "The response to a PUT is right, but the update is not stored.",
      (stored, _next, { operation }) => (operation === "update" ? undefined : stored),
    ),
    "admin-update-every-third-lost": broken("Every third PUT is answered with success and not stored.", (base) => {
      const count = counter();
      return {
        storeInstance: (next, context) =>
          context.operation === "update" && count("update") % 3 === 0 ? undefined : base.storeInstance(next, context),
      };
    }),
    "admin-update-after-refusal-ignored": broken(
      "After a refused update of an instance, the limits of its next update over limits are ignored.",
      (base) => {
        const refused = new Set<string>();
        return {
          respond: (given, request, route) => {
            const reply = base.respond(given, request, route);
            if (route?.operation === "admin.update" && reply.status === 400) refused.add(route.name);
            return reply;
          },
          replaceLimits: (old, requested, defaults, context) =>
            refused.delete(context.name) ? old : base.replaceLimits(old, requested, defaults, context),
        };
      },
    ),
    "admin-update-name-of-create-ignored": broken(
      "An update back to the display name of the create does not change the display name.",
      (base) => {
        const created = new Map<string, string>();
        return {
          storeInstance: (next, context) => {
            if (context.operation === "create") created.set(next.name, next.display_name);
            const { previous } = context;
            const isIgnored = previous !== undefined && created.get(next.name) === next.display_name;
            return base.storeInstance(isIgnored ? { ...next, display_name: previous.display_name } : next, context);
          },
        };
      },
    ),
    "admin-update-keeps-display-name": wrongResult("updateInstance", "A PUT does not change display_name.", (next, { display_name }) => ({
      ...next,
      display_name,
    })),
    "admin-update-limits-only": wrongResult(
      "updateInstance",
      "A PUT with limits does not change display_name.",
      (next, { display_name }, payload) => (isJsonObject(payload["limits"]) ? { ...next, display_name } : next),
    ),
    "admin-update-reaches-namesake": broken(
      { sentence: "A PUT changes the instance with the longest name that begins with the given name.", also: ["admin-4.GET"] },
      (base, { instances }) => ({
        findInstance: (versions, context) => {
          if (context.operation !== "update") return base.findInstance(versions, context);
          const [longest] = instances
            .all()
            .filter(({ name }) => name.startsWith(context.name))
            .toSorted((one, other) => other.name.length - one.name.length);
          return longest;
        },
      }),
    ),
    "admin-update-limits-leak": broken(
      { clause: "admin-4.GET", sentence: "The limits of a PUT also change the instance that was updated before.", also: ["admin-4.PUT"] },
      (base, { instances, options }) => {
        let before: string | undefined;
        return {
          storeInstance: (next, context) => {
            const other = before === undefined || before === context.name ? undefined : instances.versions(before).at(-1)?.instance;
            if (context.operation === "update" && context.sent !== undefined) {
              if (other?.limits !== undefined) instances.write({ ...other, limits: { ...other.limits, ...context.sent } }, options.now());
              before = context.name;
            }
            return base.storeInstance(next, context);
          },
        };
      },
    ),
  }),
  ...faultsOf("admin-4.PUT-over-limits", {
    "admin-over-limits-ignored": wrongResult(
      "replaceLimits",
      "A PUT with limits to an instance with limits leaves its limits unchanged.",
      (_limits, old) => old,
    ),
    "admin-over-limits-new-only": wrongResult(
      "replaceLimits",
      "A PUT with limits to an instance with limits changes only limits that were at their default.",
      (_limits, old, requested, defaults) => ({
        ...old,
        ...Object.fromEntries(Object.entries(requested).filter(([name]) => JSON.stringify(old[name]) === JSON.stringify(defaults[name]))),
      }),
    ),
    "admin-over-limits-answered-reset": broken(
      {
        clause: "admin-4.PUT",
        sentence: "The response to a PUT over limits shows the other limits at their defaults. The stored limits are unchanged.",
      },
      (base) => ({
        storeInstance: (next, context) => {
          const { previous, sent, operation } = context;
          const isOver = operation === "update" && sent !== undefined && previous?.limits !== undefined;
          return base.storeInstance(isOver ? { ...next, limits: { ...previous.limits, ...sent } } : next, context);
        },
      }),
    ),
    "admin-over-limits-refused": wrongDecision(
      "checkLimit",
      "A PUT with limits to an instance with limits is refused.",
      (_name, _value, { previous }) => (previous?.limits === undefined ? undefined : "remove the limits first"),
    ),
    "admin-update-same-name-skipped": wrongResult(
      "storeInstance",
      { clause: "admin-4.PUT", sentence: "A PUT with an unchanged display name is answered with success and not carried out." },
      (stored, next, { previous }) => (previous?.display_name === next.display_name ? previous : stored),
    ),
    "admin-update-rolled-back": misread(
      // If a read shows the update and a later read does not, the instance changes without an update. This violates another clause too.
      { clause: "admin-4.PUT", sentence: "An update is undone 50 ms later.", settleMs: 1_000, also: ["admin-4.GET"] },
      (found, { versions, ageMs }) => (ageMs > 50 ? versions[0]?.instance : found),
    ),
  }),
];

/** Faults of PUT: in the stored change, in the response, or in the limits after the update (docs/1 section 4). */
import { onReply, onAnswer } from "../change.ts";
import type { Instance } from "../admin/state.ts";
import { emptyReply, isJsonObject, parseJson, textReply } from "../http/message.ts";
import { STORED_UPDATE_FAULTS } from "./admin-update-stored.ts";
import { fault, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

function withLimits({ limits: _limits, ...rest }: Instance, limits: Instance["limits"]): Instance {
  return limits === undefined ? rest : { ...rest, limits };
}

/**
 * A server that answers one kind of update with 500. `limited` and `limiting` say whether the instance and the request have limits.
 * With `carriedOut`, the server stores the update.
 */
function failing(clause: string, id: string, sentence: string, limited: boolean, limiting: boolean, carriedOut = true): Fault {
  return fault(clause, id, sentence, (base) => {
    let fails = false;
    return {
      storeInstance: (next, context) => {
        const { previous, sent } = context;
        fails = previous !== undefined && (previous.limits !== undefined) === limited && (sent !== undefined) === limiting;
        return fails && !carriedOut ? undefined : base.storeInstance(next, context);
      },
      ...onReply(base, ["admin.update"], (reply) => (fails ? textReply(500, "something went wrong\n") : reply)),
    };
  });
}

const ANSWERS: readonly Fault[] = [
  failing(
    "admin-4.PUT",
    "admin-put-500-bare",
    "A PUT without limits to an instance without limits is carried out and answered 500.",
    false,
    false,
  ),
  failing(
    "admin-4.PUT",
    "admin-put-lost-500-bare",
    "A PUT without limits to an instance without limits is answered 500 and lost.",
    false,
    false,
    false,
  ),
  failing(
    "admin-4.2",
    "admin-removal-lost-500",
    "A PUT without limits to an instance with limits is answered 500 and lost.",
    true,
    false,
    false,
  ),
  failing(
    "admin-4.PUT-over-limits",
    "admin-over-limits-lost-500",
    "A PUT with limits to an instance with limits is answered 500 and lost.",
    true,
    true,
    false,
  ),
  failing("admin-4.3", "admin-adding-500", "A PUT with limits to an instance without limits is carried out and answered 500.", false, true),
];

const READDING = fault(
  "admin-4.3",
  "admin-adding-again-500",
  "A PUT with limits is answered 500 and lost if the instance had limits before, or had an update without limits.",
  (base) => {
    const emptied = new Set<string>();
    let fails = false;
    return {
      storeInstance: (next, context) => {
        const { previous, sent } = context;
        fails = previous !== undefined && previous.limits === undefined && sent !== undefined && emptied.has(next.name);
        if (previous !== undefined && sent === undefined) emptied.add(next.name);
        return fails ? undefined : base.storeInstance(next, context);
      },
      ...onReply(base, ["admin.update"], (reply) => (fails ? textReply(500, "something went wrong\n") : reply)),
    };
  },
);

const UNCHANGED: readonly Fault[] = ([204, 304] as const).map((status) =>
  fault("admin-4.PUT", `admin-put-unchanged-${status}`, `An update that changes nothing is answered ${status}, without a body.`, (base) => {
    let changesNothing = false;
    return {
      storeInstance: (next, context) => {
        const { previous, sent } = context;
        changesNothing = previous?.display_name === next.display_name && previous.limits === undefined && sent === undefined;
        return base.storeInstance(next, context);
      },
      ...onReply(base, ["admin.update"], (reply) => (changesNothing ? emptyReply(status) : reply)),
    };
  }),
);

/** A server that ignores an update of limits for which `changes` is false, and shows the old limits in its response. */
function dropping(id: string, sentence: string, changes: (previous: Instance, next: Instance) => boolean): Fault {
  return wrongResult("updateInstance", "admin-4.PUT", id, sentence, (next, old) =>
    old.limits !== undefined && next.limits !== undefined && !changes(old, next) ? old : next,
  );
}

const DROPPED: readonly Fault[] = [
  dropping(
    "admin-put-texts-alone-dropped",
    "An update over limits is dropped if it changes neither the display name nor a number.",
    (previous, next) =>
      previous.display_name !== next.display_name ||
      Object.entries(next.limits ?? {}).some(([name, value]) => typeof value === "number" && value !== previous.limits?.[name]),
  ),
  dropping(
    "admin-put-name-alone-dropped",
    "An update over limits is dropped if it changes no limit.",
    (previous, next) => JSON.stringify(previous.limits) !== JSON.stringify(next.limits),
  ),
];

const REMOVAL: readonly Fault[] = [
  wrongResult(
    "withoutLimits",
    "admin-4.2",
    "admin-removal-keeps-retention",
    "A PUT without limits does not remove them if a retention period was set.",
    (limits, old) => (typeof old?.["compactor_blocks_retention_period"] === "string" ? old : limits),
  ),
  fault("admin-4.2", "admin-removal-ignored", "A PUT without limits leaves the limits as they were.", () => ({
    withoutLimits: (old) => old,
  })),
  fault(
    "admin-4.2",
    "admin-removal-answers-old",
    "The response to a PUT without limits still shows the limits. Later reads do not.",
    (base) => {
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
    },
  ),
  fault(
    "admin-4.2",
    "admin-removal-null",
    "After a PUT without limits, an instance that had limits shows `limits: null`.",
    (base, { instances }) => ({
      presentInstance: (instance, presented, context) => {
        const body = base.presentInstance(instance, presented, context);
        const had = instances.versions(instance.name).some((version) => version.instance.limits !== undefined);
        return had && presented.limits === undefined ? { ...body, limits: null } : body;
      },
    }),
  ),
  fault("admin-4.2", "admin-removal-refused", "A PUT without limits on an instance with limits is refused.", (base) => ({
    precondition: (request, instance) => {
      const payload = parseJson(request.body);
      const sendsNone = isJsonObject(payload) && payload["limits"] === undefined;
      return sendsNone && instance.limits !== undefined ? { ...emptyReply(422) } : base.precondition(request, instance);
    },
  })),
  fault({ clause: "admin-4.2", settleMs: 1_000 }, "admin-removal-comes-back", "Removed limits are there again 50 ms later.", (base) => ({
    findInstance: (versions, context) => {
      const found = base.findInstance(versions, context);
      const last = versions.at(-1);
      const before = versions.at(-2)?.instance;
      if (found === undefined || last === undefined || found.limits !== undefined || before?.limits === undefined) return found;
      return context.operation === "read" && context.nowMs - last.atMs > 50 ? withLimits(found, before.limits) : found;
    },
  })),
];

const ANSWER: readonly Fault[] = [
  fault("admin-4.PUT", "admin-update-answers-old", "The response to a PUT shows the instance before the update.", (base) => {
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
  fault("admin-4.PUT", "admin-update-empty-answer", "A PUT is answered 204 without the instance object.", (base) =>
    onReply(base, ["admin.update"], () => emptyReply(204)),
  ),
  fault("admin-4.PUT", "admin-update-wrapped", "The response to a PUT has the instance object inside `instance`.", (base) =>
    onAnswer(base, ["admin.update"], (instance) => ({ instance })),
  ),
  fault("admin-4.PUT", "admin-update-listed", "The response to a PUT is a list with the instance object.", (base) =>
    onAnswer(base, ["admin.update"], (instance) => [instance]),
  ),
  fault("admin-4.PUT", "admin-update-always-refused", "Each update is refused.", () => ({ checkUpdate: () => "no updates" })),
];

export const ADMIN_UPDATE_FAULTS: readonly Fault[] = [
  ...ANSWERS,
  READDING,
  ...UNCHANGED,
  ...DROPPED,
  ...REMOVAL,
  ...ANSWER,
  ...STORED_UPDATE_FAULTS,
];

/** Makes assertions about created_at: about its form, its precision and its distance from the create, and that it never changes. */
import type { Answered } from "../client/exchange.ts";
import { precondition } from "../client/inconclusive.ts";
import type { Limits } from "../contract/limits.ts";
import { type Finding, together } from "../harness/finding.ts";
import { type Assertion, fixture } from "../harness/scope.ts";
import { type Difference, difference, show } from "../model/difference.ts";
import type { JsonObject } from "../model/json.ts";
import { fieldViews, readView } from "./instance-fields.ts";
import { acceptedLimits } from "./accepted-limits.ts";
import { stampsSeen } from "./changes.ts";
import { filledLimits, updatedOrPlainly } from "./filled-limits.ts";
import { bare, type Instance, newName, update } from "./instances.ts";
import { instancePool, onPoolInstance } from "./instance-pool.ts";
import { bodyOf, reading, shownBy } from "./reading.ts";
import { similarBorn } from "./similar-instances.ts";
import { afterRefusals } from "./creates.ts";
import { parseRfc3339, type Timestamp } from "../model/times.ts";

const CLAUSE = "admin-2.field.created_at";
const TIME = "admin-2.created-at-time";
const UNCHANGED = "admin-2.created-at-unchanged";

interface Seen {
  readonly instance: Instance;
  readonly value: unknown;
  readonly exchange: Answered;
}

/** The created_at of each readable instance of the run. Throws `Inconclusive` if there is no such instance. */
const seenOnRead = fixture<readonly Seen[]>("admin", "created_at of several instances", async (scope) => {
  const onRead = await scope.use(readView);
  const { views } = await scope.use(filledLimits);
  const seen = [
    { instance: await scope.use(bare), body: onRead.body, exchange: onRead.exchange },
    ...views.map(({ instance, exchange }) => ({ instance, body: bodyOf(exchange, "admin-4.GET").body, exchange })),
  ].flatMap(({ instance, body, exchange }) => (body === null ? [] : [{ instance, value: body["created_at"], exchange }]));
  if (seen.length === 0) throw precondition("no instance can be read (see admin-4.GET)");
  return seen;
});

function timestampOf(value: unknown): Timestamp | null {
  return typeof value === "string" ? parseRfc3339(value) : null;
}

/** Returns the instances whose created_at is a timestamp. Throws `Inconclusive` if there are fewer than `least` such instances. */
function stamped(seen: readonly Seen[], least: number): (Seen & { readonly stamp: Timestamp })[] {
  const found = seen.flatMap((one) => {
    const stamp = timestampOf(one.value);
    return stamp === null ? [] : [{ ...one, stamp }];
  });
  if (found.length < least)
    throw precondition(
      `only ${found.length} instances show an RFC 3339 timestamp with at most nine fraction digits (see ${CLAUSE}/rfc3339)`,
    );
  return found;
}

export const isRfc3339: Assertion = async (scope) => {
  const seen = await scope.use(seenOnRead);
  const wrong = seen.filter(({ value }) => timestampOf(value) === null);
  return {
    clauses: [CLAUSE],
    differences: wrong.map(({ value }) =>
      difference(CLAUSE, "created_at", "an RFC 3339 timestamp with at most nine fraction digits", show(value)),
    ),
    exchanges: [...wrong, ...seen].map(({ exchange }) => exchange),
  };
};

/** The decimals of a time in microseconds. A single timestamp with fewer decimals is legal: servers may omit final zeros. */
const MICROSECOND_DIGITS = 6;
const ENOUGH_INSTANCES = 3;

export const isPrecise: Assertion = async (scope) => {
  const seen = stamped(await scope.use(seenOnRead), ENOUGH_INSTANCES);
  // A service may write timestamps differently in each operation. So the digits in the response to an update count too.
  const { onUpdate } = await scope.use(fieldViews);
  const most = Math.max(...seen.map(({ stamp }) => stamp.digits), timestampOf(onUpdate.body?.["created_at"])?.digits ?? 0);
  const expected = "nanosecond precision: at least one instance whose created_at has more than six fraction digits";
  const actual = `at most ${most} fraction digits in ${seen.length} instances, such as ${show(seen[0]?.value)}`;
  const differences = most > MICROSECOND_DIGITS ? [] : [difference(CLAUSE, "created_at", expected, actual)];
  return { clauses: [CLAUSE], differences, exchanges: seen.map(({ exchange }) => exchange) };
};

const DAY_MS = 86_400_000;

/** created_at must be at most a day from the create, by the clock of the service or of this machine. Clocks differ by less than a day. */
export const isNearCreate: Assertion = async (scope) => {
  const seen = stamped(await scope.use(seenOnRead), 1);
  const offset = scope.run.transport("admin").clockOffsetMs ?? 0;
  const wrong = seen.filter(({ instance, stamp }) =>
    [offset, 0].every((ahead) => Math.abs(stamp.epochMs - instance.created.startedAt - ahead) > DAY_MS),
  );
  return {
    clauses: [TIME],
    differences: wrong.map(({ instance, value }) => {
      const expected = `within one day of ${new Date(instance.created.startedAt + offset).toISOString()}, the time of the create by the clock of the service`;
      return difference(TIME, "created_at", expected, show(value));
    }),
    exchanges: [...wrong, ...seen].flatMap(({ exchange, instance }) => [exchange, instance.created]),
  };
};

/** Two instances that were created at least 1 s apart must differ in created_at. Equal times with nanoseconds are no coincidence. */
export const movesOn: Assertion = async (scope) => {
  const [early, { instance: late }] = await Promise.all([scope.use(bare), scope.use(afterRefusals)]);
  const onRead = await scope.use(readView);
  const before = timestampOf(onRead.body?.["created_at"]);
  const expect = (body: JsonObject): Difference[] => {
    const after = timestampOf(body["created_at"]);
    if (before === null || after === null) throw precondition(`created_at is not a timestamp (see ${CLAUSE}/rfc3339)`);
    if (before.epochNs !== after.epochNs) return [];
    if (after.digits <= MICROSECOND_DIGITS)
      throw precondition(`a clock of low precision may explain equal values of created_at (see ${CLAUSE})`);
    const seconds = Math.floor((late.created.startedAt - early.created.startedAt) / 1_000);
    const expected = `a time other than that of ${early.name}, which was created ${seconds} s earlier`;
    return [{ clause: TIME, path: "created_at", expected, actual: `${show(body["created_at"])} for both` }];
  };
  return shownBy(late, TIME, expect, { after: [late.created, onRead.exchange, early.created] })(scope);
};

/** Observes the time between the create and created_at, by the clock of the service, in whole minutes. */
export const minutesFromCreate = fixture<number>("admin", "difference between created_at and the time of the create", async (scope) => {
  const offset = scope.run.transport("admin").clockOffsetMs ?? 0;
  const [first] = stamped(await scope.use(seenOnRead), 1);
  return first === undefined ? 0 : Math.round((first.stamp.epochMs - first.instance.created.startedAt - offset) / 60_000);
});

/** The response to an update and later reads must have the created_at of the reads before the update. */
export function unchangedByUpdate(limits: Limits | undefined): Assertion {
  return onPoolInstance([acceptedLimits], async (scope, borrowed) => {
    const { createdAt, instance } = borrowed;
    if (createdAt === undefined) throw precondition("no read shows a created_at to compare with (see admin-4.GET)");
    const answer = await updatedOrPlainly(scope, borrowed, limits);
    const { body } = bodyOf(answer, "admin-4.PUT");
    if (body === null) throw precondition("the response to an update was not the instance object (see admin-4.PUT)");
    const clauses = [CLAUSE, UNCHANGED] as const;
    const differences = moved(createdAt, body["created_at"], "response to the update");
    const onRead = shownBy(instance, clauses, (later) => moved(createdAt, later["created_at"], "read after the update"));
    return together([{ clauses, differences, exchanges: [answer] }, await onRead(scope)]);
  });
}

/** The responses to all updates must have the same created_at as the first read. */
export const unchangedByAny: Assertion = async (scope) => {
  const seen = await scope.use(stampsSeen);
  const shown = seen.filter(({ after }) => after !== undefined);
  if (shown.length === 0) throw precondition("no response to an update has created_at (see admin-4.PUT)");
  const wrong = shown.filter(({ before, after }) => moved(before, after, "").length > 0);
  const [first] = wrong;
  const where = `response to an update; it differs in ${wrong.length} of ${shown.length} responses`;
  const differences = first === undefined ? [] : moved(first.before, first.after, where);
  return { clauses: [UNCHANGED], differences, exchanges: (first ?? shown.at(-1))?.exchanges ?? [] };
};

/** The instances whose created_at is known from a read. */
const shownInstances = fixture<readonly Seen[]>("admin", "created_at of each instance", async (scope) => {
  const similar = await similarBorn(scope);
  return [
    ...(await scope.use(seenOnRead)),
    ...similar.flatMap(({ instance, body, exchanges: [exchange] }) =>
      body === null || exchange === undefined ? [] : [{ instance, value: body["created_at"], exchange }],
    ),
  ];
});

/** The shared instances of the run: no check borrows them or creates them for itself. Each instance is in the list once. */
export const everyInstance = fixture<readonly Instance[]>("admin", "each instance that can be read", async (scope) => [
  ...new Set((await scope.use(shownInstances)).map(({ instance }) => instance)),
]);

/** Each read must show the same created_at, even after reads of many other instances. No other check may write during these reads. */
export const unchangedByReads: Assertion = async (scope) => {
  const lent = (await scope.use(instancePool)).created.map(({ instance, createdAt, firstRead }): Seen => ({
    instance,
    value: createdAt,
    exchange: firstRead,
  }));
  const shown = [...(await scope.use(shownInstances)), ...lent].filter(({ value }) => timestampOf(value) !== null);
  const findings: Finding[] = [];
  for (const { instance, value, exchange } of shown) {
    const { answer, exchanges } = await reading(instance)(scope);
    if (answer === null) continue;
    const differences = moved(value, answer["created_at"], "read after reads of the other instances");
    findings.push({ clauses: [UNCHANGED], differences, exchanges: [...exchanges, exchange] });
  }
  if (findings.length === 0) throw precondition("no instance can be read (see admin-4.GET)");
  return together(findings);
};

/**
 * The response to an update must have the same created_at as reads. All instances are updated, because some faults change few timestamps.
 * The updates remove limits, so no check may read the instances afterwards.
 */
export const unchangedByEach: Assertion = async (scope) => {
  const shown = (await scope.use(shownInstances)).filter(({ value }) => timestampOf(value) !== null);
  const findings = await Promise.all(
    shown.map(async ({ instance, value, exchange }): Promise<Finding[]> => {
      const answer = await update(scope, instance, newName(scope));
      const { body } = bodyOf(answer, "admin-4.PUT");
      if (body === null) return [];
      return [
        { clauses: [UNCHANGED], differences: moved(value, body["created_at"], "response to an update"), exchanges: [answer, exchange] },
      ];
    }),
  );
  if (findings.flat().length === 0) throw precondition("no response to an update is an instance object (see admin-4.PUT)");
  return together(findings.flat());
};

function moved(before: unknown, after: unknown, where: string): Difference[] {
  const path = `created_at (${where})`;
  if (after === undefined) return [{ clause: CLAUSE, path, expected: "an RFC 3339 timestamp", actual: "absent" }];
  const [was, is] = [timestampOf(before), timestampOf(after)];
  if (was !== null && is !== null ? was.epochNs === is.epochNs : before === after) return [];
  return [{ clause: UNCHANGED, path, expected: show(before), actual: show(after) }];
}

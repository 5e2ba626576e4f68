/** Instances that no check updates after their create. Each read must show the same fields. */
import { FIELDS } from "../diagnosis/fields.ts";
import { precondition } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { LIMIT_NAMES } from "../contract/limits.ts";
import { type Finding, together } from "../harness/finding.ts";
import { type Assertion, fixture } from "../harness/scope.ts";
import { type Difference, show } from "../model/difference.ts";
import { isObject, member } from "../model/json.ts";
import { sameAsRead, showLimits } from "../model/limits.ts";
import { readView } from "./instance-fields.ts";
import { filledLimits, full } from "./filled-limits.ts";
import { bare, type Instance } from "./instances.ts";
import { bodyOf, shownBy } from "./reading.ts";
import { readBeforeCreate } from "./similar-instances.ts";
import { parseRfc3339 } from "../model/times.ts";

/** Returns an assertion that an instance without writes reads as before. The checks at the end of the run repeat it. */
export function unchangedSince(instance: Instance, before: Readonly<Record<string, unknown>>): Assertion {
  return shownBy(instance, "admin-4.GET", (body) => changes(before, body));
}

/** Schedules later reads of each instance without updates. Resolves to the number of instances that can be read now. */
export const untouched = fixture<number>("admin", "instances that nobody updates", async (scope) => {
  const { views } = await scope.use(filledLimits);
  const onRead = await scope.use(readView);
  // A smoke run creates few instances, because its budget must allow repeated creates.
  const odd = scope.settings.profile === "smoke" ? null : await scope.use(readBeforeCreate);
  const all = [
    { instance: await scope.use(bare), body: onRead.body },
    // A service may lose unusual texts when it stores them. Only a later read shows this.
    ...(odd !== null && odd.body?.["display_name"] === odd.instance.displayName ? [odd] : []),
    ...views.map(({ instance, exchange }) => ({ instance, body: bodyOf(exchange, "admin-4.GET").body })),
  ];
  let readable = 0;
  for (const { instance, body } of all) {
    if (body === null) continue;
    readable += 1;
    scope.revisit(instance, unchangedSince(instance, body));
  }
  return readable;
});

/** Many reads of an instance with all limits must show the same values. A service may change a stored value after many reads. */
export function oftenRead(times: number): Assertion {
  return async (scope) => {
    const { views } = await scope.use(filledLimits);
    const instance = await scope.use(full);
    const view = views.find((one) => one.instance === instance) ?? views[0];
    const before = view === undefined ? null : bodyOf(view.exchange, "admin-4.GET").body;
    if (view === undefined || before === null)
      throw precondition("no instance with limits could be read earlier in the run (see admin-4.GET)");
    const findings: Finding[] = [];
    for (let read = 0; read < times; read += 1) findings.push(await unchangedSince(view.instance, before)(scope));
    return together(findings);
  };
}

/** Returns the differences between an instance object and a later read without a write in between. */
export function changes(before: Readonly<Record<string, unknown>>, body: Readonly<Record<string, unknown>>): Difference[] {
  // The documents do not define the other values of status.
  const fields = [...FIELDS.filter((field) => field !== "status"), "created_at" as const].filter(
    (field) => canonical(before[field]) !== canonical(body[field]),
  );
  return [
    ...fields.map((field) =>
      changed(field, show(before[field]), show(body[field]), field === "created_at" ? "admin-2.created-at-unchanged" : "admin-4.GET"),
    ),
    ...limitChanges(member(before, "limits"), member(body, "limits")),
  ];
}

function changed(path: string, before: string, actual: string, clause: ClauseId = "admin-4.GET"): Difference {
  return { clause, path, expected: `${before}, as in an earlier read`, actual };
}

/** Makes the value of a field comparable. Timestamps of the same instant are equal in each time zone. */
function canonical(value: unknown): string | undefined {
  const stamp = typeof value === "string" ? parseRfc3339(value) : null;
  return stamp === null ? JSON.stringify(value) : stamp.epochNs.toString();
}

function limitChanges(before: unknown, after: unknown): Difference[] {
  if (!isObject(before) || !isObject(after))
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [changed("limits", showLimits(before), showLimits(after))];
  const other = LIMIT_NAMES.filter((name) => !sameAsRead(name, before[name], after[name]));
  return other.map((name) => changed(`limits.${name}`, show(before[name]), show(after[name])));
}

/** docs/1 section 2, Instance, and the create and read rows of section 4: what an instance object is. */
import { type Answered, isSuccess, statusOf } from "../../src/client/exchange.ts";
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext, Scope } from "../../src/harness/context.ts";
import type { Settled } from "../../src/harness/settle.ts";
import { type Difference, show, showApart } from "../../src/model/difference.ts";
import { adminCheck } from "./check.ts";
import { firstReads } from "./benches.ts";
import { onBench } from "./keeping.ts";
import { fieldFacts, fieldState, readingOf, readView } from "./fields.ts";
import { bare, created, type Instance, sampled, update } from "./instances.ts";
import { bodyOf, type Field, noLimits, readUntil } from "./reading.ts";

const createWithoutLimits = adminCheck({
  slug: "without-limits",
  title: "a create without limits is accepted and can be read",
  clauses: ["admin-4.POST"],
  run: (t) => judgeCreate(t, bare),
});

const createWithLimits = adminCheck({
  slug: "with-limits",
  title: "a create with limits is accepted and can be read",
  clauses: ["admin-4.POST"],
  run: (t) => judgeCreate(t, sampled),
});

async function judgeCreate(t: CheckContext, which: typeof bare): Promise<void> {
  const instance = await t.use(which);
  t.judge("admin-4.POST", accepted(instance));
  if (!isSuccess(instance.created)) return;
  const { value, sightings } = await readUntil(t, instance, () => []);
  // Where no instance can be read at all it is reading that is broken, and the read check says so.
  if (isSuccess(value)) return;
  const others = await Promise.all([bare, sampled].map(async (other) => canBeRead(t, await t.use(other))));
  if (others.some(Boolean)) {
    t.judge(
      "admin-4.POST",
      [
        {
          clause: "admin-4.POST",
          path: "status",
          expected: "the created instance can be read",
          actual: `read answered ${statusOf(value)}`,
        },
      ],
      { sightings },
    );
  }
}

function accepted({ created: exchange }: Instance): Difference[] {
  if (isSuccess(exchange)) return [];
  return [
    {
      clause: "admin-4.POST",
      path: "status",
      expected: "success (2xx)",
      actual: `status ${statusOf(exchange)}: ${show(exchange.response.body)}`,
    },
  ];
}

async function canBeRead(t: CheckContext, instance: Instance): Promise<boolean> {
  return isSuccess(instance.created) && isSuccess(await t.admin.read(instance.name));
}

const read = adminCheck({
  slug: "object",
  title: "a read answers the instance object with its fields",
  clauses: ["admin-4.GET"],
  async run(t) {
    const onRead = await t.use(readView);
    if (!isSuccess(onRead.exchange) && (await canBeRead(t, await t.use(sampled))))
      return t.inconclusive("precondition: an instance created without limits is not there (see admin-4.POST)");
    if (onRead.problems.length > 0)
      return t.judge("admin-4.GET", onRead.problems, { sightings: onRead.sightings, exchanges: [onRead.exchange] });
    const { onUpdate } = await t.use(fieldFacts);
    const missing = (["name", "display_name", "status", "cluster"] as const).filter(
      (field) => fieldState(onRead, field) === "missing" && fieldState(onUpdate, field) !== "missing",
    );
    t.judge(
      "admin-4.GET",
      missing.map((field): Difference => ({
        clause: "admin-4.GET",
        path: field,
        expected: show(onRead.expected[field]),
        actual: "absent",
      })),
      { sightings: onRead.sightings, exchanges: [onRead.exchange] },
    );
  },
});

const updateObject = adminCheck({
  slug: "object",
  title: "an update answers the instance object with its fields",
  clauses: ["admin-4.PUT"],
  async run(t) {
    const facts = await t.use(fieldFacts);
    const { onUpdate } = facts;
    const wrong = (["name", "display_name", "status", "cluster"] as const).filter((field) => {
      const state = fieldState(onUpdate, field);
      return state !== null && state !== "right" && fieldState(readingOf(facts, field), field) === "right";
    });
    const refusal: Difference[] = isSuccess(onUpdate.exchange)
      ? []
      : [
          {
            clause: "admin-4.PUT",
            path: "status",
            expected: "success (2xx) with the modified instance object",
            actual: `status ${statusOf(onUpdate.exchange)}: ${show(onUpdate.exchange.response.body)}`,
          },
        ];
    t.judge(
      "admin-4.PUT",
      [
        ...refusal,
        ...onUpdate.problems,
        ...wrong.map((field): Difference => ({
          clause: "admin-4.PUT",
          path: field,
          expected: show(onUpdate.expected[field]),
          actual: show(onUpdate.body?.[field]),
        })),
      ],
      { exchanges: [onUpdate.exchange] },
    );
  },
});

const json = adminCheck({
  slug: "bodies",
  title: "the bodies of read and update are JSON",
  clauses: ["admin-4.json"],
  async run(t) {
    const { onRead, onUpdate } = await t.use(fieldFacts);
    const views = [onRead, onUpdate].filter(({ exchange }) => isSuccess(exchange));
    if (views.length === 0) return t.inconclusive("precondition: neither a read nor an update was answered with success");
    t.judge(
      "admin-4.json",
      views.flatMap(({ problems }) => problems.filter(({ clause }) => clause === "admin-4.json")),
    );
  },
});

function fieldCheck(field: Field): Check {
  const clause = `admin-2.field.${field}` as const;
  return adminCheck({
    slug: "value",
    title: `${field} is read back as it was sent`,
    clauses: [clause],
    async run(t) {
      const facts = await t.use(fieldFacts);
      const { onUpdate } = facts;
      const onRead = readingOf(facts, field);
      const [reading, updating] = [fieldState(onRead, field), fieldState(onUpdate, field)];
      if (reading === null && updating === null)
        return t.inconclusive("precondition: neither a read nor an update showed an instance object");
      const view =
        reading === "wrong" || (reading === "missing" && updating === "missing")
          ? onRead
          : reading === null && updating !== "right"
            ? onUpdate
            : null;
      const found: Difference[] =
        view === null ? [] : [{ clause, path: field, expected: show(view.expected[field]), actual: show(view.body?.[field]) }];
      t.judge(clause, found, view === null ? {} : { sightings: view.sightings, exchanges: [view.exchange] });
    },
  });
}

/** Normalised text, so that a server that normalises is not blamed; quotes and backslashes show careless escaping. */
const RICH_NAME = "Größe \"A\" \\ b/c <d> & 'e' – 指標 {x}, 100 %";

/** Display names that careless servers change; none begins or ends with a blank, which a server may take for no part of it. */
const UNUSUAL_NAMES: readonly ((unique: number) => string)[] = [
  (unique) => `${RICH_NAME} ${unique}`,
  (unique) => `\u{1f600} \u{1d4b3}  two blanks, %41 {{x}} $HOME \\u0041 ${unique}`,
  (unique) => `00${unique}7`,
  (unique) => `${"a long display name ".repeat(10)}${unique}`,
];

/** Whether reads show a display name that an update sets; null when the update is refused. */
async function shows(scope: Scope, instance: Instance, displayName: string, clause: ClauseId): Promise<Settled<Answered> | null> {
  if (!isSuccess(await update(scope, instance, displayName))) return null;
  return readUntil(scope, instance, (body) =>
    body["display_name"] === displayName ? [] : [{ clause, path: "display_name", ...showApart(displayName, body["display_name"]) }],
  );
}

const unusualDisplayNames = adminCheck({
  slug: "any-text",
  title: "a display name with quotes and letters of other alphabets is kept once it was accepted",
  clauses: ["admin-2.field.display_name"],
  profiles: ["release", "nightly"],
  run: (t) =>
    onBench(t, async ({ instance }) => {
      const plain = (await t.use(fieldFacts)).onRead;
      if (fieldState(plain, "display_name") !== "right") return t.inconclusive("a plain display name is not kept either");
      const control = await shows(t, instance, `Plumbline ${t.run.unique()}`, "admin-4.PUT");
      if (control === null || control.differences.length > 0) {
        t.judge([], control?.differences ?? []);
        return t.inconclusive("precondition: an update to a plain display name is not carried out (see admin-4.PUT)");
      }
      let taken = 0;
      for (const unusual of UNUSUAL_NAMES) {
        const found = await shows(t, instance, unusual(t.run.unique()), "admin-2.field.display_name");
        if (found === null) continue;
        taken += 1;
        const { value, differences, sightings } = found;
        if (bodyOf(value, "admin-4.GET").body === null)
          return t.inconclusive("precondition: the instance cannot be read (see admin-4.GET)");
        t.judge("admin-2.field.display_name", differences, { sightings });
      }
      if (taken === 0) return t.notRun("this target refuses such display names; which ones it takes is not stated");
    }),
});

const noLimitsEver = adminCheck({
  slug: "absent",
  title: "limits are absent from an instance that never had any",
  clauses: ["admin-2.field.limits"],
  async run(t) {
    const instance = created(await t.use(bare));
    const { value, differences, sightings } = await readUntil(t, instance, (body) => noLimits(body, "admin-2.field.limits"));
    if (bodyOf(value, "admin-4.GET").body === null) return t.inconclusive("precondition: the instance cannot be read (see admin-4.GET)");
    t.judge("admin-2.field.limits", differences, { sightings });
    for (const exchange of await firstReads(t)) {
      const { body } = bodyOf(exchange, "admin-4.GET");
      if (body !== null) t.judge("admin-2.field.limits", noLimits(body, "admin-2.field.limits"), { exchanges: [exchange] });
    }
  },
});

export const INSTANCE_CHECKS: readonly Check[] = [
  createWithoutLimits,
  createWithLimits,
  read,
  updateObject,
  json,
  fieldCheck("name"),
  fieldCheck("display_name"),
  fieldCheck("status"),
  fieldCheck("cluster"),
  unusualDisplayNames,
  noLimitsEver,
];

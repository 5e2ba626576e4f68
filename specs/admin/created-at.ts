/** docs/1 section 2, created_at: an RFC 3339 timestamp with nanosecond precision, set by the service. */
import { type Answered, isSuccess } from "../../src/client/exchange.ts";
import type { Check } from "../../src/harness/check.ts";
import { type Fixture, fixture, type Scope } from "../../src/harness/context.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import { parseRfc3339, type Timestamp } from "../../src/model/timestamp.ts";
import { adminCheck } from "./check.ts";
import { createFacts } from "./facts.ts";
import { onBench } from "./keeping.ts";
import { fieldFacts } from "./fields.ts";
import { bare, type Instance, update } from "./instances.ts";
import { bodyOf, readUntil } from "./reading.ts";

const CLAUSE = "admin-2.field.created_at";

interface Seen {
  readonly instance: Instance;
  readonly value: unknown;
  readonly exchange: Answered;
}

/** created_at of every instance that the run created and can read. */
const seenOnRead: Fixture<readonly Seen[]> = fixture("admin", "created_at of several instances", async (scope) => {
  const { onRead } = await scope.use(fieldFacts);
  const { views } = await scope.use(createFacts);
  const seen = [
    { instance: await scope.use(bare), body: onRead.body, exchange: onRead.exchange },
    ...views.map(({ instance, exchange }) => ({ instance, body: bodyOf(exchange, "admin-4.GET").body, exchange })),
  ];
  return seen.flatMap(({ instance, body, exchange }) => (body === null ? [] : [{ instance, value: body["created_at"], exchange }]));
});

async function createdAtOf(scope: Scope, instance: Instance): Promise<Seen | null> {
  const { value } = await readUntil(scope, instance, (body) => (Object.hasOwn(body, "created_at") ? [] : [absent("read")]));
  const { body } = bodyOf(value, "admin-4.GET");
  return body === null ? null : { instance, value: body["created_at"], exchange: value };
}

function absent(where: string): Difference {
  return { clause: CLAUSE, path: `created_at (${where})`, expected: "an RFC 3339 timestamp", actual: "absent" };
}

function timestampOf(value: unknown): Timestamp | null {
  return typeof value === "string" ? parseRfc3339(value) : null;
}

const format = adminCheck({
  slug: "rfc3339",
  title: "created_at is an RFC 3339 timestamp",
  clauses: [CLAUSE],
  async run(t) {
    const seen = await t.use(seenOnRead);
    if (seen.length === 0) return t.inconclusive("precondition: no instance can be read (see admin-4.GET)");
    t.judge(
      CLAUSE,
      seen.flatMap(({ value }) =>
        timestampOf(value) === null
          ? [{ clause: CLAUSE, path: "created_at", expected: "an RFC 3339 timestamp", actual: show(value) } satisfies Difference]
          : [],
      ),
      { exchanges: seen.map(({ exchange }) => exchange) },
    );
  },
});

/** Trailing zeros may be trimmed, so one timestamp says little; over several, coarser digits all the time say enough. */
const COARSE_DIGITS = 3;
const ENOUGH_INSTANCES = 3;

const precision = adminCheck({
  slug: "precision",
  title: "created_at is printed with more than millisecond precision",
  clauses: [CLAUSE],
  async run(t) {
    const stamps = (await t.use(seenOnRead)).map(({ value }) => timestampOf(value)).filter((stamp) => stamp !== null);
    if (stamps.length < ENOUGH_INSTANCES) return t.inconclusive(`precondition: only ${stamps.length} instances show an RFC 3339 timestamp`);
    const most = Math.max(...stamps.map(({ digits }) => digits));
    t.judge(
      CLAUSE,
      most > COARSE_DIGITS
        ? []
        : [
            {
              clause: CLAUSE,
              path: "created_at",
              expected: "nanosecond precision: more than three fraction digits on some instance",
              actual: `at most ${most} fraction digits on ${stamps.length} instances`,
            },
          ],
    );
  },
});

const TEN_MINUTES_MS = 600_000;
const DAY_MS = 86_400_000;

const clock = adminCheck({
  slug: "near-the-create",
  title: "created_at is the time of the create by the service's clock",
  clauses: [CLAUSE],
  async run(t) {
    const seen = await t.use(seenOnRead);
    const offset = t.run.transport("admin").clockOffsetMs;
    const tolerance = offset === null ? DAY_MS : TEN_MINUTES_MS;
    const judged = seen.flatMap((one) => {
      const stamp = timestampOf(one.value);
      return stamp === null ? [] : [{ ...one, stamp }];
    });
    if (judged.length === 0) return t.inconclusive("precondition: no instance shows an RFC 3339 timestamp");
    t.judge(
      CLAUSE,
      judged.flatMap(({ instance, stamp, value }) => {
        const created = instance.created.startedAt + (offset ?? 0);
        if (Math.abs(stamp.epochMs - created) <= tolerance) return [];
        return [
          {
            clause: CLAUSE,
            path: "created_at",
            expected: `within ${tolerance / 60_000} minutes of ${new Date(created).toISOString()}`,
            actual: show(value),
          } satisfies Difference,
        ];
      }),
      { exchanges: judged.map(({ exchange }) => exchange) },
    );
  },
});

const unchanged = adminCheck({
  slug: "unchanged-by-updates",
  title: "created_at is returned on update and stays what it was",
  clauses: [CLAUSE],
  run: (t) =>
    onBench(t, async (bench) => {
      if (bench.createdAt === undefined)
        return t.inconclusive("precondition: a read shows no created_at to compare with (see admin-4.GET)");
      const rates = { ingestion_rate: 77_777 };
      const updates = [undefined, rates, { ingestion_rate: 66_666 }];
      for (const limits of t.pick({ smoke: [rates], release: updates, nightly: updates })) {
        const answer = await update(t, bench.instance, `Plumbline ${t.run.unique()}`, limits);
        bench.bare = limits === undefined && isSuccess(answer);
        const { body } = bodyOf(answer, "admin-4.PUT");
        if (body === null) return t.inconclusive("precondition: an update was not answered with the instance object (see admin-4.PUT)");
        const later = await createdAtOf(t, bench.instance);
        const found = [
          ...(Object.hasOwn(body, "created_at")
            ? moved(bench.createdAt, body["created_at"], "answer of the update")
            : [absent("answer of the update")]),
          ...(later === null ? [] : moved(bench.createdAt, later.value, "read after the update")),
        ];
        t.judge(CLAUSE, found);
      }
    }),
});

function moved(before: unknown, after: unknown, where: string): Difference[] {
  const [was, is] = [timestampOf(before), timestampOf(after)];
  if (was !== null && is !== null ? was.epochNs === is.epochNs : before === after) return [];
  return [{ clause: CLAUSE, path: `created_at (${where})`, expected: show(before), actual: show(after) }];
}

export const CREATED_AT_CHECKS: readonly Check[] = [format, precision, clock, unchanged];

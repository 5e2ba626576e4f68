/** What docs/2 does not show, recorded and never judged. */
import { type Answered, isSuccess, jsonOf, statusOf } from "../../src/client/exchange.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import { isObject, member } from "../../src/model/json.ts";
import { countEntries } from "../../src/model/logs.ts";
import { streamsOf } from "./answers.ts";
import { hello, logsCheck } from "./check.ts";
import { type Dataset, RUN_LABEL, SET_LABEL, store, stored, timestamps, wholeQuery } from "./datasets.ts";
import { readBack } from "./reading.ts";
import { several } from "./sets.ts";

function bodyShape(answer: Answered): string {
  const body = jsonOf(answer);
  if (answer.response.body === "") return "empty";
  return body === undefined ? "text" : isObject(body) ? `object: ${Object.keys(body).toSorted().join(", ")}` : typeof body;
}

const push = logsCheck({
  slug: "push",
  title: "what a push answers, and how label endpoints take a time range",
  clauses: ["logs-4.5"],
  async run(t) {
    const { pushes, start, end } = await t.use(hello);
    const [first] = pushes;
    t.observe(
      "logs-4.5",
      "push-status",
      "status and body of a successful push",
      first === undefined ? null : { status: statusOf(first), body: bodyShape(first) },
      pushes.slice(0, 1),
    );
    if (t.settings.profile === "smoke") return;
    const past = { start: (start - 7_200_000_000_000n).toString(), end: (end - 7_200_000_000_000n).toString() };
    const labels = await t.logs.probe("labels in a past range", "labels", past);
    t.observe(
      "logs-4.5",
      "labels-range",
      "whether a time range without entries empties the list of labels",
      !JSON.stringify(jsonOf(labels) ?? "").includes(SET_LABEL),
    );
  },
});

const envelope = logsCheck({
  slug: "envelope",
  title: "fields of the response envelope, and labels that the service adds",
  clauses: ["logs-2.3"],
  async run(t) {
    const dataset = stored(await t.use(hello));
    const { value } = await readBack(t, dataset);
    const body = jsonOf(value);
    t.observe(
      "logs-2.3",
      "range",
      "fields of a range answer",
      isObject(body)
        ? {
            envelope: Object.keys(body).toSorted(),
            data: Object.keys(member(body, "data") ?? {}).toSorted(),
            status: body["status"] ?? null,
            resultType: member(body["data"], "resultType") ?? null,
          }
        : null,
      [value],
    );
    const pushed = new Set(dataset.streams.flatMap(({ labels }) => Object.keys(labels)));
    const added = (streamsOf(value).streams ?? []).flatMap(({ labels }) => Object.keys(labels).filter((name) => !pushed.has(name)));
    t.observe("logs-2.3", "added-labels", "labels the client never pushed", [...new Set(added)].toSorted(), [value]);
    const appeared = t.run.patience("logs").slowestMs;
    t.observe(
      "logs-2.3",
      "visibility",
      "how long a push takes to become visible",
      appeared < 100 ? "at once" : appeared < 1_000 ? "under a second" : "seconds",
      [],
    );
  },
});

const errors = logsCheck({
  slug: "bodies",
  title: "how the log API answers requests that are wrong or odd",
  clauses: ["logs-7.bodies"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = stored(await t.use(hello));
    const range = { query: wholeQuery(dataset), start: dataset.start.toString(), end: dataset.end.toString() };
    const odd: readonly (readonly [slug: string, title: string, parameters: Record<string, string>])[] = [
      ["syntax-error", "a broken query", { ...range, query: "{" }],
      ["limit-zero", "limit 0", { ...range, limit: "0" }],
      ["limit-negative", "a negative limit", { ...range, limit: "-1" }],
      ["limit-text", "a limit that is no number", { ...range, limit: "many" }],
      ["odd-direction", "an unknown direction", { ...range, direction: "sideways" }],
      ["start-after-end", "start after end", { ...range, start: range.end, end: range.start }],
      ["no-range", "neither start nor end", { query: range.query }],
      ["metric-on-range", "a metric query on query_range", { ...range, query: `count_over_time(${range.query}[1m])`, step: "60" }],
      ["all-matching", 'a selector {plumbline_run=~".*"}', { ...range, query: `{${RUN_LABEL}=~".*"}` }],
    ];
    for (const [slug, title, parameters] of odd) {
      const answer = await t.logs.probe(`query_range (${slug})`, "query_range", parameters);
      t.observe("logs-7.bodies", slug, `the answer to ${title}`, {
        status: statusOf(answer),
        body: isSuccess(answer) ? "success" : bodyShape(answer),
        contentType: isSuccess(answer) ? null : (answer.response.headers["content-type"] ?? null),
      });
    }
    const malformed = await t.logs.probePush("push (malformed)", '{"streams": 1}');
    t.observe("logs-7.bodies", "malformed-push", "the answer to a malformed push", {
      status: statusOf(malformed),
      body: bodyShape(malformed),
    });
    if (t.logsTarget.tenantId !== null) {
      const answer = await t.logs.probe("labels without a tenant", "labels", {}, { tenant: null });
      t.observe("logs-7.bodies", "no-tenant", "status without the tenant header", statusOf(answer));
    }
  },
});

const edges = logsCheck({
  slug: "edges",
  title: "whether start and end include an entry on the edge, and what becomes of duplicates and late entries",
  clauses: ["logs-3.states"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(several);
    const all = timestamps(dataset);
    const [from, to] = [all[10] ?? 0n, all[20] ?? 0n];
    const found = async (start: bigint, end: bigint): Promise<number | null> => {
      const { streams } = streamsOf(await t.logs.queryRange({ query: wholeQuery(dataset), start, end, limit: 100 }));
      return streams === null ? null : countEntries(streams);
    };
    const inside = await found(from + 1n, to - 1n);
    t.observe("logs-3.states", "start-inclusive", "an entry exactly at start is answered", (await found(from, to - 1n)) !== inside);
    t.observe("logs-3.states", "end-inclusive", "an entry exactly at end is answered", (await found(from + 1n, to)) !== inside);
    await observeWrites(t);
  },
});

async function observeWrites(t: CheckContext): Promise<void> {
  const entry = { offset: 60_000_000_000n, line: "twice" };
  const payload = { pushes: [[{ labels: {}, entries: [entry] }], [{ labels: {}, entries: [entry] }]] };
  const twice: Dataset = await store(t, "duplicate", payload);
  const { value } = await readBack(t, twice);
  t.observe("logs-3.states", "duplicate", "entries answered for one that was pushed twice", countEntries(streamsOf(value).streams ?? []), [
    value,
  ]);
  const late = JSON.stringify({
    streams: [{ stream: { [RUN_LABEL]: t.run.runId, [SET_LABEL]: twice.name }, values: [[(twice.anchor + 1n).toString(), "late"]] }],
  });
  const answer = await t.logs.probePush("push (older than the stream)", late);
  t.observe("logs-3.states", "out-of-order", "status of a push older than what its stream holds", statusOf(answer));
}

export const LOGS_OBSERVATIONS: readonly Check[] = [push, envelope, errors, edges];

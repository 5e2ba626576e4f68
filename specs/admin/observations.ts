/** What docs/1 does not show, recorded and never judged. */
import type { Answered } from "../../src/client/exchange.ts";
import { isSuccess, jsonOf, statusOf } from "../../src/client/exchange.ts";
import { isLimitName, LIMIT_NAMES } from "../../src/contract/limits.ts";
import type { Check } from "../../src/harness/check.ts";
import { isObject } from "../../src/model/json.ts";
import { adminCheck } from "./check.ts";
import { createFacts, shownDefaults } from "./facts.ts";
import { onBench } from "./keeping.ts";
import { bare, created, payloadOf, STATUS, update } from "./instances.ts";

/** What an answer is like, without anything that differs from run to run. */
function shape(answer: Answered): Record<string, unknown> {
  const body = jsonOf(answer);
  return {
    status: statusOf(answer),
    contentType: answer.response.headers["content-type"] ?? null,
    etag: answer.response.headers["etag"] !== undefined,
    body: isObject(body) ? Object.keys(body).toSorted() : answer.response.body === "" ? "empty" : body === undefined ? "text" : typeof body,
  };
}

const creates = adminCheck({
  slug: "create",
  title: "what a create answers, and operations the document does not show",
  clauses: ["admin-4.4"],
  // A create under a name in use may do anything to that instance: nothing is judged of it afterwards.
  phase: "alone",
  async run(t) {
    const instance = created(await t.use(bare));
    t.observe("admin-4.4", "create", "the answer of a create", shape(instance.created), [instance.created]);
    if (t.settings.profile === "smoke") return;
    const duplicate = await t.admin.probe("create instance again", "POST", "", {
      name: instance.name,
      ...payloadOf(instance, instance.displayName),
    });
    t.observe("admin-4.4", "duplicate-create", "the answer of a create under a name in use", shape(duplicate));
    const list = await t.admin.probe("list instances", "GET", "");
    t.observe("admin-4.4", "list", "status of GET on the collection", statusOf(list));
  },
});

const errors = adminCheck({
  slug: "refusals",
  title: "how the admin API answers requests that are wrong",
  clauses: ["admin-7.errors"],
  profiles: ["release", "nightly"],
  async run(t) {
    const unknown = await t.admin.probe("read unknown instance", "GET", `plb-${t.run.runId}-none`);
    t.observe("admin-7.errors", "unknown-instance", "the answer of a read of an instance nobody created", shape(unknown));
    const name = `plb-${t.run.runId}-m`;
    const incomplete = await t.admin.probeCreate("create instance without display_name", name, {
      name,
      status: STATUS,
      cluster: t.adminTarget.cluster,
    });
    t.observe("admin-7.errors", "missing-display-name", "the answer of a create without display_name", shape(incomplete));
    await onBench(t, async (bench) => {
      bench.bare = false;
      const { instance } = bench;
      const bodies: readonly (readonly [slug: string, title: string, body: unknown])[] = [
        ["unknown-limit", "a limit outside the table", { ...payloadOf(instance, "Plumbline"), limits: { plumbline_no_such_limit: 1 } }],
        ["wrong-type", "a limit of a wrong type", { ...payloadOf(instance, "Plumbline"), limits: { ingestion_rate: "many" } }],
        ["empty-limits", "limits: {}", { ...payloadOf(instance, "Plumbline"), limits: {} }],
        ["null-limits", "limits: null", { ...payloadOf(instance, "Plumbline"), limits: null }],
        ["name-in-update", "name in the body of an update", { name: instance.name, ...payloadOf(instance, "Plumbline") }],
      ];
      for (const [slug, title, body] of bodies) {
        await t.admin.read(instance.name);
        const etag = t.admin.etagOf(instance.name);
        const answer = await t.admin.probe(
          `update instance (${slug})`,
          "PUT",
          instance.name,
          body,
          { kind: "configured" },
          etag === null ? {} : { "if-match": etag },
        );
        instance.lastWriteAt = answer.endedAt;
        t.observe("admin-7.errors", slug, `the answer of an update with ${title}`, shape(answer));
      }
      await t.admin.read(instance.name);
      if (!isSuccess(await update(t, instance, `Plumbline ${t.run.unique()}`))) return;
      bench.bare = true;
    });
  },
});

const undocumentedDefaults = adminCheck({
  slug: "defaults",
  title: "the global defaults the table does not show, and limits beyond the table",
  clauses: ["admin-2.4"],
  async run(t) {
    const { views } = await t.use(createFacts);
    const effective = await shownDefaults(t);
    for (const name of LIMIT_NAMES.filter((candidate) => candidate === "max_series_per_query" || candidate === "max_series_per_user")) {
      t.observe("admin-2.4", name, `the global default of ${name}`, effective[name] ?? null, []);
    }
    const extra = new Set(views.flatMap(({ limits }) => Object.keys(limits ?? {}).filter((name) => !isLimitName(name))));
    t.observe("admin-2.4", "extra-limits", "limits beyond the table", [...extra].toSorted(), []);
  },
});

export const ADMIN_OBSERVATIONS: readonly Check[] = [creates, errors, undocumentedDefaults];

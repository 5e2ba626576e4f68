/** docs/1 section 5: Basic authentication with an empty username and the token as password. */
import { type Credentials } from "../../src/client/admin.ts";
import { type Answered, isSuccess, jsonOf, statusOf } from "../../src/client/exchange.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import { member } from "../../src/model/json.ts";
import { tallyDifferences } from "../tally.ts";
import { adminCheck } from "./check.ts";
import { type Bench, withBench } from "./benches.ts";
import { created, payloadOf, sampled } from "./instances.ts";
import { readUntil } from "./reading.ts";

const documentedForm = adminCheck({
  slug: "documented-form",
  title: "requests with the documented credentials are not refused now and then",
  clauses: ["admin-5.1"],
  phase: "closing",
  async run(t) {
    const { differences, exchanges } = tallyDifferences(t.tally, "admin-5.1");
    if (t.tally.successes === 0) return t.inconclusive("no request with the documented credentials succeeded");
    t.judge("admin-5.1", differences, { exchanges });
  },
});

const WRONG_TOKEN = "plumbline-no-such-token";

const CHANGES: readonly { readonly what: string; readonly credentials: Credentials }[] = [
  { what: "no credentials", credentials: { kind: "none" } },
  { what: "a wrong token", credentials: { kind: "basic", user: "", password: WRONG_TOKEN } },
  { what: "the token and one character more", credentials: { kind: "token-and", more: "-" } },
  { what: "an empty token", credentials: { kind: "basic", user: "", password: "" } },
];

const REFUSED_CREATE = "a create with no credentials";

const enforced = adminCheck({
  slug: "enforced",
  title: "requests without the token do not succeed and change nothing",
  clauses: ["admin-5.1"],
  unless: ({ admin }) => (admin?.authEnforced === true ? null : "METRICS_AUTH_ENFORCED is not set"),
  run: (t) => withBench(t, (bench) => judgeEnforced(t, bench)),
});

async function judgeEnforced(t: CheckContext, bench: Bench): Promise<void> {
  const { instance } = bench;
  // A refused update that is carried out all the same removes the limits of the instance, or adds none.
  bench.bare = false;
  const { value: before } = await readUntil(t, instance, () => []);
  if (!isSuccess(before)) return t.inconclusive(`precondition: a read with the token is answered ${statusOf(before)}`);
  const refused: { readonly what: string; readonly answer: Answered }[] = [];
  for (const { what, credentials } of t.settings.profile === "smoke" ? CHANGES.slice(0, 2) : CHANGES) {
    const read = await t.admin.probe(`read instance with ${what}`, "GET", instance.name, undefined, credentials);
    const payload = payloadOf(instance, `Plumbline refused ${t.run.unique()}`);
    const etag = t.admin.etagOf(instance.name);
    const update = await t.admin.probe(
      `update instance with ${what}`,
      "PUT",
      instance.name,
      payload,
      credentials,
      etag === null ? {} : { "if-match": etag },
    );
    refused.push({ what: `a read with ${what}`, answer: read }, { what: `an update with ${what}`, answer: update });
  }
  // One refused create is enough: one that is not refused leaves an instance behind.
  const name = `plb-${t.run.runId}-u`;
  if (t.settings.profile !== "smoke") {
    const create = await t.admin.probeCreate(
      "create instance with no credentials",
      name,
      { name, ...payloadOf(instance, name) },
      { kind: "none" },
    );
    refused.push({ what: REFUSED_CREATE, answer: create });
  }
  const made = t.settings.profile === "smoke" ? null : await t.admin.probe("read instance that was refused", "GET", name);
  const after = await t.admin.read(instance.name);
  if (!isSuccess(after)) return t.inconclusive(`precondition: a read with the token is answered ${statusOf(after)}`);
  for (const { what, answer } of refused) {
    const found: Difference[] = isSuccess(answer)
      ? [{ clause: "admin-5.1", path: "status", expected: `no success for ${what}`, actual: `status ${statusOf(answer)}` }]
      : [];
    t.judge("admin-5.1", found, { exchanges: [before, answer] });
  }
  if (made !== null && isSuccess(made) && !refused.some(({ what, answer }) => what === REFUSED_CREATE && isSuccess(answer))) {
    t.judge(
      "admin-5.1",
      [
        {
          clause: "admin-5.1",
          path: "status",
          expected: "no instance",
          actual: `status ${statusOf(made)}: a refused create was carried out`,
        },
      ],
      { exchanges: [made] },
    );
  }
  const shown = member(jsonOf(after), "display_name");
  t.judge(
    "admin-5.1",
    typeof shown === "string" && shown.startsWith("Plumbline refused")
      ? [
          {
            clause: "admin-5.1",
            path: "display_name",
            expected: show(member(jsonOf(before), "display_name")),
            actual: `${show(shown)}: a refused update was applied`,
          },
        ]
      : [],
  );
}

const otherForms = adminCheck({
  slug: "other-forms",
  title: "what the token does in other forms than the documented one",
  clauses: ["admin-5.2"],
  profiles: ["release", "nightly"],
  async run(t) {
    const instance = created(await t.use(sampled));
    const forms: readonly { readonly slug: string; readonly credentials: Credentials }[] = [
      { slug: "another-username", credentials: { kind: "token-as", user: "plumbline" } },
      { slug: "bearer", credentials: { kind: "bearer" } },
      { slug: "none", credentials: { kind: "none" } },
    ];
    for (const { slug, credentials } of forms) {
      const answer = await t.admin.probe(`read instance (${slug})`, "GET", instance.name, undefined, credentials);
      t.observe("admin-5.2", slug, `status of a read with the credentials form "${slug}"`, statusOf(answer));
    }
  },
});

export const AUTHENTICATION_CHECKS: readonly Check[] = [documentedForm, enforced, otherForms];

/** docs/1 section 5: Basic authentication with an empty username and the token as password. */
import { type Credentials } from "../../src/client/admin.ts";
import { type Answered, isSuccess, jsonOf, statusOf } from "../../src/client/exchange.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import { member } from "../../src/model/json.ts";
import { tallyDifferences } from "../tally.ts";
import { adminCheck } from "./check.ts";
import { bare, created, type Instance, payloadOf, sampled } from "./instances.ts";

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
  { what: "an empty token", credentials: { kind: "basic", user: "", password: "" } },
];

const enforced = adminCheck({
  slug: "enforced",
  title: "requests without the token do not succeed and change nothing",
  clauses: ["admin-5.1"],
  unless: ({ admin }) => (admin?.authEnforced === true ? null : "METRICS_AUTH_ENFORCED is not set"),
  async run(t) {
    const instance = created(await t.use(bare));
    for (const { what, credentials } of CHANGES) {
      await judgeRefused(t, instance, `a read with ${what}`, () => t.admin.probe(`read instance with ${what}`, "GET", instance.name, undefined, credentials));
      const payload = payloadOf(instance, `Plumbline refused ${t.run.unique()}`);
      const etag = t.admin.etagOf(instance.name);
      await judgeRefused(t, instance, `an update with ${what}`, () =>
        t.admin.probe(`update instance with ${what}`, "PUT", instance.name, payload, credentials, etag === null ? {} : { "if-match": etag }),
      );
    }
    const after = await t.admin.read(instance.name);
    const shown = member(jsonOf(after), "display_name");
    t.judge("admin-5.1", typeof shown === "string" && shown.startsWith("Plumbline refused") ? [{ clause: "admin-5.1", path: "display_name", expected: show(instance.displayName), actual: `${show(shown)}: a refused update was applied` }] : []);
  },
});

/** One request that must not succeed, between two valid reads that do. */
async function judgeRefused(t: CheckContext, instance: Instance, what: string, send: () => Promise<Answered>): Promise<void> {
  const twin = await t.admin.read(instance.name);
  const answer = await send();
  const again = await t.admin.read(instance.name);
  if (!isSuccess(twin) || !isSuccess(again)) return t.inconclusive(`precondition: the same request with the token does not succeed (status ${statusOf(twin)})`);
  const found: Difference[] = isSuccess(answer) ? [{ clause: "admin-5.1", path: "status", expected: `no success for ${what}`, actual: `status ${statusOf(answer)}` }] : [];
  t.judge("admin-5.1", found, { exchanges: [twin, answer] });
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

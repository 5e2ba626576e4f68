/** Section 5: Basic authentication with an empty username and the token as password. */
import type { Check } from "../../src/harness/check.ts";
import { denied } from "../../src/histories/wrong-credentials.ts";
import { created, sampled } from "../../src/histories/instances.ts";
import { OTHER_FORMS, otherForm } from "../../src/histories/observations.ts";
import { credentialsTaken } from "../../src/scenarios/credentials.ts";
import { adminCheck, largerCheck } from "./check.ts";

export const AUTHENTICATION_CHECKS: readonly Check[] = [
  adminCheck({
    slug: "documented-form",
    title: "every request with the documented credentials is accepted",
    clauses: ["admin-5.1"],
    phase: "closing",
    run: async (t) => t.verify(credentialsTaken("admin-5.1")),
  }),
];

/** After wrong credentials, a service may refuse all requests for some time. So these checks are the last. */
export const WRONG_ADMIN_CREDENTIALS: readonly Check[] = [
  adminCheck({
    slug: "enforced",
    title: "requests without the token fail and change nothing",
    clauses: ["admin-5.1"],
    phase: "disruptive",
    unless: ({ admin }) => (admin?.authEnforced === true ? null : "METRICS_AUTH_ENFORCED is not set"),
    run: async (t) => t.verify(denied(t.pick({ smoke: 6, release: 7, nightly: 7 }))),
  }),
  largerCheck({
    slug: "other-forms",
    title: "how the service answers a token that is sent in an undocumented form",
    clauses: ["admin-5.2"],
    phase: "disruptive",
    async run(t) {
      const instance = created(await t.use(sampled));
      for (const form of OTHER_FORMS)
        t.observe(
          "admin-5.2",
          form.slug,
          `status of a read with the credentials form "${form.slug}"`,
          await t.probe(otherForm(instance, form)),
        );
    },
  }),
];

/** Section 5: no authentication, a tenant on every request, Basic credentials. Section 7: the rate limit, with 429. */
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Check } from "../../src/harness/check.ts";
import type { Settings } from "../../src/settings/types.ts";
import { credentialsTaken, denied, deniedPush, readsOf } from "../../src/scenarios/credentials.ts";
import { stored, wholeQuery } from "../../src/datasets/datasets.ts";
import { range } from "../../src/datasets/requests.ts";
import { hello } from "../../src/datasets/first-push.ts";
import { logsCheck, largerCheck } from "./check.ts";
import { overloaded } from "../../src/scenarios/overload.ts";

function takenCheck(slug: string, title: string, clause: ClauseId, unless: (settings: Settings) => string | null): Check {
  return logsCheck({
    slug,
    title,
    clauses: [clause],
    phase: "closing",
    unless,
    async run(t) {
      const dataset = stored(await t.use(hello));
      // In some runs, no other check reads.
      await t.verify(credentialsTaken(clause, range({ query: wholeQuery(dataset), start: dataset.start, end: dataset.end, limit: 1 })));
    },
  });
}

const noAuthentication = takenCheck("without-credentials", "requests without credentials are accepted", "logs-5.1", ({ logs }) =>
  logs?.credentials === null && logs.tenantId === null
    ? null
    : "credentials or a tenant are configured, so this is not a single-tenant deployment without authentication",
);

const withTenant = takenCheck("with-tenant", "every request with the tenant header is accepted", "logs-5.2a", ({ logs }) =>
  logs === null || logs.tenantId === null ? "LOGS_TENANT_ID is not set" : null,
);

const withBasic = takenCheck("documented-form", "every request with user and token is accepted", "logs-5.3", ({ logs }) =>
  logs === null || logs.credentials === null ? "LOGS_USER is not set" : null,
);

const enforced = logsCheck({
  slug: "enforced",
  title: "requests without the token fail",
  clauses: ["logs-5.3"],
  phase: "disruptive",
  unless: ({ logs }) =>
    logs?.authEnforced !== true
      ? "LOGS_AUTH_ENFORCED is not set"
      : logs.credentials === null
        ? "LOGS_USER is not set, so no request has a token that could be left out"
        : null,
  async run(t) {
    const dataset = stored(await t.use(hello));
    const reads = readsOf(dataset);
    const most = t.pick({ smoke: 5, release: 6, nightly: 6 });
    const mostLater = t.pick({ smoke: 2, release: 3, nightly: 6 });
    for (const [turn, read] of (t.profile === "smoke" ? reads.slice(0, 1) : reads).entries())
      await t.verify(denied(read, { most: turn === 0 ? most : mostLater, turn }));
    const [first] = reads;
    if (t.profile !== "smoke" && first !== undefined && t.logsTarget.multiTenantQueries) {
      const tenant = `${t.logsTarget.tenantId}|${t.logsTarget.tenantId2}`;
      await t.verify(denied({ ...first, tenant }, { most: 2, turn: 0 }));
    }
    if (t.profile !== "smoke") await t.verify(deniedPush({ most: mostLater, turn: reads.length }));
  },
});

export const LOG_AUTHENTICATION_CHECKS: readonly Check[] = [noAuthentication, withTenant, withBasic];

/** After wrong credentials, a service may refuse all requests for some time. So these checks are the last. */
export const WRONG_LOG_CREDENTIALS: readonly Check[] = [enforced];

const overload = largerCheck({
  slug: "overload-and-recover",
  title: "requests above the rate limit are answered 429, and succeed after retries with growing waits",
  clauses: ["logs-7.429", "logs-7.429-recovery", "logs-7.429-accepted"],
  phase: "disruptive",
  unless: ({ logs }) => (logs?.expectRateLimit === true ? null : "LOGS_EXPECT_RATE_LIMIT is not set"),
  async run(t) {
    await t.use(hello);
    await t.verify(overloaded);
  },
});

export const RATE_LIMIT_CHECKS: readonly Check[] = [overload];

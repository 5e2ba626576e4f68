/** docs/2 section 5: no authentication, a tenant on every request, several tenants at once, Basic credentials. */
import { type Answered, isSuccess, statusOf } from "../../src/client/exchange.ts";
import type { LogsOverride } from "../../src/client/logs.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Difference } from "../../src/model/difference.ts";
import { countEntries } from "../../src/model/logs.ts";
import { logQueryText, sumText } from "../../src/model/query-text.ts";
import type { Settings } from "../../src/settings/types.ts";
import { tallyDifferences } from "../tally.ts";
import { streamsOf } from "./answers.ts";
import { hello, logsCheck } from "./check.ts";
import { RUN_LABEL, SET_LABEL, store, stored, wholeQuery } from "./datasets.ts";

function tallyCheck(slug: string, title: string, clause: ClauseId, unless: (settings: Settings) => string | null): Check {
  return logsCheck({
    slug,
    title,
    clauses: [clause],
    phase: "closing",
    unless,
    async run(t) {
      await t.use(hello);
      const { differences, exchanges } = tallyDifferences(t.tally, clause);
      if (t.tally.successes === 0) return t.inconclusive("no request succeeded in this mode");
      t.judge(clause, differences, { exchanges });
    },
  });
}

const noAuthentication = tallyCheck(
  "without-credentials",
  "requests without credentials are not refused now and then",
  "logs-5.1",
  ({ logs }) =>
    logs?.credentials === null && logs.tenantId === null
      ? null
      : "credentials or a tenant are configured, so this is no single-tenant deployment without authentication",
);

const withTenant = tallyCheck("with-tenant", "requests with the tenant header are not refused now and then", "logs-5.2a", ({ logs }) =>
  logs === null || logs.tenantId === null ? "LOGS_TENANT_ID is not set" : null,
);

const withBasic = tallyCheck("documented-form", "requests with user and token are not refused now and then", "logs-5.3", ({ logs }) =>
  logs === null || logs.credentials === null ? "LOGS_USER is not set" : null,
);

const WRONG_TOKEN = "plumbline-no-such-token";

const enforced = logsCheck({
  slug: "enforced",
  title: "requests without the token do not succeed",
  clauses: ["logs-5.3"],
  unless: ({ logs }) =>
    logs?.authEnforced !== true
      ? "LOGS_AUTH_ENFORCED is not set"
      : logs.credentials === null
        ? "LOGS_USER is not set, so there is no token to leave out"
        : null,
  async run(t) {
    const dataset = stored(await t.use(hello));
    const user = t.logsTarget.credentials?.user ?? "";
    const changes: readonly { readonly what: string; readonly override: LogsOverride }[] = [
      { what: "no credentials", override: { credentials: null } },
      { what: "a wrong token", override: { credentials: { user, token: WRONG_TOKEN } } },
      { what: "the token and one character more", override: { credentials: { user, token: `${t.logsTarget.credentials?.token ?? ""}-` } } },
    ];
    const paths: readonly (readonly [path: string, parameters: Record<string, string>])[] = [
      ["query_range", { query: wholeQuery(dataset), start: dataset.start.toString(), end: dataset.end.toString() }],
      ["query", { query: sumText("count_over_time", { matchers: dataset.matchers, filters: [] }, 600), time: dataset.end.toString() }],
      ["labels", {}],
      [`label/${RUN_LABEL}/values`, {}],
    ];
    const smoke = t.settings.profile === "smoke";
    for (const [path, parameters] of smoke ? paths.slice(0, 1) : paths) {
      const twin = await answered(t, () => t.logs.probe(path, path, parameters));
      if (!isSuccess(twin)) return t.inconclusive(`precondition: ${path} with the token is answered ${statusOf(twin)}`);
      for (const { what, override } of changes) {
        const answer = await t.logs.probe(`${path} with ${what}`, path, parameters, override);
        t.judge("logs-5.3", mustFail(answer, `${path} with ${what}`, "logs-5.3"), { exchanges: [twin, answer] });
      }
    }
    if (smoke) return;
    const twin = stored(await store(t, "authenticated", { pushes: [[{ labels: {}, entries: [{ offset: 1n, line: "accepted" }] }]] }));
    const body = JSON.stringify({
      streams: [{ stream: { [RUN_LABEL]: t.run.runId, [SET_LABEL]: "refused" }, values: [[(twin.anchor + 1n).toString(), "refused"]] }],
    });
    for (const { what, override } of changes) {
      const answer = await t.logs.probePush(`push with ${what}`, body, override);
      t.judge("logs-5.3", mustFail(answer, `push with ${what}`, "logs-5.3"), { exchanges: [answer] });
    }
    await t.run.pause(t.run.patience("logs").windowMs);
    const matchers = [
      { name: RUN_LABEL, operator: "=", value: t.run.runId },
      { name: SET_LABEL, operator: "=", value: "refused" },
    ] as const;
    const kept = await t.logs.queryRange({ query: logQueryText({ matchers, filters: [] }), start: twin.start, end: twin.end, limit: 10 });
    const entries = countEntries(streamsOf(kept).streams ?? []);
    t.judge(
      "logs-5.3",
      entries === 0
        ? []
        : [{ clause: "logs-5.3", path: "data.result", expected: "nothing of a refused push", actual: `${entries} entries of it` }],
      { exchanges: [kept] },
    );
  },
});

/** A valid request, again while it is answered 5xx: passing trouble says nothing about credentials. */
async function answered(t: CheckContext, send: () => Promise<Answered>): Promise<Answered> {
  let answer = await send();
  for (let attempt = 0; attempt < 4 && statusOf(answer) >= 500; attempt += 1) {
    await t.run.pause(t.run.transport("logs").pauseAfter(attempt));
    answer = await send();
  }
  return answer;
}

function mustFail(answer: Answered, what: string, clause: ClauseId): Difference[] {
  return isSuccess(answer) ? [{ clause, path: "status", expected: `no success for ${what}`, actual: `status ${statusOf(answer)}` }] : [];
}

export const MODE_CHECKS: readonly Check[] = [noAuthentication, withTenant, withBasic, enforced];

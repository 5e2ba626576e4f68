/**
 * Judges whether a service accepts the configured credentials for all requests of an operation, and not only for some. Sends requests with
 * wrong credentials to the log API. The control is the same request with the right credentials.
 */
import { type Exchange, isSuccess, jsonOf, type Answered, statusOf } from "../client/exchange.ts";
import { Inconclusive, orInconclusive, untilAnswered } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { type Difference, difference, wrongStatus } from "../model/difference.ts";
import { isObject } from "../model/json.ts";
import { alteredTokens } from "../client/credentials.ts";
import { type LogsOverride, pushBody } from "../client/logs.ts";
import { expecting } from "../harness/expect.ts";
import { type Finding, together } from "../harness/finding.ts";
import { countEntries, exactly } from "../model/logs.ts";
import { logQueryText, sumText } from "../model/query-text.ts";
import { range } from "../datasets/requests.ts";
import { masked } from "../datasets/masking.ts";
import { type Dataset, RUN_LABEL, setLabels, stored, wholeQuery } from "../datasets/datasets.ts";
import { store } from "../datasets/dataset-pushes.ts";

/**
 * Each operation must accept the credentials always or never. Status 401 refuses the credentials. Status 403 counts as such a refusal only
 * after the same read was accepted, because a quota or a gateway may also answer 403. Throws `Inconclusive` if no request succeeded.
 */
export function credentialsTaken(clause: ClauseId, read: (scope: Scope) => Promise<unknown> = async () => null): Assertion {
  return async (scope) => {
    const { tally } = scope;
    // A refusal of this read counts like those of all other requests.
    await orInconclusive(
      async () => read(scope),
      async () => null,
    );
    const differences: Difference[] = [];
    const exchanges: Exchange[] = [];
    for (const [operation, { succeeded, denied, firstDenial, firstForbidden, firstSuccess }] of tally.operations) {
      if (firstSuccess !== null) exchanges.push(firstSuccess);
      const refusal = firstDenial ?? firstForbidden;
      // With a token, a service may always deny an operation, because the documents do not define token permissions. Without
      // authentication, no operation may be denied.
      if (succeeded === 0 && clause === "logs-5.1" && refusal !== null) {
        const actual = `status ${refusal.response.status}`;
        differences.push(difference(clause, operation, "no authentication needed, as for the other operations", actual, "status"));
        exchanges.unshift(refusal);
      }
      if (succeeded === 0 || firstDenial === null) continue;
      const what = clause === "logs-5.1" ? "requests without credentials" : "the same credentials";
      const expected = `${what} accepted every time, as in ${succeeded} other requests`;
      const actual = `status ${firstDenial.response.status} in ${denied === 1 ? "one request" : `${denied} requests`}`;
      differences.push(wrongStatus(clause, expected, actual));
      exchanges.unshift(firstDenial);
    }
    // A server may send an HTML page to everyone. So only a success with a JSON object shows that credentials are accepted.
    if (!exchanges.some((exchange) => isSuccess(exchange) && isObject(jsonOf(exchange))))
      throw new Inconclusive("no request with the documented credentials was answered as documented");
    return { clauses: [clause], differences, exchanges };
  };
}

interface Wrong {
  readonly what: string;
  readonly override: LogsOverride;
}

/** `most` is the number of wrong credentials to try. `turn` rotates the list of them, so that each check tries different ones. */
interface Tried {
  readonly most: number;
  readonly turn: number;
}

/** Returns the wrong credentials to try: none at all, and the right user with wrong tokens. */
function wrongCredentials({ logsTarget }: Scope, { most, turn }: Tried): Wrong[] {
  if (logsTarget.credentials === null) throw new Error("no credentials to change");
  const { user, token, tokenName } = logsTarget.credentials;
  const altered = alteredTokens(token, `$${tokenName}`).map(({ what, ...made }) => ({
    what,
    override: { credentials: { user, ...made } },
  }));
  const [wrong, ...nearlyRight] = altered;
  const first = turn % nearlyRight.length;
  const plain = [{ what: "no credentials", override: { credentials: null } }, ...(wrong === undefined ? [] : [wrong])];
  return [...plain, ...nearlyRight.slice(first), ...nearlyRight.slice(0, first)].slice(0, most);
}

interface PlainRead {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** The tenant ids in the header of the read. The default is the tenant of the run. */
  readonly tenant?: string;
}

export function readsOf(dataset: Dataset): PlainRead[] {
  return [
    { path: "query_range", parameters: { query: wholeQuery(dataset), start: dataset.start.toString(), end: dataset.end.toString() } },
    {
      path: "query",
      parameters: { query: sumText("count_over_time", { matchers: dataset.matchers, filters: [] }, "10m"), time: dataset.end.toString() },
    },
    { path: "labels", parameters: {} },
    { path: `label/${RUN_LABEL}/values`, parameters: {} },
  ];
}

function asTenant(tenant: string | undefined): LogsOverride {
  return tenant === undefined ? {} : { tenant };
}

function mustFail(answer: Answered, what: string): Difference[] {
  return isSuccess(answer) ? [wrongStatus("logs-5.3", `no success for ${what}`, `status ${statusOf(answer)}`)] : [];
}

/** A read with wrong credentials must fail. Throws `Inconclusive` if the same read also fails with the right credentials. */
export function denied(read: PlainRead, tried: Tried): Assertion {
  return async (scope) => {
    const twin = await tokenTaken(scope, read);
    const { path, parameters, tenant } = read;
    const findings: Finding[] = [];
    for (const { what, override } of wrongCredentials(scope, tried)) {
      const answer = await scope.logs.probe(`${path} with ${what}`, path, parameters, { ...override, ...asTenant(tenant) });
      findings.push({ clauses: ["logs-5.3"], differences: mustFail(answer, `${path} with ${what}`), exchanges: [answer, twin] });
    }
    return together(findings);
  };
}

/** Returns an assertion that pushes with wrong credentials fail and store no entries. */
export function deniedPush(tried: Tried): Assertion {
  return async (scope) => {
    const plain = { path: "labels", parameters: {} };
    await tokenTaken(scope, plain);
    const twin = stored(await store(scope, "authenticated", { pushes: [[{ labels: {}, entries: [{ offset: 1n, line: "accepted" }] }]] }));
    const labels = setLabels(scope, "refused");
    const findings: Finding[] = [];
    for (const { what, override } of wrongCredentials(scope, tried)) {
      const body = pushBody([{ labels, entries: [{ ts: twin.anchor + 1n, line: "refused" }] }]);
      // A push that is refused for its credentials stores nothing, so it can be repeated.
      const answer = await untilAnswered(async () => scope.logs.probePush(`push with ${what}`, body, override));
      findings.push({ clauses: ["logs-5.3"], differences: mustFail(answer, `push with ${what}`), exchanges: [answer, ...twin.pushes] });
    }
    const held = expecting({
      clauses: "logs-5.3",
      of: { name: "refused", lastWriteAt: performance.now() },
      when: "settled",
      ask: range({ query: logQueryText({ matchers: exactly(labels), filters: [] }), start: twin.start, end: twin.end, limit: 10 }),
      expect: (streams) => {
        const entries = countEntries(streams);
        return entries === 0 ? [] : [difference("logs-5.3", "data.result", "no entry of a refused push", `${entries} entries`, "foreign")];
      },
    });
    // Accepted wrong credentials are reported first, even if the service refuses the right token afterwards.
    if (findings.some(({ differences }) => differences.length > 0)) return together(findings);
    await tokenTaken(scope, plain);
    await scope.othersFirst();
    return together([...findings, await held(scope)]);
  };
}

/**
 * Retries the read with the right credentials, because a service may refuse all requests for a while after wrong ones.
 * Throws `Inconclusive` if the read still fails after `SETTLE_TIMEOUT_MS`.
 */
async function tokenTaken(scope: Scope, { path, parameters, tenant }: PlainRead): Promise<Answered> {
  const deadline = performance.now() + scope.settings.settleTimeoutMs;
  for (let attempt = 0; ; attempt += 1) {
    const answer = await scope.logs.probe(path, path, parameters, asTenant(tenant));
    if (isSuccess(answer)) return answer;
    await masked(scope, answer, { query: parameters["query"] ?? "" });
    if (performance.now() > deadline)
      throw new Inconclusive(`precondition not met: ${path} with the token is answered ${statusOf(answer)}`);
    await scope.run.pause(scope.run.transport("logs").pauseAfter(attempt));
  }
}

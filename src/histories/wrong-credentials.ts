/** Sends requests to the admin API with wrong credentials. Each of these requests must fail and change nothing. */
import { type Answered, isSuccess, statusOf } from "../client/exchange.ts";
import { alteredTokens, type Credentials } from "../client/credentials.ts";
import { Inconclusive, precondition } from "../client/inconclusive.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { type Difference, show, wrongStatus } from "../model/difference.ts";
import type { JsonObject } from "../model/json.ts";
import { type Instance, nameOf, payloadOf } from "./instances.ts";
import { type PoolInstance, onPoolInstance } from "./instance-pool.ts";
import { bodyOf, readSettled, shownBy } from "./reading.ts";

interface Wrong {
  readonly what: string;
  readonly credentials: Credentials;
}

/** Returns the first `most` kinds of wrong credentials: no credentials, and wrong tokens. */
function wrongCredentials({ adminTarget }: Scope, most: number): Wrong[] {
  const altered = alteredTokens(adminTarget.token, `$${adminTarget.tokenName}`).map(({ what, token, printed }): Wrong => ({
    what,
    credentials: { kind: "basic", user: "", password: token, printed },
  }));
  const [wrong, ...nearlyRight] = altered;
  // A service may accept any password for a user that it does not know.
  const ofUser =
    wrong?.credentials.kind === "basic"
      ? [{ what: `${wrong.what} of a user`, credentials: { ...wrong.credentials, user: "plumbline" } }]
      : [];
  const none: Wrong = { what: "no credentials", credentials: { kind: "none" } };
  return [none, ...(wrong === undefined ? [] : [wrong]), ...ofUser, ...nearlyRight].slice(0, most);
}

/**
 * Waits for the right token, because a service may refuse all requests for a while after wrong credentials.
 * Throws `Inconclusive` if the right token is still refused after `SETTLE_TIMEOUT_MS`.
 */
async function tokenTaken(scope: Scope, instance: Instance): Promise<void> {
  const deadline = performance.now() + scope.settings.settleTimeoutMs;
  for (let attempt = 0; ; attempt += 1) {
    const read = await scope.admin.probe("read instance after wrong credentials", "GET", instance.name);
    if (isSuccess(read)) return;
    if (performance.now() > deadline)
      throw new Inconclusive(`after requests with wrong credentials, a read with the right credentials was answered ${statusOf(read)}`);
    await scope.run.pause(scope.run.transport("admin").pauseAfter(attempt));
  }
}

/** Sends a read and an update with each of the first `most` wrong credentials, and two creates. A smoke run sends fewer of these requests. */
export function denied(most: number): Assertion {
  return onPoolInstance([], async (scope, borrowed) => {
    const { instance } = borrowed;
    const before = await readSettled(scope, instance);
    if (!isSuccess(before)) throw precondition(`a read with the token is answered ${statusOf(before)}`);
    const findings: Finding[] = [];
    const isSmoke = scope.settings.profile === "smoke";
    for (const [index, wrong] of wrongCredentials(scope, most).entries())
      findings.push(...(await deniedRequests(scope, borrowed, wrong, { before, isUpdated: !isSmoke || index === 0 })));
    // Accepted wrong credentials are reported first, even if the service refuses the right token afterwards.
    if (findings.some(({ differences }) => differences.length > 0)) return together(findings);
    await tokenTaken(scope, instance);
    // An accepted create leaves an instance behind, so only a few are tried.
    if (!isSmoke)
      for (const [index, wrong] of wrongCredentials(scope, 2).entries())
        findings.push(await deniedCreate(scope, instance, wrong, `u${index || ""}`));
    await scope.othersFirst();
    findings.push(await unchanged(instance, before)(scope));
    return together(findings);
  });
}

function mustFail(answer: Answered, what: string, before: Answered): Finding {
  const expected = `no success for ${what}`;
  return {
    clauses: ["admin-5.1"],
    differences: isSuccess(answer) ? [wrongStatus("admin-5.1", expected, `status ${statusOf(answer)}`)] : [],
    exchanges: [answer, before],
  };
}

/** No other update sends a display name that begins with this text. */
const DENIED = "Plumbline without token";

async function deniedRequests(
  scope: Scope,
  { instance }: PoolInstance,
  { what, credentials }: Wrong,
  { before, isUpdated }: { readonly before: Answered; readonly isUpdated: boolean },
): Promise<Finding[]> {
  const read = await scope.admin.probe(`read instance with ${what}`, "GET", instance.name, undefined, credentials);
  const findings = [mustFail(read, `a read with ${what}`, before)];
  if (!isUpdated) return findings;
  const payload = payloadOf(instance, `${DENIED} ${scope.unique()}`);
  const match = await scope.admin.condition(instance.name);
  const update = await scope.admin.probe(`update instance with ${what}`, "PUT", instance.name, payload, credentials, match);
  instance.lastWriteAt = update.endedAt;
  return [...findings, mustFail(update, `an update with ${what}`, before)];
}

function unchanged(instance: Instance, before: Answered): Assertion {
  const was = bodyOf(before, "admin-4.GET").body?.["display_name"];
  const expect = (body: JsonObject): Difference[] => {
    const shown = body["display_name"];
    if (typeof shown !== "string" || !shown.startsWith(DENIED)) return [];
    const expected = `${show(was)}, because each update with wrong credentials was refused`;
    const actual = `${show(shown)}, the value of an update with wrong credentials`;
    return [{ clause: "admin-5.1", path: "display_name", expected, actual }];
  };
  return shownBy(instance, "admin-5.1", expect, { when: "settled" });
}

async function deniedCreate(scope: Scope, instance: Instance, { what, credentials }: Wrong, suffix: string): Promise<Finding> {
  const name = nameOf(scope, suffix);
  const answer = await scope.admin.probeCreate(`create instance with ${what}`, name, { name, ...payloadOf(instance, name) }, credentials);
  const refused = mustFail(answer, `a create with ${what}`, answer);
  if (refused.differences.length > 0) return refused;
  await tokenTaken(scope, instance);
  const made = await scope.admin.probe("read an instance whose create was refused", "GET", name);
  const expected = "no instance, because its create was refused";
  // The documents do not define the response for an unknown instance. So a success alone does not show that the instance was created.
  const { body } = bodyOf(made, "admin-4.GET");
  if (body === null || ![body["name"], body["display_name"]].includes(name)) return { ...refused, exchanges: [answer, made] };
  const differences = [wrongStatus("admin-5.1", expected, `status ${statusOf(made)}`)];
  return { ...refused, differences, exchanges: [made, answer] };
}

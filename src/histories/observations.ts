/** Sends requests about which the admin document is silent. The responses are recorded and never judged. */
import { untilAnswered } from "../client/inconclusive.ts";
import type { Credentials } from "../client/credentials.ts";
import { type Answered, jsonOf, statusOf } from "../client/exchange.ts";
import { isLimitName, type Limits } from "../contract/limits.ts";
import type { Scope } from "../harness/scope.ts";
import { isObject } from "../model/json.ts";
import type { FilledLimits } from "./filled-limits.ts";
import { type Instance, nameOf, newName, payloadOf, STATUS, update } from "./instances.ts";
import { withInstance } from "./instance-pool.ts";

/** Returns the parts of a response that do not differ between runs. */
export function answerShape(answer: Answered): Record<string, unknown> {
  const body = jsonOf(answer);
  return {
    status: statusOf(answer),
    contentType: answer.response.headers["content-type"] ?? null,
    etag: answer.response.headers["etag"] !== undefined,
    body: isObject(body) ? Object.keys(body).toSorted() : answer.response.body === "" ? "empty" : body === undefined ? "text" : typeof body,
  };
}

interface CredentialsForm {
  readonly slug: string;
  readonly credentials: Credentials;
}

export const OTHER_FORMS: readonly CredentialsForm[] = [
  { slug: "another-username", credentials: { kind: "token-as", user: "plumbline" } },
  { slug: "bearer", credentials: { kind: "bearer" } },
  { slug: "none", credentials: { kind: "none" } },
];

export function otherForm({ name }: Instance, { slug, credentials }: CredentialsForm): (scope: Scope) => Promise<number> {
  return async ({ admin }) => statusOf(await admin.probe(`read instance (${slug})`, "GET", name, undefined, credentials));
}

/** Returns a probe that resolves to the response to a create with an existing name. */
export function duplicateCreate(instance: Instance): (scope: Scope) => Promise<unknown> {
  return async ({ admin }) =>
    answerShape(
      await admin.probe("create instance again", "POST", "", { name: instance.name, ...payloadOf(instance, instance.displayName) }),
    );
}

export async function listInstances({ admin }: Scope): Promise<number> {
  return statusOf(await admin.probe("list instances", "GET", ""));
}

export async function unknownInstance({ admin, run }: Scope): Promise<unknown> {
  return answerShape(await admin.probe("read unknown instance", "GET", `plb-${run.runId}-none`));
}

/** Limits that no other create sends. */
const WRONGLY_SENT: Limits = { ingestion_burst_size: 54_321, max_series_per_metric: 65_432, ha_cluster_label: "incomplete" };

/** Sends a create that should be refused. Each attempt has a new name, because a create without a response may have taken effect. */
async function refusedCreate(scope: Scope, suffix: string, operation: string, body: object): Promise<Answered> {
  return untilAnswered(async (attempt) => {
    const name = nameOf(scope, attempt === 0 ? suffix : `${suffix}-${attempt}`);
    return scope.admin.probeCreate(operation, name, { name, ...body, status: STATUS, cluster: scope.adminTarget.cluster });
  });
}

export async function incompleteCreate(scope: Scope, suffix: string): Promise<Answered> {
  return refusedCreate(scope, suffix, "create instance without display_name", { limits: WRONGLY_SENT });
}

/** Sends a create with limits, one of them with a wrong type. */
export async function wrongCreate(scope: Scope, suffix: string): Promise<Answered> {
  const limits = { ...WRONGLY_SENT, ingestion_rate: "many" };
  return refusedCreate(scope, suffix, "create instance with a limit of a wrong type", { display_name: "plumbline", limits });
}

const PRECONDITION_FAILED = 412;

interface OddUpdate {
  readonly slug: string;
  readonly title: string;
  readonly extra: (instance: Instance) => Readonly<Record<string, unknown>>;
}

export const ODD_UPDATES: readonly OddUpdate[] = [
  { slug: "unknown-limit", title: "a limit outside the table", extra: () => ({ limits: { plumbline_no_such_limit: 1 } }) },
  { slug: "wrong-type", title: "a limit of a wrong type", extra: () => ({ limits: { ingestion_rate: "many" } }) },
  { slug: "empty-limits", title: "limits: {}", extra: () => ({ limits: {} }) },
  { slug: "null-limits", title: "limits: null", extra: () => ({ limits: null }) },
  { slug: "name-in-update", title: "name in the body of an update", extra: ({ name }) => ({ name }) },
];

/** Sends an undocumented update, with an If-Match header if the service has ETags. Resolves to the response. */
export async function probedUpdate(scope: Scope, instance: Instance, what: string, body: unknown): Promise<Answered> {
  let match = await scope.admin.condition(instance.name);
  // The previous unusual update may have changed the instance, so its ETag is read first.
  if ("if-match" in match) {
    await scope.admin.read(instance.name);
    match = await scope.admin.condition(instance.name);
  }
  const send = async (headers: Readonly<Record<string, string>>): Promise<Answered> =>
    scope.admin.probe(`update instance (${what})`, "PUT", instance.name, body, { kind: "configured" }, headers);
  const first = await send(match);
  // The ETag may be old, because a read may be stale. So the second request accepts each state: `If-Match: *`.
  const answer = statusOf(first) === PRECONDITION_FAILED ? await send({ "if-match": "*" }) : first;
  instance.lastWriteAt = answer.endedAt;
  return answer;
}

/** Resolves to the responses to unusual updates, by slug. */
export async function oddUpdates(scope: Scope): Promise<ReadonlyMap<string, unknown>> {
  return withInstance(scope, async (borrowed) => {
    const { instance } = borrowed;
    const shapes = new Map<string, unknown>();
    for (const { slug, extra } of ODD_UPDATES) {
      const body = { ...payloadOf(instance, "Plumbline"), ...extra(instance) };
      shapes.set(slug, answerShape(await probedUpdate(scope, instance, slug, body)));
    }
    await scope.admin.read(instance.name);
    await update(scope, instance, newName(scope));
    return shapes;
  });
}

/** Returns the limits outside the table that reads show. */
export function extraLimits({ views }: FilledLimits): string[] {
  return [...new Set(views.flatMap(({ limits }) => Object.keys(limits ?? {}).filter((name) => !isLimitName(name))))].toSorted();
}

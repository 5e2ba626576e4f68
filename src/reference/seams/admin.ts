/** Requests to the admin API at the edges of values, names and numbers, as other clients write them, with tokens almost right. */
import { GLOBAL_DEFAULTS } from "../admin/base.ts";
import { type Answer, basicHeader, type Bench, TOKEN } from "../testing.ts";
import type { Transcript } from "./script.ts";

type Body = Readonly<Record<string, unknown>>;

const CLUSTER = { status: "active", cluster: "bench" };
const LIMITS = { ingestion_rate: 10, ingestion_burst_size: 20, s3_sse_type: "x", max_series_per_user: 3, reject_old_samples: false };
const TEXT = 'größe/日本 "😀"';

/** Texts that mean something to another reader than the service. */
const READ_OTHERWISE = [
  "%41b",
  "a #b",
  "a: b",
  "- b",
  "7e3",
  "yes",
  "&amp;",
  String.raw`a\nb`,
  "zero\u200bwidth",
  "a\u00a0b",
  "control \u0001",
  '"quoted"',
  "$& and $$",
  "指標の名前".repeat(40),
  "指標の名前".repeat(300),
  "plain",
  "Case",
  "case",
  "cas",
];

/** How other clients write a body. */
export const SPELLINGS: readonly ((value: unknown) => string)[] = [
  (value) => JSON.stringify(value, null, 2),
  (value) => JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, " "),
  (value) => JSON.stringify(reversed(value)),
  (value) => JSON.stringify(value).replaceAll(/:(\d+)(?=[,}])/g, ":$10e-1"),
  (value) => JSON.stringify(value).replaceAll(/:(\d+)(?=[,}])/g, ":$1.0"),
  (value) =>
    JSON.stringify(value)
      .replaceAll(/[^\p{ASCII}]/gu, (character) => escapesOf(character).join(""))
      .replaceAll("/", String.raw`\/`),
  (value) =>
    JSON.stringify(value).replaceAll(/[^\p{ASCII}]/gu, (character) =>
      escapesOf(character)
        .map((escape) => escape.toUpperCase().replace(String.raw`\U`, String.raw`\u`))
        .join(""),
    ),
  (value) => JSON.stringify(value).replaceAll(String.raw`\"`, String.raw`\u0022`),
  (value) => JSON.stringify(value).replaceAll(/(?<=[{,]"\w+)":/g, '" :'),
  (value) => JSON.stringify(value).replaceAll(/(?<=[{,]")[a-z]/g, (letter) => escapesOf(letter).join("")),
];

function escapesOf(character: string): string[] {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`);
}

/** The value with the members of every object in the reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

/** What is below a second differs from server to server; its form does not. */
function seen({ status, text }: Answer): string {
  return `${status} ${text.replace(/("created_at":")([^"]*)/, (_whole, before: string, time: string) => before + time.replace(/\.\d+/, (part) => part.replaceAll(/\d/g, "0")))}`;
}

/** What the server answers; `clock` is its time. */
export async function adminRequests(bench: Bench, clock: { ms: number }, transcript: Transcript): Promise<void> {
  const ask = async (method: string, name: string, body?: Body, token?: string): Promise<void> => {
    const headers = token === undefined ? undefined : basicHeader("", token);
    transcript.add(`${method} ${name} ${seen(await bench.admin(method, name, body, headers))}`);
  };
  const create = async (name: string, limits?: Body, display = name): Promise<void> => {
    await ask("POST", "", { name, display_name: display, ...CLUSTER, ...(limits === undefined ? {} : { limits }) });
    await ask("GET", name);
  };
  const update = async (name: string, limits?: Body, display = name): Promise<void> => {
    await ask("PUT", name, { display_name: display, ...CLUSTER, ...(limits === undefined ? {} : { limits }) });
    await ask("GET", name);
  };
  const together = async (actions: readonly (() => Promise<Answer>)[]): Promise<void> => {
    const answers = await Promise.all(actions.map(async (action) => action()));
    transcript.add(...answers.map(({ status }) => `${status}`));
  };

  await create("plain");
  await create("limited", LIMITS);
  await create("one", { ingestion_rate: 7 });
  await create("defaults", GLOBAL_DEFAULTS);
  await create("a-default", { ingestion_rate: GLOBAL_DEFAULTS["ingestion_rate"] });
  for (const display of ['say "hi" / there', "  two  blanks ", TEXT, "long ".repeat(20)])
    await create(`named-${transcript.seen.length}`, undefined, display);
  for (const [index, name] of [
    "alike-alike-alike-alike-alike-a",
    "alike-alike-alike-alike-alike-b",
    "alike-alike-alike-alikealike-a",
    "alike-alike-alike-alike-alike-07",
    "alike-alike-alike-alike-alike-7",
  ].entries()) {
    await create(name, { ingestion_rate: index });
  }
  for (const name of ["name--dashes", "name-dash-", "n".repeat(40)]) await create(name);
  await create("namesake", { ingestion_rate: 9 }, "plain");
  for (const name of ["one-plain", "plain-one"]) {
    await create(name, undefined, name.repeat(60));
    await update(name, undefined, `${name} renamed`);
  }
  await create("na-mesake", { ingestion_rate: 10 });
  const many = Array.from({ length: 14 }, (_, index) => `one-of-many-${index}`);
  for (const name of many) await create(name);
  for (let round = 0; round < 2; round += 1) for (const name of ["namesake", ...many]) await ask("GET", name);

  const values = { ingestion_rate: Number.MAX_SAFE_INTEGER, s3_sse_type: ` ${TEXT} `, per_tenant_override_config: "t".repeat(300) };
  await update("plain", {
    ...values,
    s3_sse_kms_key_id: "t".repeat(1_100),
    drop_labels: Array.from({ length: 10 }, (_, index) => `l${index}`),
  });
  await update("plain", { s3_sse_kms_key_id: "null", ha_cluster_label: "007", ha_replica_label: "1.0", ingestion_tenant_shard_size: 1 });
  const pairs = { ingestion_rate: 11, ingestion_burst_size: 21, max_series_per_user: 31, max_global_series_per_user: 41 };
  const more = { reject_old_samples: true, reject_old_samples_max_age: 5, max_samples_per_query: 6, max_chunks_per_query: 7 };
  await update("limited", { ...pairs, ...more, accept_ha_samples: true, ha_max_clusters: 8 }, "renamed");
  clock.ms += 2_000;
  await ask("GET", "limited");
  await update("limited");
  for (let round = 0; round < 52; round += 1) await update("plain", undefined, `round ${round}`);

  for (let round = 0; round < 4; round += 1) {
    const names = ["plain", "one", "defaults", "namesake"];
    await together(
      names.map(
        (name) => async () => bench.admin("PUT", name, { display_name: `${name} ${round}`, ...CLUSTER, limits: { ingestion_rate: round } }),
      ),
    );
    for (const name of names) await ask("GET", name);
    const fresh = [0, 1, 2].map((index) => `fresh-${round}-${index}`);
    await together(
      fresh.map(
        (name, index) => async () => bench.admin("POST", "", { name, display_name: name, ...CLUSTER, limits: { ingestion_rate: index } }),
      ),
    );
    for (const name of fresh) await ask("GET", name);
  }

  await together([
    async () => bench.admin("GET", "one"),
    async () => bench.admin("PUT", "one", { display_name: "while it is read", ...CLUSTER }),
    async () => bench.admin("GET", "one"),
  ]);
  await ask("GET", "one");
  for (let round = 0; round < 6; round += 1) await update("one", { ingestion_rate: 7 }, `equal ${round}`);
  await ask("PUT", "one", { display_name: "limited", ...CLUSTER, limits: { ingestion_rate: 8 } });
  await ask("PUT", "one", { display_name: "and right then not", ...CLUSTER });
  await ask("GET", "one");
  await together(
    [1, 2].map(
      (rival) => async () => bench.admin("PUT", "one", { display_name: `rival ${rival}`, ...CLUSTER, limits: { ingestion_rate: rival } }),
    ),
  );
  await ask("GET", "one");
  await ask("PUT", "one", { display_name: "refused", ...CLUSTER, limits: { ingestion_rate: "many" } });
  for (const ingestion_rate of [5, 6]) await update("one", { ingestion_rate });
  clock.ms += 2_000;
  await ask("GET", "one");
  for (const name of ["equal-1", "equal-2"]) await ask("POST", "", { name, display_name: name, ...CLUSTER, limits: { ingestion_rate: 9 } });
  await update("equal-1", { ingestion_rate: 10 });
  await ask("GET", "equal-2");
  await update("one", { max_query_lookback: "9d" });

  for (const label of ["first", "second"]) await update("plain", { drop_labels: [label] });
  for (const name of ["plain", "one"]) await update(name, pairs);
  await update("plain", more);
  await ask("GET", "one");

  for (const [index, display] of READ_OTHERWISE.entries()) {
    await create(`otherwise-${index}`, undefined, display);
    await update("plain", undefined, display);
  }
  await ask("POST", "", { name: "refused", ...CLUSTER, limits: pairs });
  await create("texts-only", { ha_cluster_label: "texts" });
  await create("after-refused", { accept_ha_samples: true });
  const names = {
    s3_sse_kms_key_id: "arn:aws:kms:us-east-1:111122223333:key/1",
    s3_sse_kms_encryption_context: "eyJkZXBhcnRtZW50IjoiMSJ9",
  };
  await update("plain", { ...names, drop_labels: ["__a", "b"] });
  await update("plain", { drop_labels: ["__a", "c"], s3_sse_kms_encryption_context: '{ "b": "1",  "a": "2" }' });
  await update("plain", { drop_labels: [] });
  for (const period of ["30d", "0d"]) await update("plain", { compactor_blocks_retention_period: period });
  await update("plain", { ha_cluster_label: "}{{" });
  await update("plain", { ingestion_rate: -1 });
  await update("plain", undefined, "no limits");
  for (let round = 0; round < 12; round += 1) await ask("GET", "one");

  for (const [index, spell] of SPELLINGS.entries()) {
    const body = spell({ name: `spelled-${index}`, display_name: TEXT, ...CLUSTER, limits: { ingestion_rate: 5 } });
    const headers = { ...basicHeader("", TOKEN), "content-type": "application/json" };
    transcript.add(seen(await bench.send("POST", "/admin/api/v1/instances", body, headers)));
    await ask("GET", `spelled-${index}`);
  }
  for (const [index, token] of ["", TOKEN.slice(0, -2), `${TOKEN}x`, TOKEN.toUpperCase(), "wrong-token"].entries()) {
    await ask("GET", "plain", undefined, token);
    await ask("POST", "", { name: `token-${index}`, display_name: "x", ...CLUSTER }, token);
    await ask("PUT", "one", { display_name: `token ${index}`, ...CLUSTER }, token);
    await ask("GET", `token-${index}`);
    await ask("GET", "one");
  }
}

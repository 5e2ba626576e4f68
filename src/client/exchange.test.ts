import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { asEvidence, type Exchange, jsonOf } from "./exchange.ts";
import { Redactor } from "./redact.ts";
import { adminBench, logsBench, type Received, serve, TOKEN } from "./testing.ts";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!hasCurl) process.stderr.write("no curl on this machine: the commands in evidence are not tried\n");

const LOG_TOKEN = "log-token$(echo 1)-5678";
const USER = 'us"e`r$HOME\\';
const GATEWAY = "gateway's value";

const redactor = new Redactor([
  { placeholder: "$METRICS_API_TOKEN", value: TOKEN, user: "" },
  { placeholder: "$LOGS_API_TOKEN", value: LOG_TOKEN, user: USER },
  { placeholder: "$EXTRA_HEADER_X_GATEWAY", value: GATEWAY },
]);

const SECRETS = { METRICS_API_TOKEN: TOKEN, LOGS_API_TOKEN: LOG_TOKEN, EXTRA_HEADER_X_GATEWAY: GATEWAY };
const SETTINGS = { settings: { extraHeaders: { "X-Gateway": GATEWAY } } };
const TRICKY = `it's "quoted" \`here\` $HOME $(exit 3) \\ @file !! ü`;

/** Runs a curl command in a shell whose variables have the secrets that the command names. */
async function run(command: string): Promise<void> {
  await promisify(execFile)("bash", ["-c", command], { env: { PATH: process.env["PATH"], ...SECRETS } });
}

const CONNECTION = new Set(["connection", "host", "content-length", "transfer-encoding"]);

/** Returns a received request without the headers that only its connection needs. */
function content(request: Received | undefined): unknown {
  const headers = Object.entries(request?.headers ?? {}).filter(([name]) => !CONNECTION.has(name));
  return { ...request, headers: Object.fromEntries(headers) };
}

test.skipIf(!hasCurl).each(["configured", "bearer", "none"] as const)(
  "the curl command in evidence repeats an admin request with credentials %s, and never has a secret",
  async (kind) => {
    const { url, received } = await serve(() => 200);
    const { client, exchanges } = adminBench(url, SETTINGS);
    await client.probe(
      "update instance",
      "PUT",
      "x'y",
      { display_name: TRICKY, status: "s", cluster: "c" },
      { kind },
      { "if-match": `"it's"` },
    );
    const evidence = asEvidence(exchanges[0] as Exchange, redactor);
    for (const secret of Object.values(SECRETS)) expect(JSON.stringify(evidence)).not.toContain(secret);
    expect(evidence.curl.includes("$METRICS_API_TOKEN")).toBe(kind !== "none");
    await run(evidence.curl);
    expect(content(received[1])).toEqual(content(received[0]));
  },
);

test.skipIf(!hasCurl)("the curl command in evidence repeats a read of the log API, with any user name", async () => {
  const { url, received } = await serve(() => 200);
  const { client, exchanges } = logsBench(
    url,
    { credentials: { user: USER, token: LOG_TOKEN, tokenName: "LOGS_API_TOKEN" }, tenantId: "a|b" },
    SETTINGS,
  );
  await client.queryRange({ query: `{a="${TRICKY}"}`, start: 1n, end: 2n });
  const evidence = asEvidence(exchanges[0] as Exchange, redactor);
  expect(evidence.curl).toContain(":$LOGS_API_TOKEN");
  expect(JSON.stringify(evidence)).not.toContain(LOG_TOKEN);
  await run(evidence.curl);
  expect(content(received[1])).toEqual(content(received[0]));
});

test.skipIf(!hasCurl)("the curl command names the variable that gave the token", async () => {
  const { url, received } = await serve(() => 200);
  const shared = new Redactor([{ placeholder: "$API_TOKEN", value: TOKEN, user: "" }]);
  const { client, exchanges } = adminBench(url, { tokenName: "API_TOKEN" });
  await client.probe("read instance", "GET", "a");
  const { curl } = asEvidence(exchanges[0] as Exchange, shared);
  expect(curl).toContain('-u ":$API_TOKEN"');
  await promisify(execFile)("bash", ["-c", curl], { env: { PATH: process.env["PATH"], API_TOKEN: TOKEN } });
  expect(content(received[1])).toEqual(content(received[0]));
});

test("evidence shows credentials by their variable, even if the target repeats them", async () => {
  const { url } = await serve(({ headers }) => ({
    status: 200,
    headers: { "x-echo": headers.authorization ?? "" },
    body: JSON.stringify(headers),
  }));
  const { client, exchanges } = adminBench(url, SETTINGS);
  await client.read("x");
  const { request, response } = asEvidence(exchanges[0] as Exchange, redactor);
  expect(request.headers).toMatchObject({ authorization: "Basic <base64 of :$METRICS_API_TOKEN>", "x-gateway": "$EXTRA_HEADER_X_GATEWAY" });
  expect(response?.headers["x-echo"]).toBe("Basic $METRICS_API_TOKEN");
  expect(response?.body).not.toContain(GATEWAY);
});

test("long bodies are cut, and very long bodies are not on the command line", async () => {
  const { url } = await serve(() => ({ status: 200, body: "b".repeat(100_000) }));
  const { client, exchanges } = adminBench(url);
  await client.probe("update instance", "PUT", "x", "a".repeat(50_000));
  const evidence = asEvidence(exchanges[0] as Exchange, redactor);
  expect(evidence.response?.body).toMatch(/^b{8192}… \(100000 characters\)$/);
  expect(evidence.request.body).toHaveLength(8_192 + "… (50002 characters)".length);
  expect(evidence.curl).toContain("--data-binary @body.json");
  expect(evidence.curl.length).toBeLessThan(1_000);
});

test("a body is parsed as JSON or is undefined, and a byte order mark is accepted", async () => {
  const bodies = ["\uFEFF{}", "[1", ""];
  const { url } = await serve((_request, index) => ({ status: 200, body: bodies[index] ?? "" }));
  const { client, exchanges } = adminBench(url);
  for (const name of ["a", "b", "c"]) await client.read(name);
  expect(exchanges.map(jsonOf)).toEqual([{}, undefined, undefined]);
});

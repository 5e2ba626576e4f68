/**
 * Tests runs against targets of several kinds: a single service, a service with TLS, and a service with DELETE. The runs overlap, because
 * each run mostly waits.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { BehaviourChange } from "../reference/behaviour.ts";
import { type ReferenceOptions, startReference } from "../reference/server.ts";
import type { Summary } from "../report/model.ts";
import { emptyFolder, plumbline } from "./testing.ts";

const TOKEN = "a-token-of-the-bench";
const ADMIN = { METRICS_API_TOKEN: TOKEN, METRICS_CLUSTER: "bench" };

interface Judged {
  readonly code: number | null;
  readonly stdout: string;
  readonly lastLine: string;
  readonly summary: Summary;
  readonly url: string;
}

/**
 * Starts a reference server, judges it with a smoke run, and stops it. `settings` makes the settings of the run from the address of the
 * server.
 */
async function judge(
  folder: string,
  settings: (url: string) => Readonly<Record<string, string>>,
  args: readonly string[] = [],
  options: ReferenceOptions = {},
): Promise<Judged> {
  const reference = await startReference({ token: TOKEN, cluster: "bench", ...options });
  const { code, stdout } = await plumbline(["run", ...args], { PROFILE: "smoke", ...settings(reference.url) }, folder);
  await reference.close();
  const summary = JSON.parse(readFileSync(join(folder, "reports/summary.json"), "utf8")) as Summary;
  return { code, stdout, lastLine: stdout.trimEnd().split("\n").at(-1) ?? "", summary, url: reference.url };
}

/** Returns the verdicts of the judged clauses of a document. */
function verdictsOf(summary: Summary, document: string): Set<string> {
  const judged = summary.clauses.filter((clause) => clause.document === document && clause.verdict !== "not-judged");
  return new Set(judged.map(({ verdict }) => verdict));
}

test.concurrent.for([
  { one: "admin", other: "logs", what: "admin API", settings: (base: string) => ({ METRICS_BASE_URL: base, ...ADMIN }) },
  { one: "logs", other: "admin", what: "log API", settings: (base: string) => ({ LOGS_BASE_URL: base }) },
])("if only the $what is configured, the $other clauses are not run, and the last line says so", async (row, { onTestFinished }) => {
  const { one, other, what, settings } = row;
  const { code, stdout, lastLine, summary, url } = await judge(emptyFolder(onTestFinished), settings);
  expect(code, stdout).toBe(0);
  expect(lastLine).toBe(`Judged: ${what} only, at ${url}`);
  expect(summary).toMatchObject({ verdict: "conformant", targets: { [one]: { baseUrl: url, kind: "remote" }, [other]: null } });
  expect(verdictsOf(summary, one)).toContain("pass");
  expect([...verdictsOf(summary, other)]).toEqual(["not-run"]);
});

/** Returns a new key and a self-signed certificate for 127.0.0.1. Returns null if this machine has no openssl. */
function selfSigned(): { readonly key: string; readonly cert: string } | null {
  const subject = ["-subj", "/CN=plumbline test", "-addext", "subjectAltName=IP:127.0.0.1"];
  const algorithm = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const { status, stdout } = spawnSync("openssl", ["req", "-x509", ...algorithm, "-days", "2", ...subject, "-keyout", "-", "-out", "-"], {
    encoding: "utf8",
  });
  if (status !== 0) return null;
  const [cert = ""] = /-----BEGIN CERTIFICATE-----[^]+-----END CERTIFICATE-----\n/.exec(stdout) ?? [];
  return { key: stdout.replace(cert, ""), cert };
}

const tls = selfSigned();
if (tls === null) process.stderr.write("no openssl on this machine: TLS targets are not tried\n");
const ONE_EACH = ["--only", "admin-4.GET,logs-4.labels"];

test
  .skipIf(tls === null)
  .concurrent("an untrusted certificate makes the run inconclusive, with the settings that help", async ({ onTestFinished }) => {
    const options = tls === null ? {} : { tls };
    const { code, stdout, summary } = await judge(
      emptyFolder(onTestFinished),
      (base) => ({ BASE_URL: base, API_TOKEN: TOKEN, METRICS_CLUSTER: "bench" }),
      ONE_EACH,
      options,
    );
    expect(code, stdout).toBe(3);
    expect(summary).toMatchObject({ verdict: "inconclusive", totals: { pass: 0, fail: 0 } });
    expect(stdout).toContain("TLS_CA_FILE");
    expect(stdout).toContain("TLS_INSECURE=true");
    // Repeating cannot help here, so the run sends only two requests, and creates no instance.
    expect(summary.run).toMatchObject({ requests: 2, instancesCreated: 0 });
  });

test.skipIf(tls === null).concurrent.for<{ readonly how: string; readonly settings: Readonly<Record<string, string>> }>([
  { how: "with its certificate in TLS_CA_FILE", settings: { TLS_CA_FILE: "ca.pem" } },
  { how: "with TLS_INSECURE", settings: { TLS_INSECURE: "true" } },
])("a self-signed TLS server is judged $how", async ({ settings }, { onTestFinished }) => {
  const folder = emptyFolder(onTestFinished);
  writeFileSync(join(folder, "ca.pem"), tls?.cert ?? "");
  const env = { API_TOKEN: TOKEN, METRICS_CLUSTER: "bench", ...settings };
  const { code, stdout, summary } = await judge(folder, (base) => ({ BASE_URL: base, ...env }), ONE_EACH, tls === null ? {} : { tls });
  expect(code, stdout).toBe(0);
  expect(summary).toMatchObject({ verdict: "conformant", totals: { pass: 2, fail: 0, inconclusive: 0 } });
  expect(summary.targets.admin?.baseUrl).toMatch(/^https:/);
});

/** A change that adds DELETE to the reference server. The document does not show DELETE. */
const DELETES: BehaviourChange = {
  id: "deletes",
  change: (base) => ({
    beforeHandle: (request, route) =>
      request.method === "DELETE" ? { status: 204, headers: {}, body: { kind: "none" } } : base.beforeHandle(request, route),
  }),
};

function cleaningUp(url: string): Readonly<Record<string, string>> {
  return { METRICS_BASE_URL: url, ...ADMIN, CLEANUP: "delete" };
}

test.concurrent.for([
  { how: "refuses DELETE", behaviours: [], reason: "status 405" },
  { how: "knows DELETE", behaviours: [DELETES], reason: null },
])("the cleanup at a server that $how is reported separately and judges nothing", async ({ behaviours, reason }, { onTestFinished }) => {
  const folder = emptyFolder(onTestFinished);
  const { code, stdout, summary } = await judge(folder, cleaningUp, ["--only", "admin-4.POST"], { behaviours });
  const created = readFileSync(join(folder, "reports/created.jsonl"), "utf8").trim().split("\n");
  const names = created.map((line) => (JSON.parse(line) as { readonly name: string }).name);
  expect(code, stdout).toBe(0);
  expect(stdout).toContain("instances are deleted afterwards where the service allows it");
  expect(summary.cleanup).toEqual(
    reason === null ? { deleted: names, failed: [] } : { deleted: [], failed: names.map((name) => ({ name, reason })) },
  );
  const [gone, held] = reason === null ? [names.length, 0] : [0, names.length];
  expect(stdout).toContain(`cleanup: ${gone} instances deleted, ${held} could not be deleted`);
});

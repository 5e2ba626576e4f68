#!/usr/bin/env node
/** `npm run bench`: compares the cost of the suite with bare loops of the same requests. Writes `reports/bench.json`. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { packageRoot } from "../model/schemas.ts";
import { FAULTS } from "../reference/faults/index.ts";
import type { Summary } from "../report/model.ts";
import type { BareWork } from "./bare.ts";
import { committedRatios, overBudgetTwice, type Ratios } from "./budget.ts";
import { type RecordedRequest, recordRelease } from "./recorded.ts";
import { startTarget, type Target, TOKEN } from "./target.ts";
import { median, medianUsage, type Usage, usageOf } from "./usage.ts";
import { OTHERS, ownCheck, READS } from "./whole.ts";

const HELP = `npm run bench -- [--runs N] [--latencies MS,MS,…] [--others FOLDER] [--fleet] [--out FOLDER] [--budget]
Measures the cost of the suite against a reference server in another process. Compares it with bare loops that send the same requests.
Each number is the median of N runs (default: 5). Prints a table and writes bench.json into FOLDER.

  --others FOLDER  also measure pactum and newman, if they are installed in node_modules below FOLDER
  --fleet          also run each fault once, until it is caught
  --budget         measure only the ratios of src/bench/budget.json; the command fails if a ratio is more than 25 % above its budget in
                   two measurements in a row
`;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "5" },
    latencies: { type: "string", default: "0,20,50,100" },
    others: { type: "string" },
    fleet: { type: "boolean", default: false },
    budget: { type: "boolean", default: false },
    out: { type: "string", default: "reports" },
    help: { type: "boolean", default: false },
  },
});

const RUNS = Number(values.runs);
const EXCHANGES = 2_000;
const CONCURRENCY = 8;
const DIST = join(packageRoot(), "dist/src");

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly beside: string;
  readonly ratio: number | null;
}

const rows: Row[] = [];
const folder = mkdtempSync(join(tmpdir(), "plumbline-bench-"));

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}

function times({ wallMs, processorMs }: Loop): string {
  return `${seconds(wallMs)}, processor ${seconds(processorMs)}`;
}

function lineOf({ what, measured, beside, ratio }: Row): string {
  return `| ${what} | ${measured} | ${beside} | ${ratio === null ? "" : ratio.toFixed(2)} |`;
}

function report(what: string, measured: string, beside = "", ratio: number | null = null): void {
  rows.push({ what, measured, beside, ratio });
  process.stdout.write(`${lineOf({ what, measured, beside, ratio })}\n`);
}

interface Loop {
  readonly wallMs: number;
  readonly processorMs: number;
}

async function loop(program: "bare" | "validated", work: BareWork): Promise<Loop> {
  const file = join(folder, "work.json");
  writeFileSync(file, JSON.stringify(work));
  return JSON.parse((await usageOf([join(DIST, "bench", `${program}.js`), file])).stdout) as Loop;
}

async function medianLoop(work: () => Promise<Loop>): Promise<Loop> {
  const all: Loop[] = [];
  for (let time = 0; time < RUNS; time += 1) all.push(await work());
  return { wallMs: median(all.map(({ wallMs }) => wallMs)), processorMs: median(all.map(({ processorMs }) => processorMs)) };
}

async function suiteRun(target: Target, profile: string): Promise<Usage & { readonly summary: Summary }> {
  const reports = join(folder, "reports");
  const usage = await usageOf([join(DIST, "cli/main.js"), "run", "--quiet", "--profile", profile, "--reports-dir", reports], target.env);
  return { ...usage, summary: JSON.parse(readFileSync(join(reports, "summary.json"), "utf8")) as Summary };
}

const HEADERS = { authorization: `Basic ${Buffer.from(`:${TOKEN}`).toString("base64")}`, "content-type": "application/json" };
const INSTANCES = "/admin/api/v1/instances";

async function readOf(target: Target): Promise<RecordedRequest> {
  const instance = { name: "bench", display_name: "bench", status: "active", cluster: "reference", limits: { ingestion_rate: 1 } };
  await fetch(target.url + INSTANCES, { method: "POST", headers: HEADERS, body: JSON.stringify(instance) });
  return { method: "GET", path: `${INSTANCES}/bench`, headers: HEADERS, body: null };
}

/** Measures single validated reads, and returns the ratios of their processor time. */
async function perExchange(): Promise<Ratios> {
  const ratios: Record<string, number> = {};
  const target = await startTarget();
  const request = await readOf(target);
  const requests = Array.from({ length: EXCHANGES }, () => request);
  for (const inFlight of [1, 16]) {
    const work = { url: target.url, inFlight, requests, validates: true };
    const bare = await medianLoop(async () => loop("bare", work));
    const validated = await medianLoop(async () => loop("validated", work));
    const each = ({ wallMs, processorMs }: Loop): string =>
      `${((1_000 * wallMs) / EXCHANGES).toFixed(0)} µs, processor ${((1_000 * processorMs) / EXCHANGES).toFixed(0)} µs`;
    report(`a validated read, ${inFlight} in flight, wall time`, each(validated), each(bare), validated.wallMs / bare.wallMs);
    ratios[`a validated read, ${inFlight} in flight, processor`] = validated.processorMs / bare.processorMs;
    report(`a validated read, ${inFlight} in flight, processor`, "", "", validated.processorMs / bare.processorMs);
  }
  target.stop();
  return ratios;
}

async function wholeRuns(): Promise<void> {
  const requests = await recordRelease();
  for (const latency of (values.latencies ?? "").split(",").map(Number)) {
    const replayed = await medianLoop(async () => {
      const target = await startTarget(latency);
      const done = await loop("bare", { url: target.url, inFlight: CONCURRENCY, requests, validates: false });
      target.stop();
      return done;
    });
    const checks: number[] = [];
    const whole = await medianUsage(RUNS, async () => {
      const target = await startTarget(latency);
      const usage = await suiteRun(target, "release");
      target.stop();
      checks.push(usage.summary.run.durationMs);
      return usage;
    });
    report(`release, ${latency} ms latency, wall time`, times(whole), times(replayed), whole.wallMs / replayed.wallMs);
    report(`release, ${latency} ms latency, processor`, "", "", whole.processorMs / replayed.processorMs);
    report(`release, ${latency} ms latency: around the checks`, seconds(whole.wallMs - median(checks)));
    if (latency === 0) report("release, peak memory", `${whole.peakMb.toFixed(0)} MB`);
  }
}

async function smoke(): Promise<Omit<Usage, "stdout">> {
  const usage = await medianUsage(RUNS, async () => {
    const target = await startTarget();
    const done = await suiteRun(target, "smoke");
    target.stop();
    return done;
  });
  report("smoke, from start to exit", `${seconds(usage.wallMs)}, processor ${seconds(usage.processorMs)}`);
  report("smoke, peak memory", `${usage.peakMb.toFixed(0)} MB`);
  return usage;
}

/** Measures the ratios that the budget limits. They compare processor time, which depends little on other programs on the machine. */
async function budgetedRatios(): Promise<Ratios> {
  const ratios = await perExchange();
  const { processorMs } = await smoke();
  const target = await startTarget();
  const bare = await bareReads(target, await readOf(target));
  target.stop();
  return { ...ratios, [`a smoke run, processor, compared with ${READS} bare reads as a whole process`]: processorMs / bare.processorMs };
}

async function bareReads(target: Target, request: RecordedRequest): Promise<Omit<Usage, "stdout">> {
  const work = { url: target.url, inFlight: 1, requests: Array.from({ length: READS }, () => request), validates: true };
  const file = join(folder, "reads.json");
  writeFileSync(file, JSON.stringify(work));
  // This process is measured at least five times, because it takes less than half a second, and its time varies by a fifth.
  return medianUsage(Math.max(RUNS, 5), async () => usageOf([join(DIST, "bench/bare.js"), file]));
}

/** Compares the cost of a whole process that makes validated reads with the cost of other tools. */
async function wholeProcesses(): Promise<void> {
  const target = await startTarget();
  const request = await readOf(target);
  const bare = await bareReads(target, request);
  const compare = async (what: string, args: readonly string[], env = {}): Promise<void> => {
    const whole = await medianUsage(RUNS, async () => usageOf(args, env));
    report(`${READS} validated reads as a whole process: ${what}`, times(whole), times(bare), whole.wallMs / bare.wallMs);
  };
  const reports = ["--reports-dir", join(folder, "reports")];
  const own = ["run", "--quiet", "--specs", ownCheck(folder), "--only", "admin-4.GET/own-reads", ...reports];
  await compare("a check of one's own, with all reports", [join(DIST, "cli/main.js"), ...own], {
    METRICS_BASE_URL: target.url,
    METRICS_API_TOKEN: TOKEN,
    METRICS_CLUSTER: "reference",
  });
  const { others } = values;
  const read = { url: `${target.url}${request.path}`, authorization: HEADERS.authorization };
  if (others !== undefined) for (const [name, argsOf] of Object.entries(OTHERS)) await compare(name, argsOf(folder, resolve(others), read));
  target.stop();
}

async function fleet(): Promise<void> {
  const { wallMs, processorMs } = await usageOf([
    join(DIST, "fleet/main.js"),
    "--faults",
    "--until-caught",
    "--out",
    join(folder, "fleet"),
  ]);
  report(`the fleet: ${FAULTS.length} faults, each until it is caught`, `${seconds(wallMs)}, processor ${seconds(processorMs)}`);
}

function table(): string {
  return ["| what | the suite | a bare loop | ratio |", "| --- | --- | --- | --- |", ...rows.map(lineOf)].join("\n");
}

async function measureAll(): Promise<void> {
  await perExchange();
  await smoke();
  await wholeProcesses();
  await wholeRuns();
  if (values.fleet) await fleet();
  const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? "unknown"}, Node.js ${process.version}`;
  mkdirSync(values.out, { recursive: true });
  writeFileSync(join(values.out, "bench.json"), JSON.stringify({ at: new Date().toISOString(), machine, runs: RUNS, rows }, null, 2));
  process.stdout.write(`\n${machine}, medians of ${RUNS}\n\n${table()}\n`);
}

if (values.help) process.stdout.write(HELP);
else {
  try {
    if (values.budget) {
      const over = await overBudgetTwice(budgetedRatios, committedRatios());
      for (const line of over) process.stderr.write(`over budget: ${line}\n`);
      process.exitCode = over.length === 0 ? 0 : 1;
    } else await measureAll();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes `metrics.prom`: the numbers of the run in the text format of Prometheus, for a textfile collector. */
import type { Summary } from "./model.ts";

type Labels = Readonly<Record<string, string>>;

function escaped(text: string): string {
  return text
    .replaceAll("\\", String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll("\n", String.raw`\n`);
}

function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
}

type Samples = readonly (readonly [labels: Labels, value: number])[];

function header(name: string, type: "gauge" | "summary", help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

/** Returns a metric of the type gauge. Prometheus counters must not fall, but the numbers of each run start at 0 again. */
function family(name: string, help: string, samples: Samples): string[] {
  if (samples.length === 0) return [];
  return [...header(name, "gauge", help), ...samples.map(([labels, value]) => sample(name, labels, value))];
}

/** Returns the latencies of answered requests as a Prometheus summary: quantiles, the sum and the count. */
function latencies(name: string, help: string, operations: NonNullable<Summary["operations"]>, common: Labels): string[] {
  const samples = operations.flatMap(({ service, operation, requests, unanswered, totalMs, p50, p90, p99 }) => {
    const labels = { ...common, service, operation };
    const quantiles = Object.entries({ "0.5": p50, "0.9": p90, "0.99": p99 }).flatMap(([quantile, ms]) =>
      ms === null ? [] : [sample(name, { ...labels, quantile }, ms / 1000)],
    );
    if (quantiles.length === 0) return [];
    return [...quantiles, sample(`${name}_sum`, labels, totalMs / 1000), sample(`${name}_count`, labels, requests - unanswered)];
  });
  return samples.length === 0 ? [] : [...header(name, "summary", help), ...samples];
}

/** Returns the addresses of the targets. The embedded server is named without an address, because its port differs between runs. */
function targetOf({ admin, logs }: Summary["targets"]): string {
  const urls = [admin, logs].flatMap((target) => (target === null ? [] : [target.kind === "embedded" ? "embedded" : target.baseUrl]));
  return [...new Set(urls)].join(",");
}

const VERDICTS = ["conformant", "nonconformant", "inconclusive"] as const satisfies readonly Summary["verdict"][];

export function toPrometheus(summary: Summary): string {
  const { run, totals } = summary;
  const common: Labels = { target: targetOf(summary.targets), profile: run.profile };
  const clauses: Readonly<Record<string, number>> = {
    pass: totals.pass,
    fail: totals.fail,
    deviation: totals.deviation,
    inconclusive: totals.inconclusive,
    not_run: totals.notRun,
  };
  const operations = summary.operations ?? [];
  return `${[
    ...family(
      "plumbline_clauses",
      "Clauses by verdict.",
      Object.entries(clauses).map(([verdict, count]) => [{ ...common, verdict }, count]),
    ),
    ...family(
      "plumbline_verdict",
      "1 if this is the verdict of the run, and otherwise 0.",
      VERDICTS.map((verdict) => [{ ...common, verdict }, verdict === summary.verdict ? 1 : 0]),
    ),
    ...family("plumbline_flaky_clauses", "Clauses that were violated once, and were held when the run sent the same request again.", [
      [common, summary.flaky.length],
    ]),
    ...family("plumbline_requests", "Requests of the run.", [[common, run.requests]]),
    ...family("plumbline_instances_created", "Instances the run created.", [[common, run.instancesCreated]]),
    ...family(
      "plumbline_operation_requests",
      "Requests by operation.",
      operations.map(({ service, operation, requests }) => [{ ...common, service, operation }, requests]),
    ),
    ...latencies("plumbline_operation_latency_seconds", "Time until the complete response, by operation.", operations, common),
    ...family("plumbline_run_duration_seconds", "Duration of the run.", [[common, run.durationMs / 1000]]),
    ...family("plumbline_run_started_timestamp_seconds", "When the run started.", [[common, Date.parse(run.startedAt) / 1000]]),
  ].join("\n")}\n`;
}

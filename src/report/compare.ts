/** Finds differences between two runs: verdicts, behaviour about which the documents are silent, limits and speed. Pure functions only. */
import { grouped } from "../model/grouped.ts";
import { canonical } from "./canonical.ts";
import type { RunDifferenceKind, RunDifference, Summary } from "./model.ts";
import type { Compared, Observed } from "./read.ts";
import { counted } from "./words.ts";

/** The kinds of differences that are drift, because the documents are silent about the behaviour. */
const DRIFT: readonly RunDifferenceKind[] = ["observation changed", "new limit"];

export function isDrift({ kind }: RunDifference): boolean {
  return DRIFT.includes(kind);
}

/** For each value of `--fail-on`, the differences after which a comparison ends with exit code 1. */
export const GATES: ReadonlyMap<string, (difference: RunDifference) => boolean> = new Map([
  ["newly-red", ({ kind }: RunDifference) => kind === "newly red"],
  ["drift", isDrift],
  ["any", () => true],
]);

/** The id of the observation that lists the limits of the target that the admin document does not have. */
const EXTRA_LIMITS = "admin-2.4/extra-limits";

/** Observations of durations, which differ even between two runs against the same server, so these observations are not compared. */
const TIMED: readonly string[] = ["logs-2.3/visibility", "admin-4.4/created-at-minutes"];

/** An operation is slower or faster if it changed by more than `factor` and `ms`, with at least `requests` requests per run. */
const SPEED = { factor: 2, ms: 50, requests: 20 } as const;

/** The profiles, smallest first. A run with a smaller profile makes fewer observations. */
const DEPTHS: readonly string[] = ["smoke", "release", "nightly"];

/** Returns all differences between two runs, with the worst difference first. Two runs against an unchanged server have no difference. */
export function compareRuns(before: Compared, now: Compared): RunDifference[] {
  return [...verdicts(before, now), ...observations(before, now), ...speeds(before, now)];
}

function judgedIn({ clauses }: Summary): ReadonlyMap<string, Summary["clauses"][number]> {
  return new Map(clauses.filter(({ verdict }) => verdict !== "not-judged" && verdict !== "not-run").map((clause) => [clause.id, clause]));
}

/** Returns the number of clauses that `one` judged and `other` did not. */
function judgedOnlyIn(one: Summary, other: Summary): number {
  const known = judgedIn(other);
  return [...judgedIn(one).keys()].filter((id) => !known.has(id)).length;
}

/** Returns the reasons why `run` judged less than `other`. The list of reasons is empty if `run` judged at least as much. */
function missingFrom(run: Summary, other: Summary): string[] {
  const { interrupted, internalError } = run.run;
  const left = judgedOnlyIn(other, run);
  const [own, others] = [run.run.profile, other.run.profile];
  return [
    ...(DEPTHS.indexOf(own) < DEPTHS.indexOf(others) ? [`it has the profile ${own}, and the other run ${others}`] : []),
    ...(interrupted === undefined ? [] : [`it was interrupted by ${interrupted}`]),
    ...(internalError === undefined ? [] : ["it ended with an error of the suite itself"]),
    ...(left === 0 ? [] : [`it did not judge ${counted(left, "clause")} that the other run judged`]),
  ];
}

/** Returns a line with the reason for each of two runs that judged less than the other run. */
export function partialRuns({ summary: before }: Compared, { summary: now }: Compared): string[] {
  return [["earlier", before, now] as const, ["later", now, before] as const].flatMap(([name, run, other]) => {
    const reasons = missingFrom(run, other);
    return reasons.length === 0 ? [] : [`the ${name} run is partial: ${reasons.join("; ")}`];
  });
}

function verdicts({ summary: before }: Compared, { summary: now }: Compared): RunDifference[] {
  const ended = judgedIn(before);
  const differences = [...judgedIn(now).values()].flatMap((clause): RunDifference[] => {
    const old = ended.get(clause.id);
    if (old === undefined || old.verdict === clause.verdict) return [];
    const reason = clause.reason === undefined ? "" : `: ${clause.reason}`;
    return [{ kind: kindOf(clause.verdict), subject: clause.id, before: old.verdict, now: `${clause.verdict}${reason}` }];
  });
  const order: readonly RunDifferenceKind[] = ["newly red", "newly unverified", "newly green"];
  const rank = ({ kind }: RunDifference): number => (order.includes(kind) ? order.indexOf(kind) : order.length);
  return differences.toSorted((one, other) => rank(one) - rank(other));
}

function kindOf(now: string): RunDifferenceKind {
  if (now === "fail") return "newly red";
  if (now === "inconclusive") return "newly unverified";
  if (now === "pass") return "newly green";
  return "verdict changed";
}

function observations(before: Compared, now: Compared): RunDifference[] {
  const old = new Map(before.observations.map((one) => [one.id, one]));
  const fresh = new Map(now.observations.map((one) => [one.id, one]));
  const missing = { before: missingFrom(before.summary, now.summary).length > 0, now: missingFrom(now.summary, before.summary).length > 0 };
  return [...new Set([...old.keys(), ...fresh.keys()])].toSorted().flatMap((id): RunDifference[] => {
    // The check that makes an observation may not have run in a partial run, so a missing observation of a partial run is no difference.
    if ((missing.before && !old.has(id)) || (missing.now && !fresh.has(id))) return [];
    const [was, is] = [textOf(old.get(id)), textOf(fresh.get(id))];
    if (was === is || TIMED.includes(id)) return [];
    if (id === EXTRA_LIMITS && old.has(id) && fresh.has(id)) {
      const known = namesIn(old.get(id));
      const added = namesIn(fresh.get(id)).filter((name) => !known.includes(name));
      if (added.length > 0)
        return added.map((name) => ({ kind: "new limit", subject: name, before: "", now: "not in the documented table" }));
    }
    return [{ kind: "observation changed", subject: id, before: was, now: is }];
  });
}

function namesIn(observed: Observed | undefined): readonly string[] {
  const seen = observed?.seen;
  if (Array.isArray(seen)) return seen.map(String);
  return typeof seen === "object" && seen !== null ? Object.keys(seen) : [];
}

function textOf(observed: Observed | undefined): string {
  return observed === undefined ? "not observed" : canonical(observed.seen);
}

function speeds({ summary: before }: Compared, { summary: now }: Compared): RunDifference[] {
  const old = new Map((before.operations ?? []).map((one) => [`${one.service} ${one.operation}`, one]));
  return (now.operations ?? []).flatMap((one): RunDifference[] => {
    const subject = `${one.service} ${one.operation}`;
    const was = old.get(subject);
    if (was === undefined || was.p50 === null || one.p50 === null) return [];
    if (Math.min(was.requests, one.requests) < SPEED.requests || Math.abs(one.p50 - was.p50) < SPEED.ms) return [];
    const factor = one.p50 / Math.max(was.p50, 0.1);
    if (factor < SPEED.factor && factor > 1 / SPEED.factor) return [];
    return [{ kind: factor > 1 ? "slower" : "faster", subject, before: `median ${was.p50} ms`, now: `median ${one.p50} ms` }];
  });
}

function cell(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll("|", String.raw`\|`)
    .replaceAll("<", "&lt;")
    .slice(0, 300);
}

/** Returns a Markdown table, or a sentence that there is no difference. Lines about partial runs come first. */
export function toMarkdown(differences: readonly RunDifference[], partial: readonly string[] = []): string {
  const note = partial.map((line) => `> ${line}\n\n`).join("");
  if (differences.length === 0) return `${note}No differences.\n`;
  const rows = differences.map(({ kind, subject, before, now }) => `| ${kind} | ${cell(subject)} | ${cell(before)} | ${cell(now)} |`);
  return `${note}${["| difference | of | before | now |", "| --- | --- | --- | --- |", ...rows].join("\n")}\n`;
}

/** The maximum length of an observed value in a line of the terminal, in characters. */
const SHOWN = 90;

function cut(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function lineOf({ subject, before, now }: RunDifference): string {
  const values = [before, now].filter((text) => text !== "");
  return `  ${subject}  ${values.map(cut).join(" → ")}`;
}

/** Returns the differences as lines for a terminal, grouped by kind. Lines about partial runs come first. */
export function differenceLines(differences: readonly RunDifference[], partial: readonly string[] = []): string[] {
  if (differences.length === 0) return [...partial, "no differences"];
  const groups = [...grouped(differences, ({ kind }) => kind)];
  return [...partial, ...groups.flatMap(([kind, own]) => [`${kind} (${own.length}):`, ...own.map(lineOf)])];
}

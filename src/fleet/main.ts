#!/usr/bin/env node
/** `npm run fleet`: runs the suite against all faults and variants. Fails if a fault is missed or misdiagnosed, or a variant is blamed. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { standingFor } from "../reference/faults/aliases.ts";
import { VARIANTS } from "../reference/variants/index.ts";
import type { Profile } from "../settings/types.ts";
import { isSound, judgeMatrix, type Matrix } from "./matrix.ts";
import { type CommittedMatrix, commitMatrix, commitProfile, committedChecks, committedMatrix, committedProfiles } from "./commit.ts";
import { compactJson } from "./compact.ts";
import { fleetPage } from "./page.ts";
import { mergedMatrix, mergedProfile } from "./merge.ts";
import { UNRECOGNISED } from "./pair-servers.ts";
import { runPairs } from "./pairs.ts";
import { runMatrix } from "./pool.ts";
import { recordOf } from "./profile.ts";
import { ENGINE_CHECKS, sampled, shares } from "./sample.ts";
import { shownIn } from "./shown.ts";

const HELP = `npm run fleet -- [--profile smoke|release|nightly] [--seeds N] [--seed N] [--out FOLDER] [--id ID … | --slice K/N] [--sample N] [--faults | --variants] [--pairs N] [--engines] [--until-caught] [--commit]
Runs the suite against each fault and each variant of the reference server. Writes fleet.json, fleet.html and fleet-profile.json
(the results of all seeds together) into FOLDER.

  --profile P      the profile of the runs; the default is release, with --commit smoke and then release
  --seed N         the first seed
  --seeds N        the number of seeds; after the first seed, a run against a fault ends when the clause of the fault has failed
  --until-caught   end a run against a fault when the clause of the fault has failed, also with the first seed; the run begins with the
                   check that the committed record names for the fault
  --id ID          run only the entry with this id; repeat the flag for several entries
  --slice 1/16     run each sixteenth entry, beginning with the first
  --sample 100     run 100 random faults until they are caught, and print the share that was caught with its confidence interval; the
                   same seed selects the same faults
  --faults         run only faults
  --variants       run only variants
  --engines        run only the checks of the engines
  --pairs 200      run 200 generated servers that misbehave only if a request has both of two levels; the same seed selects the same
                   servers; the command fails if a server that misbehaved was missed
  --commit         write docs/fleet.json (the first seed of a release run), docs/fleet-profiles.json and the numbers in docs/proof.md;
                   with --id, replace only the results of these entries
`;

const { values } = parseArgs({
  options: {
    profile: { type: "string" },
    seed: { type: "string", default: "1" },
    seeds: { type: "string", default: "1" },
    out: { type: "string", default: "reports" },
    id: { type: "string", multiple: true },
    slice: { type: "string" },
    sample: { type: "string" },
    pairs: { type: "string" },
    engines: { type: "boolean", default: false },
    faults: { type: "boolean", default: false },
    variants: { type: "boolean", default: false },
    commit: { type: "boolean", default: false },
    "until-caught": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

/** Returns the chosen ids, or undefined for the whole fleet. Throws if `--sample` or `--slice` is malformed. */
function chosen(profile: Profile): readonly string[] | undefined {
  if (!isPart || values.id !== undefined) return values.id?.map(standingFor);
  if (values.sample !== undefined) {
    if (!/^[1-9]\d*$/.test(values.sample)) throw new Error("--sample is the number of faults, such as 100");
    const faults = shownIn(profile).map(({ id }) => id);
    return sampled(faults, Number(values.sample), Number(values.seed));
  }
  const [slice, slices] = (values.slice ?? "1/1").split("/").map(Number);
  if (!(slice !== undefined && slices !== undefined && slice >= 1 && slice <= slices)) throw new Error("--slice is K/N, such as 1/16");
  const entries = [...(values.variants ? [] : shownIn(profile)), ...(values.faults ? [] : VARIANTS)];
  return entries.map(({ id }) => id).filter((_, index) => index % slices === slice - 1);
}

const isSample = values.sample !== undefined;
const isPart = values.id !== undefined || values.slice !== undefined || isSample || values.faults || values.variants || values.engines;
const untilCaught = values["until-caught"] || isSample;

const isOneSeed = values.seeds === "1" && !untilCaught && !values.engines;

function problem(what: string, ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`${what}: ${ids.join(", ")}`];
}

function judged(matrix: Matrix): CommittedMatrix {
  return { ...matrix, verdict: judgeMatrix(matrix) };
}

function lines({ verdict, ...matrix }: CommittedMatrix): string[] {
  return [
    `${matrix.profile}, seed ${matrix.seed}: ${matrix.faults.length} faults, ${matrix.faults.filter(({ killed }) => killed).length} detected; ${matrix.variants.length} variants, ${verdict.falseAlarms.length} false alarms; median ${verdict.medianRed} violated clauses per fault; ${(matrix.durationMs / 1000).toFixed(1)} s`,
    ...(isSample || values.engines ? shares(matrix.faults) : []),
    ...problem("run a second time, one at a time", matrix.rerun),
    // With `--engines`, undetected faults are no problem, because the engines alone need not detect each fault.
    ...(values.engines ? [] : problem("faults that were not detected", verdict.survivors)),
    ...(values.engines ? [] : problem("misdiagnosed", verdict.misdiagnosed)),
    ...problem("false alarms", verdict.falseAlarms),
    // A part of the fleet does not have a fault for each clause. So untested clauses are then no problem.
    ...(isPart ? [] : problem("clauses that no run reported as violated", verdict.untested)),
    ...problem("reported clauses that the fault does not explain", verdict.unexplained),
  ];
}

/** Returns the profiles to run. A commit runs the profiles smoke and release. */
function profilesToRun(): readonly Profile[] {
  if (values.profile !== undefined) return [values.profile as Profile];
  return values.commit ? ["smoke", "release"] : ["release"];
}

/** Replaces the committed rows of some faults and variants, and keeps the rows of all others. */
function commitSome(fresh: Matrix): void {
  const fleet = { faults: shownIn(fresh.profile).map(({ id }) => id), variants: VARIANTS.map(({ id }) => id) };
  const record = committedProfiles().find(({ profile }) => profile === fresh.profile);
  if (record === undefined) throw new Error(`nothing is committed for ${fresh.profile}`);
  if (fresh.profile === "smoke") {
    commitProfile(mergedProfile(record, fresh, fleet));
    return;
  }
  const merged = judged(mergedMatrix(committedMatrix(), fresh, fleet));
  commitMatrix(merged);
  commitProfile(recordOf([merged]));
}

/** Runs the suite against the fleet with each seed of a profile. Resolves to true if it detects each fault and blames no legal server. */
async function runProfile(profile: Profile): Promise<boolean> {
  const first = Number(values.seed);
  const ids = chosen(profile);
  const matrices: Matrix[] = [];
  let sound = true;
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
    const matrix = judged(
      await runMatrix({
        profile,
        seed,
        untilCaught: untilCaught || seed !== first,
        ...(untilCaught && !values.engines && profile === "release" ? { begin: committedChecks() } : {}),
        ...(values.engines ? { only: ENGINE_CHECKS } : {}),
        ...(ids === undefined ? {} : { ids }),
      }),
    );
    const { verdict } = matrix;
    matrices.push(matrix);
    // A smoke run need not detect each fault, and a part of the fleet need not test each clause. So only false alarms count then.
    sound &&= profile === "smoke" || ids !== undefined ? verdict.blamed.length === 0 : isSound(verdict);
    process.stdout.write(`${lines(matrix).join("\n")}\n`);
    mkdirSync(values.out, { recursive: true });
    writeFileSync(join(values.out, "fleet.json"), compactJson(matrix, 2));
    writeFileSync(join(values.out, "fleet.html"), fleetPage(matrix));
    if (values.commit && ids !== undefined && profile !== "nightly") {
      commitSome(matrix);
      continue;
    }
    if (values.commit && profile === "release" && seed === first) commitMatrix(matrix);
    // The record is written after each seed. If the run with a later seed is interrupted, no results are lost.
    const record = recordOf(matrices);
    writeFileSync(join(values.out, "fleet-profile.json"), compactJson(record, 2));
    if (values.commit) commitProfile(record);
  }
  return sound;
}

/** Runs the suite against servers that misbehave if a request has two levels together. Resolves to true if all were detected. */
async function runPairServers(count: string): Promise<boolean> {
  if (!/^[1-9]\d*$/.test(count)) throw new Error("--pairs is the number of servers, such as 200");
  const outcomes = await runPairs(Number(count), Number(values.seed));
  for (const result of ["caught by an engine", "caught by another check", "missed", "unseen"] as const) {
    const ids = outcomes.filter((one) => one.result === result).map(({ id }) => id);
    const isListed = result === "missed" || result === "unseen";
    process.stdout.write(`${result}: ${ids.length} of ${outcomes.length}\n${isListed ? ids.map((id) => `  ${id}\n`).join("") : ""}`);
  }
  process.stdout.write(`levels that a server cannot recognise: ${UNRECOGNISED.join(", ")}\n`);
  return outcomes.every(({ result }) => result !== "missed");
}

if (values.help) {
  process.stdout.write(HELP);
} else if (values.pairs !== undefined) {
  process.exitCode = (await runPairServers(values.pairs)) ? 0 : 1;
} else if (values.commit && isPart && values.profile !== "nightly" && (values.id === undefined || !isOneSeed)) {
  // A nightly run is needed only for faults that a release run missed with at least one seed.
  process.stderr.write("--commit is for the whole fleet or, with --id, for the one seed that is committed\n");
  process.exitCode = 2;
} else {
  let sound = true;
  for (const profile of profilesToRun()) sound = (await runProfile(profile)) && sound;
  process.exitCode = sound ? 0 : 1;
}

#!/usr/bin/env node
/** `npm run fleet`: the suite against every fault and every variant; fails on a survivor, a false alarm or a wrong diagnosis. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Profile } from "../settings/types.ts";
import { isSound, judgeMatrix, type Matrix, type MatrixVerdict } from "./matrix.ts";
import { commitMatrix } from "./commit.ts";
import { fleetPage } from "./page.ts";
import { runMatrix } from "./pool.ts";

const HELP = `npm run fleet -- [--profile smoke|release|nightly] [--seeds N] [--seed N] [--out FOLDER] [--id ID …] [--commit]
Runs the suite against every fault and every variant of the reference server and writes fleet.json and fleet.html.
`;

const { values } = parseArgs({
  options: {
    profile: { type: "string", default: "release" },
    seed: { type: "string", default: "1" },
    seeds: { type: "string", default: "1" },
    out: { type: "string", default: "reports" },
    id: { type: "string", multiple: true },
    commit: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function problem(what: string, ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`${what}: ${ids.join(", ")}`];
}

function lines(matrix: Matrix, verdict: MatrixVerdict): string[] {
  return [
    `${matrix.profile}, seed ${matrix.seed}: ${matrix.faults.length} faults, ${matrix.faults.filter(({ killed }) => killed).length} killed; ${matrix.variants.length} variants, ${verdict.falseAlarms.length} false alarms; median ${verdict.medianRed} red clauses; ${(matrix.durationMs / 1000).toFixed(1)} s`,
    ...problem("run again by themselves", matrix.rerun),
    ...problem("survivors", verdict.survivors),
    ...problem("misdiagnosed", verdict.misdiagnosed),
    ...problem("false alarms", verdict.falseAlarms),
    ...problem("clauses that no fault turns red", verdict.untested),
  ];
}

if (values.help) {
  process.stdout.write(HELP);
} else {
  const profile = values.profile as Profile;
  const first = Number(values.seed);
  let sound = true;
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
    const matrix = await runMatrix({ profile, seed, ...(values.id === undefined ? {} : { ids: values.id }) });
    const verdict = judgeMatrix(matrix);
    // Smoke is not meant to kill everything, and a chosen few say nothing about all clauses.
    sound &&= profile === "smoke" || values.id !== undefined ? verdict.falseAlarms.length === 0 : isSound(verdict);
    process.stdout.write(`${lines(matrix, verdict).join("\n")}\n`);
    mkdirSync(values.out, { recursive: true });
    writeFileSync(join(values.out, "fleet.json"), `${JSON.stringify({ ...matrix, verdict }, null, 1)}\n`);
    writeFileSync(join(values.out, "fleet.html"), fleetPage(matrix, verdict));
    if (values.commit) commitMatrix(matrix, verdict);
  }
  process.exitCode = sound ? 0 : 1;
}

/** `plumbline doctor`: sends one harmless GET to each service. Without `--write`, nothing changes on the target. */
import { SERVICES } from "../contract/clause.ts";
import { booleanFlag, type ParsedFlags } from "../settings/flags.ts";
import { loadSources } from "../settings/load.ts";
import { resolveSettings } from "../settings/resolve.ts";
import { isSet } from "../settings/run-flags.ts";
import { SETTING_NAMES } from "../settings/table.ts";
import { EXIT, type Command } from "./command.ts";

const WRITE = booleanFlag(
  "write",
  "Also create one instance and push one entry; the instance stays, because the document shows no way to delete an instance",
);

/** For each service, the things that a harmless GET cannot show. */
const UNCHECKED = {
  admin: "not checked: whether the cluster exists and whether the token may write; --write creates one instance to find out",
  logs: "not checked: whether pushes are accepted; --write pushes one entry to find out",
} as const;

async function doctor(flags: ParsedFlags): Promise<number> {
  const { settings, warnings } = resolveSettings(loadSources(flags), null);
  for (const warning of warnings) process.stderr.write(`plumbline: warning: ${warning}\n`);
  // These modules are loaded only when they are needed, so that `--help` and refused settings are fast.
  const [{ diagnose, probeUrl }, { tryWrite }] = await Promise.all([import("./diagnose.ts"), import("./write-path.ts")]);
  const write = isSet(flags.command, WRITE);
  const lines = [`settings: ok · profile ${settings.profile} · seed ${settings.seed} · reports in ${settings.reportsDir}`];
  if (settings.embedded) lines.push("no base URL is configured: a run would judge the embedded reference server, not a deployment");
  let problems = 0;
  for (const service of SERVICES) {
    if (settings.embedded) continue;
    const title = service === "admin" ? "admin API" : "log API";
    const target = settings[service];
    if (target === null) {
      lines.push(`${title}: not configured, its clauses would not run`);
      continue;
    }
    lines.push(`${title}: GET ${probeUrl(settings, service)}`);
    const found = await diagnose(settings, service);
    if (write && found.every(({ kind }) => kind !== "problem")) found.push(await tryWrite(settings, service));
    for (const finding of found) {
      if (finding.kind === "problem") problems += 1;
      lines.push(`  ${finding.kind}: ${finding.text}`);
    }
    if (!write) lines.push(`  ${UNCHECKED[service]}`);
  }
  lines.push(problems === 0 ? "ready for a run" : "not ready: a run would be inconclusive");
  process.stdout.write(`${lines.join("\n")}\n`);
  return problems === 0 ? EXIT.ok : EXIT.inconclusive;
}

export const DOCTOR_COMMAND: Command = {
  name: "doctor",
  summary: "check settings, reachability, credentials and clock before a run",
  details: "Sends one GET per configured service and changes nothing on the target unless --write is given. Ends with 0, 2 or 3.",
  settings: SETTING_NAMES,
  flags: [WRITE],
  run: doctor,
};

/** What the command line does around a run, for vitest's project `conformance`: settings, the embedded server, the opening lines. */
import { writeFileSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { outputsIn } from "../report/outputs.ts";
import { SettingsError } from "../settings/error.ts";
import { loadSources } from "../settings/load.ts";
import { resolveSettings } from "../settings/resolve.ts";
import type { Sources } from "../settings/sources.ts";
import type { Settings } from "../settings/types.ts";
import { startEmbedded } from "./embedded.ts";
import { inputOf } from "./input.ts";
import { openingLines } from "./opening.ts";
import { freshRunId, suiteIdentity } from "./suite.ts";

function sourcesOf(project: TestProject): Sources {
  const sources = loadSources({ settings: new Map(), command: new Map(), operands: [] });
  const { BASE_URL } = project.getProvidedContext().plumblineEnvironment;
  return { ...sources, env: { ...sources.env, BASE_URL: BASE_URL ?? undefined } };
}

/** The settings, or the one line that says what is wrong with them. */
function settingsOf(project: TestProject): Settings {
  try {
    const { settings, warnings } = resolveSettings(sourcesOf(project), null);
    for (const warning of warnings) process.stderr.write(`plumbline: warning: ${warning}\n`);
    return settings;
  } catch (error) {
    // Where in the suite a setting was refused helps nobody.
    if (error instanceof SettingsError) error.stack = `plumbline: ${error.message}`;
    throw error;
  }
}

/** Called by vitest before the first test; resolves to what it calls after the last. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const configured = settingsOf(project);
  const suite = suiteIdentity();
  const outputs = outputsIn(configured.reportsDir);
  const embedded = configured.embedded ? await startEmbedded(configured) : null;
  const settings = embedded?.settings ?? configured;
  // Each run of a watching vitest is one of its own: names that were created are not free again.
  const begin = (): void => {
    const runId = freshRunId();
    writeFileSync(outputs.created, "");
    process.stdout.write(`${openingLines(settings, runId, suite).join("\n")}\n`);
    project.provide(
      "plumbline",
      inputOf(settings, runId, suite, outputs, { namePattern: project.vitest.config.testNamePattern?.source ?? null }),
    );
  };
  begin();
  project.onTestsRerun(begin);
  return async () => embedded?.close();
}

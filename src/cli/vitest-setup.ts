/** Prepares the vitest project `conformance`: settings, embedded server and first lines. For the command line, `conduct.ts` does this. */
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

/** Returns the settings of the run. Throws an error of one line if a setting is refused. */
function settingsOf(project: TestProject): Settings {
  try {
    const { settings, warnings } = resolveSettings(sourcesOf(project), null);
    for (const warning of warnings) process.stderr.write(`plumbline: warning: ${warning}\n`);
    return settings;
  } catch (error) {
    // The message replaces the stack, because a stack trace of the suite does not help the user.
    if (error instanceof SettingsError) error.stack = `plumbline: ${error.message}`;
    throw error;
  }
}

/** Prepares the run before the first test. Resolves to the function that vitest calls after the last test. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const configured = settingsOf(project);
  const suite = suiteIdentity();
  const outputs = outputsIn(configured.reportsDir);
  const embedded = configured.embedded ? await startEmbedded(configured) : null;
  const settings = embedded?.settings ?? configured;
  // In watch mode, each run has a new id, because two instances cannot have the same name.
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

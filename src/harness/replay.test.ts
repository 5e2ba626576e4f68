import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { replayCommand, startedAs } from "./replay.ts";
import { settingsFor } from "./testing.ts";

test("a clone and an installed package have different commands, and neither command fetches a package", () => {
  expect(startedAs("/home/me/clone")).toBe("npm run conformance --");
  expect(startedAs("/home/me/app/node_modules/the-package")).toBe("npx --no -- plumbline run");
});

test("the command has each given setting, tokens by their variable, and its own report folder", () => {
  const given = {
    environment: ["METRICS_API_TOKEN"],
    flags: [
      ["metrics-base-url", "https://m.example.com"],
      ["metrics-expected-defaults", "my defaults.json"],
    ],
  } as const;
  expect(replayCommand({ ...settingsFor(), given, seed: -5 }, ["admin-4.2", "admin-4.1/fills"], "/clone")).toBe(
    `METRICS_API_TOKEN="$METRICS_API_TOKEN" npm run conformance -- --metrics-base-url https://m.example.com ` +
      `--metrics-expected-defaults 'my defaults.json' --only admin-4.2,admin-4.1/fills --seed=-5 --profile release --reports-dir reports/replay`,
  );
});

test("a shell reads each value exactly as the user gave it", () => {
  const globs = 'it\'s $HOME `x` \\ "q"';
  const line = replayCommand({ ...settingsFor(), given: { environment: [], flags: [] } }, [globs], "/clone");
  const words = line.replace("npm run conformance --", "printf '%s\\n'");
  expect(execFileSync("sh", ["-c", words], { encoding: "utf8" }).split("\n")).toContain(globs);
});

import { expect, test } from "vitest";
import { parseFlags, type CommandFlag } from "./flags.ts";
import { SETTING_NAMES } from "./table.ts";

const ONLY: CommandFlag = { name: "only", kind: "text", description: "", example: "'admin-4.*'" };

function settingsOf(...argv: string[]): Record<string, string> {
  return Object.fromEntries(parseFlags(argv, { settings: SETTING_NAMES, flags: [ONLY] }).settings);
}

test.each([
  [["--profile", "smoke"], { PROFILE: "smoke" }],
  [["--profile=smoke"], { PROFILE: "smoke" }],
  [["--seed", "-5"], { SEED: "-5" }],
  [["--seed=-5"], { SEED: "-5" }],
  [["--logs-tenant-id-2", "b"], { LOGS_TENANT_ID_2: "b" }],
  [["--tls-insecure"], { TLS_INSECURE: "true" }],
  [["--tls-insecure", "false"], { TLS_INSECURE: "false" }],
  [["--tls-insecure=false", "--seed", "1"], { TLS_INSECURE: "false", SEED: "1" }],
  [["--tls-insecure", "--seed", "1"], { TLS_INSECURE: "true", SEED: "1" }],
  [["--metrics-api-token-file", "/t"], { METRICS_API_TOKEN_FILE: "/t" }],
  [["--logs-user="], { LOGS_USER: "" }],
])("the command line %j is read", (argv, settings) => {
  expect(settingsOf(...argv)).toEqual(settings);
});

test("an own flag of a command is kept apart from settings", () => {
  const parsed = parseFlags(["--only", "admin-4.*", "--seed=1"], { settings: SETTING_NAMES, flags: [ONLY] });
  expect(Object.fromEntries(parsed.command)).toEqual({ only: "admin-4.*" });
});

test.each([
  [["--sede", "1"], /--sede is not a known flag; for example --seed/],
  [["--nonsense"], /--nonsense is not a known flag; --help lists all flags/],
  [["--seed"], /--seed needs a value/],
  [["--reports-dir", "--seed", "1"], /--reports-dir needs a value/],
  [["--seed", "1", "--seed", "2"], /--seed is given twice/],
  [["--only", "a", "--only", "b"], /--only is given twice/],
  [["--metrics-api-token", "s3cr3t-value"], /--metrics-api-token is not a flag: tokens come from/],
  [["stray"], /an argument that is no flag/],
  [["--seed", "1", "true"], /an argument that is no flag/],
])("the command line %j is refused", (argv, message) => {
  expect(() => settingsOf(...argv)).toThrow(message);
});

test("no refusal repeats a value", () => {
  for (const argv of [["--metrics-api-token", "s3cr3t-value"], ["--metrics-api-token=s3cr3t-value"], ["s3cr3t-value"]]) {
    expect(() => settingsOf(...argv)).not.toThrow(/s3cr3t/);
  }
});

test("a command without settings accepts only its own flags", () => {
  expect(() => parseFlags(["--seed", "1"], { settings: [], flags: [ONLY] })).toThrow(/--seed has no effect in this command/);
});

test("a command that names its operands gets them", () => {
  const line = { settings: [], flags: [ONLY], operands: "A B" };
  expect(parseFlags(["one", "--only", "x", "two"], line)).toMatchObject({ operands: ["one", "two"] });
});

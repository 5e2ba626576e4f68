/** `plumbline serve`: runs the reference server in the foreground, without changes or with one fault or variant. */
import { randomBytes } from "node:crypto";
import { matchesGlob } from "../contract/catalogue.ts";
import { startedAs } from "../harness/replay.ts";
import { packageRoot } from "../model/schemas.ts";
import type { Fault } from "../reference/faults/types.ts";
import type { ReferenceOptions } from "../reference/options.ts";
import { codeOf, SettingsError, refuse } from "../settings/error.ts";
import { booleanFlag, type CommandFlag, type ParsedFlags, textFlag } from "../settings/flags.ts";
import { isSet } from "../settings/run-flags.ts";
import { nearestName } from "../settings/distance.ts";
import { EXIT, type Command } from "./command.ts";

const DEFAULT_PORT = 8480;

const FLAGS = {
  port: textFlag("port", `Port on 127.0.0.1; 0 selects a free port; the default is ${DEFAULT_PORT}`, String(DEFAULT_PORT)),
  token: textFlag("token", "API token of both services; the default is a new token", "a-token"),
  fault: textFlag("fault", "Id of one fault: the server violates one clause on purpose", "ID"),
  variant: textFlag("variant", "Id of one variant: the server behaves unusually, in a way that the documents allow", "ID"),
  auth: textFlag("auth", "User of the log API; requests then need Basic authentication with this user and the token", "plumbline"),
  tenants: booleanFlag("tenants", "Multi-tenant log API: each request needs X-Scope-OrgID, and the value a|b reads both tenants"),
  rateLimit: textFlag("rate-limit", "Number of log requests per second that are accepted; the server answers 429 to more requests", "400"),
  list: booleanFlag("list", "List all faults and variants by clause, or with --only those of some clauses, and start no server"),
  only: textFlag("only", "With --list: globs of clause ids or of fault ids", "'admin-4.*'"),
  latency: textFlag("latency", "Time in ms that the server waits before each response", "20"),
};

function integerFlag(flags: ParsedFlags, flag: CommandFlag, max: number): number | null {
  const text = flags.command.get(flag.name);
  if (text === undefined) return null;
  if (!/^\d+$/.test(text) || Number(text) > max)
    refuse(`--${flag.name}`, `must be an integer between 0 and ${max}`, `--${flag.name} ${flag.example}`);
  return Number(text);
}

function byId<Item extends { readonly id: string }>(items: readonly Item[], flag: CommandFlag, id: string | undefined): Item | null {
  if (id === undefined) return null;
  const item = items.find((candidate) => candidate.id === id);
  if (item !== undefined) return item;
  const ids = items.map((candidate) => candidate.id);
  const nearest = nearestName(id, ids, 3) ?? ids[0] ?? "";
  refuse(`--${flag.name}`, "is not a known id", `--${flag.name} ${nearest}`);
}

function modesOf(flags: ParsedFlags): ReferenceOptions {
  const user = flags.command.get(FLAGS.auth.name);
  if (user !== undefined && !/^[\w.-]+$/.test(user)) refuse("--auth", "must be one word", "--auth plumbline");
  const tenants = isSet(flags.command, FLAGS.tenants);
  const perSecond = integerFlag(flags, FLAGS.rateLimit, 1_000_000);
  if (perSecond === 0) refuse("--rate-limit", "must be at least 1", "--rate-limit 400");
  return {
    ...(user === undefined ? {} : { logsUser: user }),
    ...(tenants ? { tenancy: true } : {}),
    ...(perSecond === null ? {} : { rateLimit: { perSecond, burst: perSecond } }),
  };
}

type Settled = Readonly<Record<string, string>>;

function settingsFor({ logsUser, tenancy, rateLimit, segment }: ReferenceOptions): Settled {
  return {
    ...(typeof logsUser === "string" ? { LOGS_USER: logsUser, LOGS_AUTH_ENFORCED: "true" } : {}),
    ...(tenancy === true ? { LOGS_TENANT_ID: "tenant-a", LOGS_TENANT_ID_2: "tenant-b", LOGS_MULTI_TENANT_QUERIES: "true" } : {}),
    ...(rateLimit === undefined || rateLimit === null ? {} : { LOGS_EXPECT_RATE_LIMIT: "true" }),
    ...(segment === undefined ? {} : { LOGS_PATH_SEGMENT: segment }),
  };
}

type Needs = Pick<Fault, "options" | "settings" | "settleMs" | "needs">;

/** Returns the settings without which a fault or a variant has no visible effect. */
function neededBy({ options = {}, settings, settleMs, needs }: Needs): Settled {
  return {
    ...settingsFor(options),
    ...settings,
    ...(needs === undefined ? {} : { PROFILE: needs }),
    ...(settleMs === undefined ? {} : { SETTLE_TIMEOUT_MS: String(settleMs) }),
  };
}

function assigned(settings: Settled): string[] {
  return Object.entries(settings).map(([name, value]) => `${name}=${value}`);
}

/** Prints the faults, grouped by their clauses, and then the variants. */
async function list(flags: ParsedFlags): Promise<number> {
  const other = Object.values(FLAGS).find(({ name }) => name !== FLAGS.list.name && name !== FLAGS.only.name && flags.command.has(name));
  if (other !== undefined) throw new SettingsError(`--${other.name} has no effect with --list, which serves nothing`);
  const [{ FAULTS }, { VARIANTS }] = await Promise.all([import("../reference/faults/index.ts"), import("../reference/variants/index.ts")]);
  const globs = (flags.command.get(FLAGS.only.name) ?? "*").split(",").map((glob) => glob.trim());
  const wanted = (...names: readonly string[]): boolean => globs.some((glob) => names.some((name) => matchesGlob(glob, name)));
  const faults = FAULTS.filter(({ id, clause }) => wanted(id, clause)).toSorted((one, two) => one.clause.localeCompare(two.clause, "en"));
  const variants = VARIANTS.filter(({ id }) => wanted(id));
  if (faults.length + variants.length === 0) refuse("--only", "matches no fault and no variant", "--only 'admin-4.*'");
  const lines = [
    ...faults.map(({ id, clause, sentence }) => `${clause}  --fault ${id}  ${sentence}`),
    ...variants.map(({ id, sentence }) => `legal  --variant ${id}  ${sentence}`),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return EXIT.ok;
}

async function serve(flags: ParsedFlags): Promise<number> {
  if (isSet(flags.command, FLAGS.list)) return list(flags);
  if (flags.command.has(FLAGS.only.name)) throw new SettingsError("--only has no effect without --list");
  const port = integerFlag(flags, FLAGS.port, 65_535) ?? DEFAULT_PORT;
  const latencyMs = integerFlag(flags, FLAGS.latency, 60_000) ?? 0;
  const [{ startReference }, { FAULTS }, { standingFor }, { VARIANTS }] = await Promise.all([
    import("../reference/server.ts"),
    import("../reference/faults/index.ts"),
    import("../reference/faults/aliases.ts"),
    import("../reference/variants/index.ts"),
  ]);
  const asked = flags.command.get("fault");
  const fault = byId(FAULTS, FLAGS.fault, asked === undefined ? undefined : standingFor(asked));
  const variant = byId(VARIANTS, FLAGS.variant, flags.command.get("variant"));
  const given = flags.command.get("token");
  const token = given ?? randomBytes(12).toString("hex");
  const changes = [fault, variant].filter((change) => change !== null);
  const options: NonNullable<(typeof FAULTS)[number]["options"]> = { ...fault?.options, ...variant?.options };
  const cluster = options.cluster ?? "reference";
  const modes = modesOf(flags);
  let reference: Awaited<ReturnType<typeof startReference>>;
  try {
    reference = await startReference({ latencyMs, ...options, ...modes, port, token, cluster, behaviours: changes });
  } catch (error) {
    if (["EADDRINUSE", "EACCES"].includes(codeOf(error))) {
      throw new SettingsError(`--port ${port} cannot be used (${codeOf(error)}); for example --port 0 selects a free port`);
    }
    throw error;
  }
  const needed = changes.map(neededBy);
  const variables = [
    `BASE_URL=${reference.url}`,
    // A generated token is printed once, because the user needs it. A token that the user chose is not printed.
    given === undefined ? `API_TOKEN=${token}` : 'API_TOKEN="$API_TOKEN"',
    `METRICS_CLUSTER=${cluster}`,
    ...assigned(Object.assign({}, settingsFor(modes), ...needed)),
  ];
  const lines = [`reference server listening on ${reference.url}`];
  for (const [index, change] of changes.entries()) {
    lines.push(`${change.id}: ${change.sentence}`);
    const settings = assigned(needed[index] ?? {});
    if (settings.length > 0) lines.push(`${change.id} needs these settings: ${settings.join(" ")}`);
  }
  const defaults = { ...fault?.expectedDefaults, ...variant?.expectedDefaults };
  if (Object.keys(defaults).length > 0) {
    variables.push("METRICS_EXPECTED_DEFAULTS=defaults.json");
    lines.push(
      "the global defaults of this server differ from the document; write these defaults into a file defaults.json:",
      `  ${JSON.stringify(defaults)}`,
    );
  }
  const heading =
    given === undefined
      ? "to judge this server, run in another terminal:"
      : "to judge this server, set API_TOKEN to the given token in another terminal, and run:";
  lines.push(heading, `  ${variables.join(" ")} ${startedAs(packageRoot()).replace(/ --$/, "")}`, "Ctrl-C ends the server.");
  // The listeners for signals are added before the program prints that a signal stops the server.
  const ended = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  process.stdout.write(`${lines.join("\n")}\n`);
  await ended;
  await reference.close();
  return EXIT.ok;
}

export const SERVE_COMMAND: Command = {
  name: "serve",
  summary: "run the reference server in the foreground",
  details: "Starts an implementation of both documents on 127.0.0.1, on which you can try the suite. It keeps its data in memory only.",
  settings: [],
  flags: Object.values(FLAGS),
  run: serve,
};

/** Tests that the verdicts of a run do not depend on the minute of the hour at which the run begins. */
import { expect, test } from "vitest";
import { FAULTS } from "../reference/faults/index.ts";
import { type Entry, type EntryOptions, type EntryOutcome, runEntry } from "./entry.ts";

const HOUR_MS = 3_600_000;
/**
 * The minutes of the hour at which the runs begin. They are near full and half hours, so that datasets could cross these times.
 * `MINUTES=all` has three further minutes, which take much time and rarely show more. All other tests run at the minute of the real clock.
 */
const MINUTES = process.env["MINUTES"] === "all" ? [0.5, 9, 31, 42, 58] : [0.5, 31];
const LONGEST_MS = 300_000;

/** Runs the suite against servers whose clocks show the given minutes of the hour when the run begins. */
async function atEachMinute(minutes: readonly number[], entry: Entry | null, options: EntryOptions): Promise<EntryOutcome[]> {
  return Promise.all(
    minutes.map(async (minute) => {
      const shift = minute * 60_000 - (Date.now() % HOUR_MS);
      const shifted = { id: "shifted", change: () => ({}), ...entry, options: { ...entry?.options, now: () => Date.now() + shift } };
      return runEntry(shifted, "release", 1, { ...options, service: "logs", passes: true });
    }),
  );
}

/** Returns the judged clauses of a run with their verdicts. */
function verdicts({ passed, red, inconclusive }: EntryOutcome): unknown {
  return {
    passed: passed.map(({ check, clause }) => `${check} ${clause}`),
    red: red.map(({ clause, checks }) => ({ clause, checks })),
    inconclusive: inconclusive.map(({ check }) => check),
  };
}

test(
  "a legal server gets the same verdicts with nearly the same number of requests at several times of the hour",
  { timeout: LONGEST_MS },
  async () => {
    const runs = await atEachMinute(MINUTES, null, {});
    const [first] = runs;
    expect(first).toMatchObject({ red: [], inconclusive: [] });
    for (const run of runs) expect(verdicts(run)).toEqual(verdicts(first as EntryOutcome));
    // The numbers of requests may differ slightly, because other tests run at the same time. So a response may be late, and its read may be
    // repeated.
    const requests = runs.map((run) => run.requests);
    expect(Math.max(...requests) - Math.min(...requests)).toBeLessThan(Math.min(...requests) / 50);
  },
);

test.each([
  ["logs-seam-hour-order-backward", ["logs-4.query_range/hours-windows"]],
  // A check of streams that cover several hours also finds this fault, because such streams cross half hours at each minute.
  ["logs-seam-half-hour-order-backward", ["logs-4.query_range/hours-windows", "logs-4.query_range/archive-windows"]],
] as const)("a server with %s gets the same verdicts at several times of the hour", { timeout: LONGEST_MS }, async (id, checks) => {
  const fault = FAULTS.find((one) => one.id === id);
  if (fault === undefined) throw new Error("there is no such fault");
  const runs = await atEachMinute(MINUTES, fault, { only: ["logs-4.1"] });
  for (const run of runs) expect(verdicts(run)).toEqual(verdicts(runs[0] as EntryOutcome));
  // Other checks may also find this violation, because their random cases may cross a full or half hour.
  expect(runs[0]?.red).toMatchObject([{ clause: "logs-4.1", checks: expect.arrayContaining([...checks]) as unknown }]);
});

/** Returns an entry of the fleet whose server accepts entries that are older than `ms` milliseconds, but never shows them. */
function shows(ms: number, broken: Entry["change"] = () => ({})): Entry {
  return {
    id: `shows-${ms / 60_000}-minutes`,
    change: (base, context) => ({
      ...broken(base, context),
      insertEntry: (entries, one) => {
        if (one.ts >= BigInt(Math.floor(context.options.now() - ms)) * 1_000_000n) base.insertEntry(entries, one);
      },
    }),
  };
}

/** The server of this test shows no entry above this age in ms. At some minutes of the hour, the last full hour is nearly this old. */
const SHORT_MS = 75 * 60_000;

test("a server that shows only the last 75 minutes is not blamed at several times of the hour", { timeout: LONGEST_MS }, async () => {
  const runs = await atEachMinute(MINUTES, shows(SHORT_MS), { only: ["logs-4.query_range", "logs-4.query", "logs-4.1"] });
  for (const { red, inconclusive } of runs) expect({ red, inconclusive }).toEqual({ red: [], inconclusive: [] });
});

/**
 * Some servers look in memory for entries up to this age in ms. They show older entries only after they have received much newer entries.
 */
const IN_MEMORY_MS = 161 * 60_000;

test(
  "on a server that shows 161 minutes, streams of several hours are judged at each of five times of the hour",
  { timeout: LONGEST_MS },
  async () => {
    const fault = FAULTS.find(({ id }) => id === "logs-archive-enough");
    const only = ["logs-4.query_range/archive-windows", "logs-4.query_range/from-long-before"];
    for (const { red, passed } of await atEachMinute(MINUTES, shows(IN_MEMORY_MS, fault?.change), { only })) {
      expect(red).toMatchObject([{ clause: "logs-4.1", checks: ["logs-4.query_range/archive-windows"] }]);
      // The first check passes for all its other clauses.
      expect([...new Set(passed.map(({ check }) => check))].toSorted()).toEqual(only);
    }
  },
);

/** Two minutes of the hour. Only at the first of them, the time 150 minutes ago is within 91 seconds of a full hour. */
const CUTTING_MINUTES = [29.5, 33];
const LOOKED_INTO_MS = 150 * 60_000;

/** A server that reads an hour only if it ended at most 150 minutes ago. It then shows all entries of the hour. */
const LOOKS_INTO_HOURS: Entry = {
  id: "looks-into-hours",
  change: (base, { options }) => ({
    splitWindow: (window, span, reading) => {
      const parts = base.splitWindow(window, span, reading);
      const oldest = BigInt(Math.floor(options.now() - LOOKED_INTO_MS)) * 1_000_000n;
      return reading.path === "range" ? parts.filter(({ to }) => to >= oldest) : parts;
    },
  }),
};

test("a server that shows old entries only to windows that end later is not blamed", { timeout: LONGEST_MS }, async () => {
  for (const { red, inconclusive } of await atEachMinute(CUTTING_MINUTES, LOOKS_INTO_HOURS, {}))
    expect({ red, inconclusive }).toEqual({ red: [], inconclusive: [] });
});

/** A verdict does not depend on the minute of the hour in which a run begins. */
import { expect, test } from "vitest";
import { FAULTS } from "../reference/faults/index.ts";
import { type Entry, type EntryOptions, type EntryOutcome, runEntry } from "./entry.ts";

const HOUR_MS = 3_600_000;
/** Around the full and the half hour, where sets would lie across them, and far from both. */
const MINUTES = [0.5, 4, 9, 16, 31, 37, 42, 58];
/** Some of them, for servers of which one thing is looked at. */
const FEW_MINUTES = [0.5, 9, 31, 42];
const LONGEST_MS = 300_000;

/** The runs against a server whose clock shows these minutes of the hour at their beginning. */
async function atEachMinute(minutes: readonly number[], entry: Entry | null, options: EntryOptions): Promise<EntryOutcome[]> {
  return Promise.all(
    minutes.map(async (minute) => {
      const shift = minute * 60_000 - (Date.now() % HOUR_MS);
      const shifted = { id: "shifted", change: () => ({}), ...entry, options: { ...entry?.options, now: () => Date.now() + shift } };
      return runEntry(shifted, "release", 1, { ...options, service: "logs", passes: true });
    }),
  );
}

/** What was judged in a run, and how. */
function verdicts({ passed, red, inconclusive }: EntryOutcome): unknown {
  return {
    passed: passed.map(({ check, clause }) => `${check} ${clause}`),
    red: red.map(({ clause, checks }) => ({ clause, checks })),
    inconclusive: inconclusive.map(({ check }) => check),
  };
}

test("a sound server is judged with the same requests and verdicts at eight times of the hour", { timeout: LONGEST_MS }, async () => {
  const runs = await atEachMinute(MINUTES, null, {});
  const [first] = runs;
  expect(first).toMatchObject({ red: [], inconclusive: [] });
  for (const run of runs) expect(verdicts(run)).toEqual(verdicts(first as EntryOutcome));
  // Beside other tests a read may find an answer late and be repeated.
  const requests = runs.map((run) => run.requests);
  expect(Math.max(...requests) - Math.min(...requests)).toBeLessThan(Math.min(...requests) / 50);
});

test.each([
  ["logs-seam-hour-order-backward", ["logs-4.1/hours-order"]],
  // Streams that reach back for hours lie across half hours, too.
  ["logs-seam-half-hour-order-backward", ["logs-4.1/hours-order", "logs-4.1/archive-limits"]],
] as const)("a server with %s is judged alike at four times of the hour", { timeout: LONGEST_MS }, async (id, checks) => {
  const fault = FAULTS.find((one) => one.id === id);
  if (fault === undefined) throw new Error("there is no such fault");
  const runs = await atEachMinute(FEW_MINUTES, fault, { only: ["logs-4.1"] });
  for (const run of runs) expect(verdicts(run)).toEqual(verdicts(runs[0] as EntryOutcome));
  expect(runs[0]?.red).toMatchObject([{ clause: "logs-4.1", checks }]);
});

/** A server on which entries that are older, ms, are taken and never shown. */
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

/** At some minutes of the hour the last full one is nearly as old. */
const SHORT_MS = 75 * 60_000;

test(
  "a server that shows nothing older than 75 minutes is not blamed at any of four times of the hour",
  { timeout: LONGEST_MS },
  async () => {
    const runs = await atEachMinute(FEW_MINUTES, shows(SHORT_MS), { only: ["logs-4.query_range", "logs-4.query", "logs-4.1"] });
    for (const { red, inconclusive } of runs) expect({ red, inconclusive }).toEqual({ red: [], inconclusive: [] });
  },
);

/** Of some servers what is older is to be had only when something much newer has come. */
const IN_MEMORY_MS = 161 * 60_000;

test(
  "streams that reach back for hours are read at eight times of the hour on a server that shows 161 minutes, and what is wrong in them is seen",
  { timeout: LONGEST_MS },
  async () => {
    const fault = FAULTS.find(({ id }) => id === "logs-archive-enough");
    const only = ["logs-4.1/archive-limits", "logs-4.query_range/from-long-before"];
    for (const { red, passed } of await atEachMinute(MINUTES, shows(IN_MEMORY_MS, fault?.change), { only })) {
      expect(red).toMatchObject([{ clause: "logs-4.1", checks: ["logs-4.1/archive-limits"] }]);
      expect(passed.map(({ check }) => check)).toEqual(["logs-4.query_range/from-long-before"]);
    }
  },
);

/** From the times below, 150 minutes ago lie within the 91 seconds on both sides of a full hour, and beside them. */
const CUTTING_MINUTES = [28, 29.5, 31, 33];
const LOOKED_INTO_MS = 150 * 60_000;

/** A server that looks for nothing older, but answers all there is of an hour of which a window holds something newer. */
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

test("a server that shows old entries to windows that end later only is not blamed", { timeout: LONGEST_MS }, async () => {
  for (const { red, inconclusive } of await atEachMinute(CUTTING_MINUTES, LOOKS_INTO_HOURS, {}))
    expect({ red, inconclusive }).toEqual({ red: [], inconclusive: [] });
});

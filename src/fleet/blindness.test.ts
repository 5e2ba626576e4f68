/**
 * Runs the suite against servers that send invalid responses to one operation. If only this operation can show a clause, the clause must
 * not pass. If this operation cannot show it, it must not fail. A run against a legal server shows which clauses an operation can show.
 */
import { expect, test } from "vitest";
import { SERVICES } from "../contract/clause.ts";
import { NONSENSE, type NonsenseMode, type NonsenseOperation } from "../reference/nonsense.ts";
import { type EntryOutcome, runEntry } from "./entry.ts";
import { nonsenseOutcomes, serviceOf } from "./nonsense-pool.ts";

/** The names of the operations in the exchanges of the client. */
const CALLED = {
  create: "create instance",
  read: "read instance",
  update: "update instance",
  query_range: "query_range",
  query: "query",
  push: "push",
  labels: "labels",
  "label-values": "label values",
} satisfies Readonly<Record<NonsenseOperation, string>>;

/** Whether an exchange belongs to an operation. For probes and for requests of another tenant, the name of the operation is longer. */
function isOf(operation: string, called: string): boolean {
  return operation === called || operation.startsWith(`${called} `);
}

/** The documents do not show the response body of a create or a push, so any body is legal if the operation was carried out. */
function isLegal({ operation, kind }: NonsenseMode): boolean {
  return (operation === "create" || operation === "push") && ["truncated-json", "empty-body", "wrong-envelope", "frozen"].includes(kind);
}

const sound = new Map<string, Promise<EntryOutcome>>();

async function soundRun(service: "admin" | "logs"): Promise<EntryOutcome> {
  const known = sound.get(service) ?? runEntry(null, "release", 1, { passes: true, service });
  sound.set(service, known);
  return known;
}

test.each(SERVICES)("against a legal server of the %s API each passed clause was judged by at least one exchange", async (service) => {
  const { passed, red, inconclusive } = await soundRun(service);
  expect({ red, inconclusive }).toEqual({ red: [], inconclusive: [] });
  expect(passed.filter(({ operations }) => operations.length === 0)).toEqual([]);
});

/** Selects a sixth of the modes, with each kind of invalid response and each operation. All modes take as long as all other tests. */
function isUsual({ operation, kind }: NonsenseMode): boolean {
  const [operations, kinds] = [Object.keys(CALLED), [...new Set(NONSENSE.map((mode) => mode.kind))]];
  return (operations.indexOf(operation) + kinds.indexOf(kind)) % 6 === 0;
}

const MODES = NONSENSE.filter((mode) => process.env["BLINDNESS"] === "all" || isUsual(mode));

const outcomes = nonsenseOutcomes(MODES);

test.each(MODES.map((mode) => [mode.id, mode] as const))("%s", async (id, mode) => {
  const service = serviceOf(mode);
  const called = CALLED[mode.operation];
  const { passed, red, inconclusive } = (await outcomes.get(id)) as EntryOutcome;
  expect(red.length + inconclusive.length > 0, "the run notices what is not legal").toBe(!isLegal(mode));
  // The first response of a frozen operation is right, so clauses may pass. All its later responses are the same as the first.
  if (mode.kind === "frozen") return;
  const blind = passed.filter(({ operations }) => operations.every((operation) => isOf(operation, called)));
  expect(blind.map(({ check, clause }) => `${clause} by ${check}`)).toEqual([]);
  const shown = new Set(
    (await soundRun(service)).passed.filter(({ operations }) => operations.some((one) => isOf(one, called))).map(({ clause }) => clause),
  );
  expect(red.map(({ clause }) => clause).filter((clause) => !shown.has(clause))).toEqual([]);
});

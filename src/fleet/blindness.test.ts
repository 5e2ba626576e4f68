/**
 * Blindness: where every answer of an operation is nonsense, nothing may pass that only such answers could show, and nothing may be
 * blamed that they do not touch. What an operation can show is learned from a run against a sound server.
 */
import { expect, test } from "vitest";
import { NONSENSE, type NonsenseMode, type NonsenseOperation } from "../reference/nonsense.ts";
import { type EntryOutcome, runEntry } from "./entry.ts";
import { nonsenseOutcomes, serviceOf } from "./nonsense-pool.ts";

/** The names that the client gives to the operations. */
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

/** Probes and requests as another tenant are of the same operation. */
function isOf(operation: string, called: string): boolean {
  return operation === called || operation.startsWith(`${called} `);
}

/** What a create or a push answers is not shown: where it is carried out, any body will do. */
function isLegal({ operation, kind }: NonsenseMode): boolean {
  return (operation === "create" || operation === "push") && ["truncated-json", "empty-body", "wrong-envelope", "frozen"].includes(kind);
}

const sound = new Map<string, Promise<EntryOutcome>>();

async function soundRun(service: "admin" | "logs"): Promise<EntryOutcome> {
  const known = sound.get(service) ?? runEntry(null, "release", 1, { passes: true, service });
  sound.set(service, known);
  return known;
}

const SERVICES = ["admin", "logs"] as const;

test.each(SERVICES)("against a sound server every passing clause of the %s API rests on an exchange", async (service) => {
  const { passed, red, inconclusive } = await soundRun(service);
  expect({ red, inconclusive }).toEqual({ red: [], inconclusive: [] });
  expect(passed.filter(({ operations }) => operations.length === 0)).toEqual([]);
});

/** Every kind of nonsense from some operations, and some kinds from every operation. All of them take as long as all other tests. */
function isUsual({ operation, kind }: NonsenseMode): boolean {
  const [operations, kinds] = [Object.keys(CALLED), [...new Set(NONSENSE.map((mode) => mode.kind))]];
  return (operations.indexOf(operation) + kinds.indexOf(kind)) % 3 === 0;
}

const MODES = NONSENSE.filter((mode) => process.env["BLINDNESS"] === "all" || isUsual(mode));

const outcomes = nonsenseOutcomes(MODES);

test.each(MODES.map((mode) => [mode.id, mode] as const))("%s", async (id, mode) => {
  const service = serviceOf(mode);
  const called = CALLED[mode.operation];
  const { passed, red, inconclusive } = (await outcomes.get(id)) as EntryOutcome;
  expect(red.length + inconclusive.length > 0, "the run notices what is not legal").toBe(!isLegal(mode));
  // The first answer of an operation that is frozen was a right one; later ones are wrong in every respect.
  if (mode.kind === "frozen") return;
  const blind = passed.filter(({ operations }) => operations.every((operation) => isOf(operation, called)));
  expect(blind.map(({ check, clause }) => `${clause} by ${check}`)).toEqual([]);
  const shown = new Set(
    (await soundRun(service)).passed.filter(({ operations }) => operations.some((one) => isOf(one, called))).map(({ clause }) => clause),
  );
  expect(red.map(({ clause }) => clause).filter((clause) => !shown.has(clause))).toEqual([]);
});

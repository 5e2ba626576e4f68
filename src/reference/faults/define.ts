/** Defines the functions that make faults: single faults, and tables of faults by id. */
import type { Behaviour, BehaviourChange } from "../behaviour.ts";
import { changedInput, changedResult, decided, type Given, type Result } from "../change.ts";
import type { Fault } from "./types.ts";

export type FaultDetails = Pick<Fault, "also" | "options" | "settings" | "expectedDefaults" | "settleMs" | "needs">;

/** The clause that a fault violates, alone or with the details of the fault. */
export type Violated = string | (FaultDetails & Pick<Fault, "clause">);

/** A fault in a table of faults by id. A row without a clause has the clause of its table. */
export type Row = Omit<Fault, "id" | "clause"> & Partial<Pick<Fault, "clause">>;

/** The sentence of a fault, alone or with the details of the fault. */
export type Told = string | Omit<Row, "change">;

type Change = BehaviourChange["change"];

/** Returns a fault that replaces some functions of the base behaviour. */
export function fault(violated: Violated, id: string, sentence: string, change: Change): Fault {
  return { id, ...(typeof violated === "string" ? { clause: violated } : violated), sentence, change };
}

/** Returns the faults of a table in its order. `violated` has the clause and the details of faults that have none of their own. */
export function faultsOf(violated: Violated, table: Readonly<Record<string, Row>>): Fault[] {
  const common = typeof violated === "string" ? { clause: violated } : violated;
  return Object.entries(table).map(([id, row]) => ({ id, ...common, ...row }));
}

/** Returns a row whose fault replaces some functions of the base behaviour. */
export function broken(told: Told, change: Change): Row {
  return { ...(typeof told === "string" ? { sentence: told } : told), change };
}

/** Returns a row whose fault changes the result of one function of the base behaviour. */
export function wrongResult<Name extends keyof Behaviour>(
  name: Name,
  told: Told,
  change: (result: Result<Name>, ...given: Given<Name>) => Result<Name>,
): Row {
  return broken(told, changedResult(name, change));
}

/** Returns a row whose fault changes the arguments of one function of the base behaviour. */
export function wrongInput<Name extends keyof Behaviour>(name: Name, told: Told, change: (...given: Given<Name>) => Given<Name>): Row {
  return broken(told, changedInput(name, change));
}

/** Returns a row whose fault replaces the result of one function of the base behaviour, if `decide` returns a value. */
export function wrongDecision<Name extends keyof Behaviour>(
  name: Name,
  told: Told,
  decide: (...given: Given<Name>) => Result<Name> | undefined,
): Row {
  return broken(told, decided(name, decide));
}

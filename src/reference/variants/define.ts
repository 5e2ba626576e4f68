/** Defines the functions that make tables of variants by id, and bundles of several variants. */
import type { Behaviour, BehaviourChange } from "../behaviour.ts";
import { changedInput, changedResult, decided, type Given, type Result } from "../change.ts";
import type { Variant } from "./types.ts";

export type VariantDetails = Pick<Variant, "options" | "settings" | "expectedDefaults" | "settleMs" | "leavesOpen">;

/** A variant in a table of variants by id. */
export type Row = Omit<Variant, "id">;

/** The reason why a variant is legal, alone or with the details of the variant. */
export type Reason = string | (VariantDetails & Pick<Variant, "why" | "service">);

/** Returns the variants of a table in its order. */
export function variantsOf(table: Readonly<Record<string, Row>>): Variant[] {
  return Object.entries(table).map(([id, row]) => ({ id, ...row }));
}

/** Returns a row whose variant replaces some functions of the base behaviour. */
export function legal(sentence: string, reason: Reason, change: BehaviourChange["change"]): Row {
  return { sentence, ...(typeof reason === "string" ? { why: reason } : reason), change };
}

/** Returns a row whose variant changes the result of one function of the base behaviour. */
export function legalResult<Name extends keyof Behaviour>(
  name: Name,
  sentence: string,
  reason: Reason,
  change: (result: Result<Name>, ...given: Given<Name>) => Result<Name>,
): Row {
  return legal(sentence, reason, changedResult(name, change));
}

/** Returns a row whose variant changes the arguments of one function of the base behaviour. */
export function legalInput<Name extends keyof Behaviour>(
  name: Name,
  sentence: string,
  reason: Reason,
  change: (...given: Given<Name>) => Given<Name>,
): Row {
  return legal(sentence, reason, changedInput(name, change));
}

/** Returns a row whose variant replaces the result of one function of the base behaviour, if `decide` returns a value. */
export function legalDecision<Name extends keyof Behaviour>(
  name: Name,
  sentence: string,
  reason: Reason,
  decide: (...given: Given<Name>) => Result<Name> | undefined,
): Row {
  return legal(sentence, reason, decided(name, decide));
}

/** Combines several variants in their order, with their options and settings. */
export function bundle(id: string, sentence: string, why: string, parts: readonly Variant[], details: VariantDetails = {}): Variant {
  const options = Object.assign({}, ...parts.map((part) => part.options), details.options) as NonNullable<Variant["options"]>;
  const settings = Object.assign({}, ...parts.map((part) => part.settings), details.settings) as NonNullable<Variant["settings"]>;
  const expectedDefaults = Object.assign({}, ...parts.map((part) => part.expectedDefaults), details.expectedDefaults) as NonNullable<
    Variant["expectedDefaults"]
  >;
  const leavesOpen = parts.flatMap((part) => part.leavesOpen ?? []);
  const settleMs = Math.max(0, ...[...parts, details].map((part) => part.settleMs ?? 0));
  return {
    id,
    sentence,
    why,
    change: (base, server) => parts.reduce<Behaviour>((behaviour, part) => ({ ...behaviour, ...part.change(behaviour, server) }), base),
    options,
    settings,
    ...(Object.keys(expectedDefaults).length === 0 ? {} : { expectedDefaults }),
    ...(leavesOpen.length === 0 ? {} : { leavesOpen }),
    ...(settleMs === 0 ? {} : { settleMs }),
  };
}

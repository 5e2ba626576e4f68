/** A check is a value: its name, the clauses it judges, and how. Nothing in this file runs it. */
import type { ClauseId } from "../contract/catalogue.ts";
import type { Profile, Settings } from "../settings/types.ts";
import type { CheckContext } from "./context.ts";
import type { Fixture } from "./scope.ts";

export type Service = "admin" | "logs";

/**
 * `main` checks overlap. `closing` checks start after the last main check (settled re-reads, tallies over the whole run). `alone` checks
 * need an otherwise idle run, so they run one at a time. `waiting` checks spend their time waiting for late effects of writes, and overlap
 * again. `last` checks run one at a time, and change what other checks would read. `final` checks send nothing: they report the findings
 * about all responses.
 */
export const PHASES = ["main", "closing", "alone", "waiting", "last", "final"] as const;
export type Phase = (typeof PHASES)[number];

/** The phases whose checks run one at a time, in the order of the plan. */
export const ONE_AT_A_TIME: ReadonlySet<Phase> = new Set(["alone", "last"]);

/** The phases whose checks look back at those of all other phases, so that every shard has them. */
export const LOOKING_BACK: ReadonlySet<Phase> = new Set(["closing", "final"]);

export interface Check {
  /** `<clause>/<slug>`; constant between runs, it is the Allure full name. */
  readonly id: string;
  readonly title: string;
  /** The clauses this check judges; each assertion names exactly one of them. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  readonly service: Service;
  readonly phase: Phase;
  readonly profiles: readonly Profile[];
  /** Why this check does not run under these settings, or null. A missing opt-in has the form `NAME is not set`. */
  readonly unless: (settings: Settings) => string | null;
  /** Must succeed before anything about the service can be judged: that it answers at all. */
  readonly gate: Fixture<unknown> | null;
  readonly run: (t: CheckContext) => Promise<void>;
}

/** What a spec says about a check. Everything else has a default. */
export interface CheckSpec {
  /** What follows the first clause in the id. */
  readonly slug: string;
  readonly title: string;
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  readonly phase?: Phase;
  readonly profiles?: readonly Profile[];
  readonly unless?: (settings: Settings) => string | null;
  readonly run: (t: CheckContext) => Promise<void>;
}

/** The checks of one service, all behind the same gate. */
export function checksOf(service: Service, gate: Fixture<unknown>): (spec: CheckSpec) => Check {
  return ({ slug, title, clauses, phase = "main", profiles = ["smoke", "release", "nightly"], unless = () => null, run }) => ({
    id: `${clauses[0]}/${slug}`,
    title,
    clauses,
    service,
    phase,
    profiles,
    unless,
    gate,
    run,
  });
}

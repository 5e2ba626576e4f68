/** A check is a value: what it is called, which clauses it judges, and how. Nothing here runs it. */
import type { ClauseId } from "../contract/catalogue.ts";
import type { Profile, Settings } from "../settings/types.ts";
import type { CheckContext } from "./context.ts";
import type { Fixture } from "./scope.ts";

export type Service = "admin" | "logs";

/**
 * `main` checks overlap; `closing` checks start when every main check has ended (settled re-reads, tallies over the
 * whole run). What needs nobody else at work is `alone`, one at a time. `waiting` checks spend their time waiting for what a write may
 * bring later, and overlap again. The `last` ones, one at a time, leave nothing that could still be asked. The `final` ones send nothing: they report what was
 * noted of all responses.
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
  /** Why this check is not to run under these settings, or null. An opt-in that was not given is told as `NAME is not set`. */
  readonly unless: (settings: Settings) => string | null;
  /** What must succeed before anything about the service can be judged: that it answers at all. */
  readonly gate: Fixture<unknown> | null;
  readonly run: (t: CheckContext) => Promise<void>;
}

/** What a spec says of a check; the rest has sensible values. */
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

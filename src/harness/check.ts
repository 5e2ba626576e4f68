/** A check is a value: a name, the clauses that it judges, and a function. This file defines checks and runs none. */
import type { ClauseId } from "../contract/catalogue.ts";
import type { Service } from "../contract/clause.ts";
import type { Profile, Settings } from "../settings/types.ts";
import type { CheckContext } from "./context.ts";
import type { Fixture } from "./scope.ts";

/**
 * The phases of each service, in their order. The two services run their phases at the same time.
 * - `main`: concurrent checks.
 * - `alone`: checks that need an idle service, one at a time.
 * - `closing`: checks that repeat reads after all writes have settled, and judge numbers about the whole run.
 * - `waiting`: concurrent checks that wait for late effects of writes.
 * - `last`: checks that change data of other checks, one at a time.
 *
 * The waiting checks of the admin API do not write to instances that closing checks read. While they wait, earlier writes settle, so they
 * come first. The log API has its closing checks first, so that data is read before and after a service may have flushed it.
 */
export const PHASES_OF = {
  admin: ["main", "alone", "waiting", "closing", "last"],
  logs: ["main", "alone", "closing", "waiting", "last"],
} as const satisfies Record<Service, readonly string[]>;

/**
 * The phases that begin when both services have ended all phases of their own, in their order.
 * - `ending`: checks that read early data late, because a service may lose a change only some time later.
 * - `disruptive`: checks after which a service or gateway may refuse all requests for a while, one at a time.
 * - `final`: checks that send no requests, and report the findings about all responses.
 */
export const PHASES_OF_BOTH = ["ending", "disruptive", "final"] as const;

export type Phase = (typeof PHASES_OF)[Service][number] | (typeof PHASES_OF_BOTH)[number];

/** The phases whose checks run one at a time, in the order of the plan. */
export const ONE_AT_A_TIME: ReadonlySet<Phase> = new Set(["alone", "last", "disruptive"]);

/** The checks of these phases judge what the other checks of a run did. So each shard has them. */
export const LOOKING_BACK: ReadonlySet<Phase> = new Set(["closing", "final"]);

export interface Check {
  /** The id of the check, in the form `<clause>/<slug>`. The id is the same in all runs, because Allure recognises a check by its id. */
  readonly id: string;
  readonly title: string;
  /** The clauses that this check judges. Each assertion of a check judges at least one of these clauses. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  readonly service: Service;
  readonly phase: Phase;
  readonly profiles: readonly Profile[];
  /** The reason why the check does not run with these settings, or null. For a missing opt-in, the reason is `NAME is not set`. */
  readonly unless: (settings: Settings) => string | null;
  /** A fixture that succeeds if the service answers documented requests. If this fixture fails, no clause of the service is judged. */
  readonly gate: Fixture<unknown> | null;
  readonly run: (t: CheckContext) => Promise<unknown>;
}

/** The properties that a spec gives to a check. Each optional property has a default. */
export interface CheckSpec {
  /** The part of the check's id after the id of the first clause. */
  readonly slug: string;
  readonly title: string;
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  readonly phase?: Phase;
  readonly profiles?: readonly Profile[];
  readonly unless?: (settings: Settings) => string | null;
  readonly run: (t: CheckContext) => Promise<unknown>;
}

/** Makes the checks of a service. All checks of a service have the same gate. */
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

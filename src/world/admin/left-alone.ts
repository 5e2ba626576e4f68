/**
 * Instances that are updated once, early in the run, and then left alone, to be looked at at its end: what comes undone by itself has
 * had the longest time to, and what is only kept among the instances used last is gone. Nobody reads them before: a read would make
 * the service know them anew.
 */
import { isSuccess } from "../../client/exchange.ts";
import type { Limits } from "../../contract/limits.ts";
import { expecting } from "../../harness/expect.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import { fewLimits } from "./few-limits.ts";
import { createInstance, newName, sampled, update } from "./instances.ts";
import { reading } from "./reading.ts";
import { type LimitsJudge, removedFrom } from "./change.ts";
import { addedTo } from "./updating.ts";

interface Left {
  readonly clause: "admin-4.2" | "admin-4.3";
  readonly suffix: string;
  readonly before: Limits | null;
  readonly sent: Limits | undefined;
  readonly judge: LimitsJudge;
}

/** The assertion of an instance that is updated so now; null where its create or its update is refused. */
async function left(scope: Scope, { clause, suffix, before, sent, judge }: Left): Promise<Assertion | null> {
  const instance = await createInstance(scope, suffix, before);
  if (!isSuccess(instance.created)) return null;
  const answer = await update(scope, instance, newName(scope), sent);
  if (!isSuccess(answer)) return null;
  const assertion = expecting({ clauses: clause, of: instance, ask: reading(instance), expect: (body) => [...judge(body)] });
  return async (later) => {
    const finding = await assertion(later);
    return { ...finding, exchanges: [...finding.exchanges, answer], input: { "not read since": "the update of the instance" } };
  };
}

/** An instance with limits that are removed. */
export const leftWithoutLimits: Fixture<Assertion | null> = fixture(
  "admin",
  "an instance whose limits were removed early in the run",
  async (scope) => {
    const { sent: before } = await scope.use(sampled);
    return left(scope, { clause: "admin-4.2", suffix: "g", before, sent: undefined, judge: await removedFrom(scope) });
  },
);

/** An instance without limits to which some are added. */
export const leftWithLimits: Fixture<Assertion | null> = fixture(
  "admin",
  "an instance to which limits were added early in the run",
  async (scope) => {
    const sent = await scope.use(fewLimits);
    return left(scope, { clause: "admin-4.3", suffix: "h", before: null, sent, judge: await addedTo(scope, sent) });
  },
);

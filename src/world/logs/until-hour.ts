/** Streams of which one ends, and one begins, with an entry exactly at the last full hour: for services that cut windows there. */
import type { RelativeStream } from "../../arbitraries/streams.ts";
import { isSuccess } from "../../client/exchange.ts";
import { type Finding, together } from "../../harness/finding.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import { type Dataset, storeAt } from "./datasets.ts";
import { hourSet } from "./hour-set.ts";
import { HOUR } from "./placing.ts";

const SECOND = 1_000_000_000n;
/** How long before the hour the set begins. */
const BEFORE = 1_800n * SECOND;

/** Seconds from the hour. */
const TIMES = { until: [-1_200n, -600n, 0n], since: [0n, 1n, 2n] } as const;

const streams = Object.entries(TIMES).map(([colour, times]): RelativeStream => ({
  labels: { svc_size: "hour", svc_colour: colour },
  entries: times.map((seconds) => ({ offset: BEFORE + seconds * SECOND, line: `${colour} the hour ${seconds}` })),
}));

export interface UntilHour {
  readonly dataset: Dataset;
  /** ns. */
  readonly hour: bigint;
}

/** Null where this target does not take or keep what is around that hour, as far before it as this set begins. */
export const untilHour: Fixture<UntilHour | null> = fixture("logs", "streams that end and begin at a full hour", async (scope) => {
  const set = await scope.use(hourSet);
  if (set === null) return null;
  const hour = set.oldest + BigInt(set.hours - 1) * HOUR;
  if (set.dataset.start > hour - BEFORE) return null;
  const dataset = await storeAt(scope, "until-the-hour", { pushes: [streams] }, { anchor: hour - BEFORE, span: BEFORE + 60n * SECOND });
  return dataset.pushes.every(isSuccess) ? { dataset, hour } : null;
});

/** Within this a service has hardly put away what was pushed. */
const SOON_MS = 1_500;

function isTooLate({ differences, attempts }: Finding): boolean {
  return differences.length > 0 && (attempts?.[0]?.afterWriteMs ?? 0) > SOON_MS;
}

/**
 * A look that carries out assertions at once and answers with what they found. What was wrong at a first look that came late is left out: of
 * what has been put away, real services of the current generation do not find a last entry exactly at a full hour. Null where something
 * was left out and nothing else is wrong, as what is left shows less than was asked.
 */
export function soonAfter(assertions: readonly Assertion[]): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const findings = await Promise.all(assertions.map(async (assertion) => assertion(scope)));
    const inTime = findings.filter((finding) => !isTooLate(finding));
    const isWhole = inTime.length === findings.length || inTime.some(({ differences }) => differences.length > 0);
    return isWhole ? async () => together(inTime) : null;
  };
}

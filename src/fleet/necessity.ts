/** The reason for each check: the fault that only this check detects, or the loss if the check did not exist. */
import { CHECKS } from "../../specs/index.ts";
import { clauseOf, isJudged } from "../contract/catalogue.ts";
import { aloneIn, type FaultRow } from "./matrix.ts";

export interface Need {
  readonly check: string;
  /** The reason as a sentence. Empty if nothing shows that the check is needed. */
  readonly why: string;
}

/** The checks that judge a clause, in the order of the documents. */
const JUDGING = CHECKS.filter(({ clauses }) => clauses.some((clause) => isJudged(clauseOf(clause)))).map(({ id }) => id);

/** The reasons to keep checks although other checks detect the same faults of the fleet. */
const REASONS: Readonly<Record<string, string>> = {
  "admin-4.1/kept": "judges the creates from which the run learns the defaults of the target",
  "admin-4.GET/after-refresh":
    "waits, in a nightly run, until a service has read its limits anew; in the fleet that takes half a second, so others come upon it, too",
  "admin-4.GET/much-later":
    "waits some seconds after the last write for certain; how much later others look depends on how long the run takes",
  "admin-4.GET/often-read": "reads one instance many times with no write between for certain; later looks at it only add up to as many",
  "logs-4.query_range/every-response":
    "judges every response, whichever check sent the request; the fleet's faults of single responses are also seen by checks that happen to send them",
  "logs-4.push/archive":
    "pushes what the other checks of old entries read; where it does not come back, those only say that they cannot go on",
  "logs-4.query_range/neighbouring-windows":
    "asks for windows of one second one after the other while nothing is written; others come upon a coarse key only where they overlap",
  "logs-4.query_range/put-away":
    "waits, in a nightly run, until a service has put large streams away and forgotten them; what the fleet's servers put away goes sooner",
  "logs-4.1/archive-twice":
    "waits, in a nightly run, until a service has put one part of an hour away and then another; the faults of such parts need as long",
  "logs-4.matchers/settled":
    "selects again when nothing can be late any more; what other checks ask so late may be right for another matcher",
  "logs-4.query/equal-entries":
    "counts equal entries that are minutes old, on targets that show nothing of hours ago as well; the others are of old streams",
  "admin-2.created-at-unchanged/each-instance":
    "updates every instance of the run, whose digits differ; other checks update few, and happen to come upon what depends on digits",
  "admin-4.GET/known-afterwards": "is certain to look at an instance that was read before its create; others only happen to be one",
  "admin-2.created-at-unchanged/every-read":
    "reads instance after instance with no write between for certain; a later look only happens to",
  "admin-4.PUT/only-limits": "adds limits and removes them under one display name; other checks change some limit among many",
  "admin-4.PUT/after-refusal": "sends a plain update right after a refused one; where that is refused, other checks only cannot go on",
  "admin-4.PUT/at-once": "sends updates of several instances together for certain; those of other checks only happen to overlap",
  "logs-4.query_range/reads-at-once": "sends queries that differ in one thing together for certain; those of other checks only happen to",
  "logs-5.2a/reads-at-once": "asks as two tenants together for certain; reads of other checks only happen to meet",
  "logs-4.label-values/reads-at-once": "asks for the values of several labels together for certain; other checks only happen to",
  "admin-4.PUT/display-name": "changes the name without limits and with them in turn, so that a failure says for which of the two it is",
  "admin-4.PUT/lifecycle":
    "the one check that draws sequences over several instances, for states that no fault of the fleet has thought of",
  "logs-4.query_range/after-refusals":
    "sends a valid query right after a refused one for certain; in other checks one only happens to follow the other",
  "admin-4.POST/each-is-there":
    "judges the creates of the instances that other checks update; where one of them vanished, those can only say that they cannot go on",
  "logs-4.query_range/still-answered":
    "asks after refused queries among the first, before valid queries that are refused have used up what a run may send",
  "logs-4.query_range/from-long-before":
    "asks from before what a service shows, of an entry it has not put away; the sets around full hours end where nothing is shown",
  "logs-4.query_range/added-much-later":
    "is certain to read what may have been put away while something newer comes to its stream; others only happen to",
  "logs-4.push/accepted": "says that the push itself was refused; the checks that read entries back can only say that they are missing",
  "logs-2.range-result/shape": "judges the shape where entries are right; others come upon it and cannot go on",
  "logs-2.instant-result/shape": "judges the shape where samples are right; others come upon it and cannot go on",
  "logs-4.label-values/many-values": "lists more values than any other label has, so that a limit on their number shows",
  "logs-4.query_range/whole-sets": "reads everything with nothing else asked; other checks read so only to find the cause of what they saw",
  "logs-4.label-values/later-values": "needs one tenant only; a frozen list is come upon besides where several tenants are read",
  "logs-4.push/settled":
    "reads a set again when nothing can be late any more; others come upon what is lost later only where they read so late",
  "logs-4.1/reverse": "compares both directions with each other, which holds whatever else is wrong with the entries",
  "logs-4.3/with-limit": "is certain to cut filtered answers in both directions; generated cuts only happen to",
  "logs-4.query/neighbouring-times":
    "asks at several times while nothing is written; a cache that every write clears shows in other checks only between two writes",
  "logs-4.query/ranges": "a failure names the spelling of the range; generated queries write ranges in few ways",
  "logs-4.query_range/large-windows": "draws windows over blocks and many streams, where a failure shrinks to the smallest window",
  "logs-4.3/large-filters": "draws chains of filters over blocks; the hours and the small sets have a stream in one piece",
  "logs-4.4/large-pages": "pages over blocks and many streams; the small sets lie in one piece",
  "logs-4.query_range/hours-windows":
    "draws windows and limits around full hours, and shrinks a failure to the smallest; the reads of the order are written by hand",
  "logs-4.1/hours-order": "cuts across full hours in both directions; windows over hours are read whole",
  "logs-4.3/hours-filters": "filters on both sides of a full hour; windows over hours are read unfiltered",
  "logs-4.query/hours-metrics": "counts across full hours; the sets beside it keep clear of them",
  "logs-4.push/side-by-side-streams": "pushes to many streams at once, where one-stream pushes share a lock that hides a race",
  "logs-4.push/late-closed": "closes a chunk that entries came late to: a release run has no room for so many bytes more",
  "logs-4.label-values/short-values": "lists values that hold commas and braces, where a list may be split, or that may be read as numbers",
  "logs-4.push/side-by-side": "pushes to one stream at once, where many streams may be kept apart by what guards each of them",
  "logs-5.2a/isolated-metrics": "counts for each tenant as soon as its entries are there, which the count at the end does not",
  "logs-5.2a/isolated-labels": "lists for each tenant as soon as its labels are there, which the list at the end does not",
  "logs-4.query/settled": "counts again at the end, when what was in memory may have been put away; others count as soon as a set is there",
  "logs-4.1/settled": "cuts again at the end, when what was in memory may have been put away; others cut as soon as a set is there",
  "logs-4.labels/settled":
    "lists again at the end, when what was in memory may have been put away; others list as soon as labels are pushed",
  "logs-4.label-values/settled":
    "lists again at the end, when what was in memory may have been put away; others list as soon as labels are pushed",
  "logs-5.2a/isolated-at-once": "is certain to have pushes of both tenants overlap, and large ones; others only happen to",
  "logs-5.2a/settled": "reads both tenants again at the end; a store that keeps all of them together is right while data are in memory",
};

/**
 * The reason for each check. `faults` are the rows of a matrix in which no run ended early. `inSmoke` names the faults that only one check
 * detected in smoke runs.
 */
export function needsOf(faults: readonly FaultRow[], inSmoke: Readonly<Record<string, string>>): Need[] {
  const alone = aloneIn(faults);
  const named = namedAloneIn(faults);
  return JUDGING.map((check) => ({ check, why: why(check, alone, named, inSmoke) }));
}

function why(
  check: string,
  alone: Readonly<Record<string, string>>,
  named: Readonly<Record<string, string>>,
  inSmoke: Readonly<Record<string, string>>,
): string {
  if (alone[check] !== undefined) return `alone catches ${alone[check]}`;
  if (named[check] !== undefined) return `alone turns red the clause that ${named[check]} breaks: without it another would be blamed`;
  if (inSmoke[check] !== undefined) return `alone catches ${inSmoke[check]} in a smoke run`;
  return REASONS[check] ?? "";
}

/** The checks that were the only check to report the clause that a fault violates, each with such a fault. */
function namedAloneIn(faults: readonly FaultRow[]): Record<string, string> {
  const named: Record<string, string> = {};
  for (const { id, clause: own, red } of faults) {
    const [only, ...others] = red.find(({ clause }) => clause === own)?.checks ?? [];
    if (only !== undefined && others.length === 0) named[only] ??= id;
  }
  return named;
}

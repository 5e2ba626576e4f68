/**
 * Groups violations of one clause with the same kind of difference into defects, whichever checks found them.
 * The id of a defect is computed without values, names and times, so it is the same in each run.
 */
import { createHash } from "node:crypto";
import { judgedOutcomes } from "../harness/judged.ts";
import { isStatus, levelsText, resultText } from "../harness/headline.ts";
import type { CheckResult, ViolationFacts } from "../harness/result.ts";
import { kindOf } from "../model/difference.ts";
import { grouped } from "../model/grouped.ts";
import { KINDS } from "../model/kinds.ts";
import type { ClauseSummary, DefectSummary, FirstSeen } from "./model.ts";
import { violated } from "./violated.ts";
import { counted } from "./words.ts";

interface Found {
  readonly check: string;
  readonly clause: string;
  readonly facts: ViolationFacts;
}

/** Returns a path without positions and names. The wrong part of an entry or a sample stays visible. */
function placeOf(path: string): string {
  return path
    .replace(/ (?:\(|of ).*$/, "")
    .replaceAll(/(?<!value|\])\[\d+\]/g, "[]")
    .replaceAll(/\b(limits|stream|metric)\.[\w-]+/g, "$1.*");
}

/** Returns the words for the kind of a difference, without any value of the run except the number of a status. */
function wrongnessOf(difference: ViolationFacts["difference"]): string {
  const kind = kindOf(difference);
  return kind === "status" ? `${KINDS.status.is} ${difference.actual.split(/[:,;]| in /, 1)[0]}` : KINDS[kind].is;
}

function kindText({ difference }: ViolationFacts): string {
  return `${placeOf(difference.path)} ${wrongnessOf(difference)}`;
}

function titleOf({ clause, facts: { asked, difference, minimal } }: Found): string {
  // The clause of a limit is about this limit only, so the title names the limit.
  const [limit] = /limit\.\w+$/.exec(clause) ?? [];
  const named = limit?.replace("limit", "limits");
  const place = placeOf(difference.path).replace("limits.*", () => named ?? "limits.*");
  const where = isStatus(difference)
    ? [asked, ...(named === undefined ? [] : ["for", named])].join(" ")
    : [asked, place].filter((part) => part !== "").join(": ");
  const wrongness = difference.kind === "form" ? `is not ${difference.expected}` : wrongnessOf(difference);
  return `${resultText(asked, difference) ?? `${where} ${wrongness}`}${levelsText(minimal?.levels ?? {}, difference.path)}`;
}

function idOf(clause: string, facts: ViolationFacts): string {
  const levels = Object.entries(facts.minimal?.levels ?? {}).toSorted(([one], [other]) => one.localeCompare(other, "en"));
  return createHash("sha256")
    .update(`${clause}\n${levels.length === 0 ? kindText(facts) : levels.map(([factor, level]) => `${factor}: ${level}`).join(", ")}`)
    .digest("hex")
    .slice(0, 8);
}

/** Returns the violation that explains a defect best: if possible, a violation that names levels of factors. */
function best(found: readonly [Found, ...Found[]]): Found {
  return found.find(({ facts }) => facts.minimal !== undefined) ?? found[0];
}

function defectOf(id: string, found: readonly [Found, ...Found[]], followsFrom: string | undefined, firstSeen: FirstSeen): DefectSummary {
  const shown = best(found);
  const { clause, facts } = shown;
  const { minimal, difference } = facts;
  const others = new Set(found.filter((one) => one.facts.minimal === undefined).map(({ check }) => check));
  return {
    id,
    title: titleOf(shown),
    clauses: [clause],
    levels: minimal?.levels ?? {},
    input: facts.input,
    curl: facts.curl,
    expected: difference.expected,
    actual: difference.actual,
    ...(difference.kind === undefined ? {} : { kind: difference.kind }),
    failing: others.size + found.reduce((sum, one) => sum + (one.facts.minimal?.failing ?? 0), 0),
    failingWithLevels: minimal?.failingWithLevels ?? null,
    rightWithout: minimal?.rightWithout ?? null,
    checks: [...new Set([shown.check, ...found.map(({ check }) => check)])],
    ...(difference.contrast === undefined ? {} : { contrast: difference.contrast }),
    ...(followsFrom === undefined ? {} : { followsFrom }),
    firstSeen,
  };
}

/** Returns the defects in the order of correction. `now` is the present run, which becomes their `firstSeen`. */
export function defectsOf(results: readonly CheckResult[], clauses: readonly ClauseSummary[], now: FirstSeen): DefectSummary[] {
  const all = results.flatMap((result) =>
    judgedOutcomes(result).flatMap(({ clause, verdict, violation }): Found[] =>
      verdict === "fail" && violation !== undefined ? [{ check: result.id, clause, facts: violation }] : [],
    ),
  );
  const ofClause = grouped(all, ({ clause }) => clause);
  const defects = violated(clauses).flatMap(({ id: clause, followsFrom }) => {
    const kinds = [...grouped(ofClause.get(clause) ?? [], ({ facts }) => kindText(facts)).values()];
    const byId = grouped(kinds, (found) => idOf(clause, best(found).facts));
    return [...byId]
      .map(([id, [first, ...more]]) => defectOf(id, [first[0], ...first.slice(1), ...more.flat()], followsFrom, now))
      .toSorted((one, other) => other.failing - one.failing);
  });
  return withoutRepeatedLimits(defects);
}

const LIMIT_CLAUSE = /^admin-2\.limit\./;

/** If at least this number of limits is wrong in the same way, the cause is probably the same. */
const MANY_LIMITS = 5;

/** Returns the key of a defect: the title without the name of the limit, so that equal defects of limits are joined, or else the id. */
function kindOfLimit({ id, title, levels, clauses: [clause = ""] }: DefectSummary): string {
  const limit = clause.replace(LIMIT_CLAUSE, "");
  // A defect that needs a special value of a second limit is not joined with defects of other limits.
  const isCommon = limit !== clause && Object.keys(levels).every((factor) => [limit, "operation"].includes(factor));
  return isCommon
    ? title
        .replace(levelsText(levels, `limits.${limit}`), "")
        .replace(`limits.${limit}`, "limits.*")
        .replace(/^[A-Z]+: /, "")
    : id;
}

/** Joins defects that differ only in the limit, for example of a server that writes each limit as text. The first defect stands for all. */
function withoutRepeatedLimits(defects: readonly DefectSummary[]): DefectSummary[] {
  return [...grouped(defects, kindOfLimit)].flatMap(([kind, [first, ...others]]) => {
    const all = [first, ...others];
    if (all.length < MANY_LIMITS) return all;
    return [
      {
        ...first,
        id: createHash("sha256").update(kind).digest("hex").slice(0, 8),
        title: `${kind} (${all.length} limits)`,
        clauses: all.flatMap(({ clauses: own }) => own),
        failing: all.reduce((sum, { failing }) => sum + failing, 0),
        checks: [...new Set(all.flatMap(({ checks }) => checks))],
      },
    ];
  });
}

/** The consequences that the verdict mentions. Each text is a verb phrase after a subject such as "the defect". */
const IMPACTS: readonly (readonly [is: (defect: DefectSummary) => boolean, impact: string])[] = [
  [({ clauses, kind }) => clauses.includes("logs-4.push") && kind === "lost", "loses acknowledged entries"],
  [({ clauses }) => clauses.includes("logs-5.2a"), "breaks the isolation of tenants"],
  [({ clauses }) => clauses.some((clause) => clause === "admin-5.1" || clause === "logs-5.3"), "concerns authentication"],
];

/** Returns a text such as `2 defects, and 1 more that may follow from these defects; 1 of the defects loses acknowledged entries`. */
export function defectsText(defects: readonly DefectSummary[]): string {
  const own = defects.filter(({ followsFrom }) => followsFrom === undefined);
  const rest = defects.length - own.length;
  const more = rest === 0 ? "" : `, and ${rest} more that may follow from ${own.length === 1 ? "this defect" : "these defects"}`;
  const impacts = IMPACTS.flatMap(([is, impact]) => {
    const count = own.filter((defect) => is(defect)).length;
    return count === 0 ? [] : [`${own.length === 1 ? "the defect" : `${count} of the defects`} ${count === 1 ? impact : plural(impact)}`];
  });
  return [`${counted(own.length, "defect")}${more}`, ...impacts].join("; ");
}

/** Returns the words for a consequence with the verb in the plural form, for several defects. */
function plural(impact: string): string {
  return impact.replace(/^(\w+)s\b/, "$1");
}

/** Returns the numbers of cases that support the levels of a defect, or an empty text if no engine has counted cases. */
export function supportText({ failingWithLevels, rightWithout, levels }: DefectSummary): string {
  if (failingWithLevels === null || rightWithout === null) return "";
  if (Object.keys(levels).length === 0)
    return `The simplest case fails too, so no special input is needed. ${counted(failingWithLevels, "case")} failed.`;
  return `${counted(failingWithLevels, "case")} with this input failed. ${counted(rightWithout, "case")} without it ${rightWithout === 1 ? "was" : "were"} right.`;
}

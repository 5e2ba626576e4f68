/**
 * Groups violations of one clause with the same kind of difference into defects, whichever checks found them.
 * The id of a defect is computed without values, names and times, so it is the same in each run.
 */
import { createHash } from "node:crypto";
import { judgedOutcomes } from "../harness/judged.ts";
import type { CheckResult, MinimalLevels, ViolationFacts } from "../harness/result.ts";
import { grouped } from "../model/grouped.ts";
import type { ClauseSummary, DefectSummary, FirstSeen } from "./model.ts";
import { violated } from "./violated.ts";
import { counted } from "./words.ts";

interface Found {
  readonly check: string;
  readonly clause: string;
  readonly facts: ViolationFacts;
}

/** Patterns for the beginnings of actual values that say in words what is wrong, each with the words for the title of the defect. */
const TELLING: readonly (readonly [RegExp, string])[] = [
  [/^absent\b/, "is absent"],
  [/^missing\b/, "lacks data"],
  [/^unexpected\b/, "has data that it must not have"],
  [/^wrong order\b/, "is in the wrong order"],
  [/^more than once\b/, "has data more than once"],
  [/^(?:older|newer|other) entries\b/, "has wrong entries"],
  [/^only some entries\b/, "has only some of the entries with one timestamp"],
  [/^in (?:\{|\w+: )/, "has entries in a wrong stream"],
  [
    /^also an entry outside\b|^\d+ entr(?:y|ies) (?:that the query does not select|with other timestamps)\b/,
    "has data that it must not have",
  ],
  [/^\d+ of these entries are missing\b|^none$/, "lacks data"],
  [/^\d+ entr(?:y|ies) of the other tenant\b/, "has entries of another tenant"],
  [/^timestamp \d/, "has wrong timestamps"],
  [/\bonly (?:its|the) first \d/, "is cut off"],
  [/^a list without \d/, "lacks items"],
];

/** Patterns for the beginnings of expected values. They are used only if no actual value says in words what is wrong. */
const PROMISED: readonly (readonly [RegExp, string])[] = [
  [/^(?:only|nothing|no entr(?:y|ies)|an error or no entries)\b/, "has data that it must not have"],
  [/^each group once\b/, "has data more than once"],
  [/^all \d+ entries\b/, "lacks data"],
  [/^a count of \d/, "has another value"],
  [/^the \d+ (?:greatest|least) of \d/, "has other samples"],
  [/^the entries that this query returned before\b/, "has other entries than before"],
  [/^the same global default\b/, "differs between instances"],
  [/^the line\b/, "has another line"],
];

/** For each endpoint, the noun for the items that it lists. `OF_ITEMS` has the verbs that a title uses with this plural noun. */
const ITEMS: Readonly<Record<string, string>> = { query_range: "entries", query: "samples", labels: "names", "label values": "values" };
const OF_ITEMS = {
  "lacks data": "are missing",
  "has data that it must not have": "are returned that must not be returned",
  "is in the wrong order": "are in the wrong order",
  "has data more than once": "are returned more than once",
  "has wrong entries": "are not the newest or the oldest",
  "has only some of the entries with one timestamp": "with one timestamp are returned only in part",
  "has entries in a wrong stream": "are in a wrong stream",
  "has entries of another tenant": "of another tenant are returned",
} as const;

const STATUS = /^status \d+/;
const NOT_AS_PROMISED = "is not as promised";

/** Returns a path without positions and names. The wrong part of an entry or a sample stays visible. */
function placeOf(path: string): string {
  return path
    .replace(/ (?:\(|of ).*$/, "")
    .replaceAll(/(?<!value|\])\[\d+\]/g, "[]")
    .replaceAll(/\b(limits|stream|metric)\.[\w-]+/g, "$1.*");
}

/** Returns the type of the JSON value at the beginning of a text, or null if the text begins with words. */
function typeOf(text: string): string | null {
  if (/^(?:from |at least |at most )?-?\d/.test(text)) return "number";
  if (/^null\b/.test(text)) return "null";
  if (/^(?:true|false)\b/.test(text)) return "boolean";
  const [first = ""] = text;
  return { '"': "text", "[": "list", "{": "object" }[first] ?? null;
}

/** Matches a description of an expected value without any value of the run, such as `a JSON object`. */
const NAMEABLE = /^(?:an?|the) [^"'[\]{}\d]{1,60}$/;

/** Returns the words of a title for a difference of a kind that has no special words. */
function unlikeness({ expected }: ViolationFacts["difference"]): string {
  if (/^absent\b/.test(expected)) return "is present, but must be absent";
  return NAMEABLE.test(expected) ? `is not ${expected}` : NOT_AS_PROMISED;
}

function wrongnessOf({ expected, actual }: ViolationFacts["difference"]): string {
  const [status] = STATUS.exec(actual) ?? [];
  if (status !== undefined) return `is answered with ${status}`;
  const telling = TELLING.find(([pattern]) => pattern.test(actual));
  const sort = telling ?? PROMISED.find(([pattern]) => pattern.test(expected));
  if (sort !== undefined) return sort[1];
  const [promised, shown] = [typeOf(expected), typeOf(actual)];
  if (promised === null || shown === null) return NOT_AS_PROMISED;
  return promised === shown ? "has another value" : "has a value of another type";
}

function kindOf({ difference }: ViolationFacts): string {
  return `${placeOf(difference.path)} ${wrongnessOf(difference)}`;
}

function levelsText({ levels }: MinimalLevels): string {
  return Object.entries(levels)
    .toSorted(([one], [other]) => one.localeCompare(other, "en"))
    .map(([factor, level]) => `${factor}: ${level}`)
    .join(", ");
}

function titleOf({ clause, facts: { asked, difference, minimal } }: Found): string {
  // The clause of a limit is about this limit only, so the title names the limit.
  const place = placeOf(difference.path).replace(
    "limits.*",
    () => /limit\.\w+$/.exec(clause)?.[0].replace("limit", "limits") ?? "limits.*",
  );
  const where = [asked, place === "status" ? "" : place].filter((part) => part !== "").join(": ");
  const levels = minimal === undefined ? "" : levelsText(minimal);
  const kind = wrongnessOf(difference);
  const items = place === "data.result" || place === "data" ? (ITEMS[asked] ?? "") : "";
  const what =
    items !== "" && kind in OF_ITEMS
      ? `${asked}: ${items} ${OF_ITEMS[kind as keyof typeof OF_ITEMS]}`
      : `${where} ${kind === NOT_AS_PROMISED ? unlikeness(difference) : kind}`;
  return `${what}${levels === "" ? "" : ` with ${levels}`}`;
}

function idOf(clause: string, facts: ViolationFacts): string {
  const levels = facts.minimal === undefined ? "" : levelsText(facts.minimal);
  return createHash("sha256")
    .update(`${clause}\n${levels === "" ? kindOf(facts) : levels}`)
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
    const kinds = [...grouped(ofClause.get(clause) ?? [], ({ facts }) => kindOf(facts)).values()];
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
  return isCommon ? title.replace(`limits.${limit}`, "limits.*").replaceAll(/^[A-Z]+: | with .*$/g, "") : id;
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
  [({ clauses, actual }) => clauses.includes("logs-4.push") && actual.startsWith("missing"), "loses acknowledged entries"],
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
  const minimal = Object.keys(levels).length === 1 ? "this level" : "this combination";
  return `${counted(failingWithLevels, "case")} with ${minimal} failed. ${counted(rightWithout, "case")} without ${minimal} ${rightWithout === 1 ? "was" : "were"} right.`;
}

/** Faults of matchers in the selector of a query. */
import type { Behaviour } from "../behaviour.ts";
import type { LineFilter, Matcher } from "../logql/ast.ts";
import { type Labels, labelValue } from "../logs/types.ts";
import { broken, faultsOf, type Row, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

/** A fault: `test` decides whether a label passes a matcher. If `test` returns undefined, the server decides correctly. */
function matching(sentence: string, test: (matcher: Matcher, actual: string, labels: Labels) => boolean | undefined): Row {
  return broken(sentence, (base) => ({
    matchStream: (matcher, labels) => test(matcher, labelValue(labels, matcher.name), labels) ?? base.matchStream(matcher, labels),
  }));
}

/** Remembers the labels of all streams. `anyHas` says whether at least one stream passes all given matchers. */
function remembering(base: Behaviour): {
  readonly labelsOnWrite: Behaviour["labelsOnWrite"];
  readonly anyHas: (matchers: readonly Matcher[]) => boolean;
} {
  const known: Labels[] = [];
  return {
    labelsOnWrite: (labels) => {
      const kept = base.labelsOnWrite(labels);
      known.push(kept);
      return kept;
    },
    anyHas: (matchers) => known.some((labels) => matchers.every((one) => base.matchStream(one, labels))),
  };
}

function changedQuery(
  clause: string,
  sentence: string,
  change: (query: { matchers: readonly Matcher[]; filters: readonly LineFilter[] }) => {
    matchers?: readonly Matcher[];
    filters?: readonly LineFilter[];
  },
): Row {
  return wrongResult("parseQuery", { clause, sentence }, (query) => (query.kind === "log" ? { ...query, ...change(query) } : query));
}

export const LOGS_SELECTING_FAULTS: readonly Fault[] = faultsOf("logs-4.matchers", {
  "logs-match-equal-prefix": matching("The matcher = selects values that begin with the given one.", ({ operator, value }, actual) =>
    operator === "=" ? actual.startsWith(value) : undefined,
  ),
  "logs-match-equal-any-case": matching("The matcher = ignores upper and lower case.", ({ operator, value }, actual) =>
    operator === "=" ? actual.toLowerCase() === value.toLowerCase() : undefined,
  ),
  "logs-match-excludes-parts": matching("The matcher !~ excludes values with a part that matches.", ({ operator, value }, actual) =>
    operator === "!~" ? !new RegExp(value, "su").test(actual) : undefined,
  ),
  "logs-match-equal-three-letters": matching(
    "The matcher = compares only the first three characters of values shorter than eight.",
    ({ operator, value }, actual) => (operator === "=" && value.length < 8 ? actual.slice(0, 3) === value.slice(0, 3) : undefined),
  ),
  "logs-match-after-nothing": broken("If the first matchers have no stream in common, the next = or =~ matcher replaces them.", (base) => {
    const { labelsOnWrite, anyHas } = remembering(base);
    return {
      labelsOnWrite,
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        if (query.kind !== "log") return query;
        let counting: Matcher[] = [];
        for (const matcher of query.matchers) {
          const isNothing = counting.length > 0 && !anyHas(counting);
          counting = [...(isNothing && matcher.operator.startsWith("=") ? [] : counting), matcher];
        }
        return { ...query, matchers: counting };
      },
    };
  }),
  "logs-match-unequal-ignored": matching("The matcher != is ignored.", ({ operator }) => (operator === "!=" ? true : undefined)),
  "logs-match-unequal-prefix": matching("The matcher != excludes values that begin with the given one.", ({ operator, value }, actual) =>
    operator === "!=" ? !actual.startsWith(value) : undefined,
  ),
  "logs-match-regex-first-alternative": matching("The matcher =~ uses only its first alternative.", ({ operator, value }, actual) =>
    operator === "=~" ? actual === value.split("|")[0] : undefined,
  ),
  "logs-match-empty-none": matching(
    "The matcher = with an empty value selects no stream that lacks the label.",
    ({ operator, value }, actual) => (operator === "=" && value === "" && actual === "" ? false : undefined),
  ),
  "logs-match-regex-eight": broken("The matcher =~ selects only the first eight matching values.", (base) => {
    const selected = new WeakMap<Matcher, Set<string>>();
    return {
      matchStream: (matcher, labels) => {
        if (matcher.operator !== "=~" || !base.matchStream(matcher, labels)) return base.matchStream(matcher, labels);
        const values = selected.get(matcher) ?? new Set<string>();
        selected.set(matcher, values);
        const value = labelValue(labels, matcher.name);
        if (values.size < 8) values.add(value);
        return values.has(value);
      },
    };
  }),
  "logs-match-64-alternatives": matching("The matcher =~ ignores alternatives after the first 64.", ({ operator, value }, actual) =>
    operator === "=~" && value.split("|").length > 64 ? value.split("|").slice(0, 64).includes(actual) : undefined,
  ),
  "logs-match-regex-literal": matching("The matcher =~ compares its expression as a plain text.", ({ operator, value }, actual) =>
    operator === "=~" ? actual === value : undefined,
  ),
  "logs-match-not-regex-ignored": matching("The matcher !~ is ignored.", ({ operator }) => (operator === "!~" ? true : undefined)),
  "logs-match-first-three": changedQuery("logs-4.matchers", "Only the first three matchers of a selector are applied.", ({ matchers }) => ({
    matchers: matchers.slice(0, 3),
  })),
});

/** Faults of line filters (docs/2 section 4 rule 3). */

import type { LineFilter } from "../logql/ast.ts";
import { compileRegex } from "../logql/regex.ts";
import type { Labels } from "../logs/types.ts";
import { broken, faultsOf, type Row, wrongDecision } from "./define.ts";
import { firstOfKey, isFiltered, noted } from "./helpers.ts";
import type { Fault } from "./types.ts";

/** For the first line filter of a query, the whole chain of its line filters. */
const chains = new WeakMap<LineFilter, readonly LineFilter[]>();

const LOOKED_AT = 3;

/** A fault: `test` decides whether a line passes a filter. If `test` returns undefined, the server decides correctly. */
function filtering(sentence: string, test: (filter: LineFilter, line: string, index: number) => boolean | undefined): Row {
  return wrongDecision("filterLine", sentence, test);
}

/** A fault: a later `|=` is not applied if its text and the text of a first `|=` have the relation `isImplied`. */
function implied(sentence: string, isImplied: (text: string, first: string) => boolean): Row {
  return broken(sentence, (base) => {
    let first: string | undefined;
    return {
      filterLine: (filter, line, index) => {
        const isLeftOut = index > 0 && filter.operator === "|=" && first !== undefined && isImplied(filter.text, first);
        if (index === 0) first = filter.operator === "|=" ? filter.text : undefined;
        return isLeftOut || base.filterLine(filter, line, index);
      },
    };
  });
}

/** Returns a text with all letters outside ASCII in lower case. */
function foldedUmlauts(text: string): string {
  return text.replaceAll(/[^\p{ASCII}]/gu, (letter) => letter.toLowerCase());
}

export const LOGS_FILTERING_FAULTS: readonly Fault[] = faultsOf("logs-4.3", {
  "logs-filter-ignored": filtering("Line filters are ignored.", () => true),
  "logs-filter-first-only": filtering("Only the first line filter of a chain is applied.", (_filter, _line, index) =>
    index > 0 ? true : undefined,
  ),
  "logs-filter-any-case": filtering("|= ignores upper and lower case.", ({ operator, text }, line) =>
    operator === "|=" ? line.toLowerCase().includes(text.toLowerCase()) : undefined,
  ),
  "logs-filter-text-of-1000": filtering("|= with a text of more than 1,000 characters matches no line.", ({ operator, text }) =>
    operator === "|=" && text.length > 1_000 ? false : undefined,
  ),
  "logs-filter-anchored-by-matcher": broken(
    "An expression of a line filter that a matcher had first must match the whole line.",
    (base) => {
      const anchored = new Set<string>();
      return {
        matchStream: (matcher, labels) => {
          anchored.add(matcher.value);
          return base.matchStream(matcher, labels);
        },
        filterLine: (filter, line, index) =>
          filter.operator === "|~" && anchored.has(filter.text)
            ? compileRegex(filter.text, true).test(line)
            : base.filterLine(filter, line, index),
      };
    },
  ),
  "logs-filter-implied-by-prefix": implied("If a second |= begins with the text of the first, it is not applied.", (text, first) =>
    text.startsWith(first),
  ),
  "logs-filter-implied-by-half": implied(
    "If the texts of two |= have equal first halves, the second is not applied.",
    (text, first) => text.length > 1 && text.slice(0, text.length / 2) === first.slice(0, first.length / 2),
  ),
  "logs-filter-labels-by-values": broken(
    { clause: "logs-1.1", sentence: "With a line filter, streams with the same values get the labels of the first of them." },
    (base) => {
      const { parseQuery, fact } = noted(base, false, isFiltered);
      return {
        parseQuery,
        mergeShards: (answers, reading) => {
          const streams = base.mergeShards(answers, reading);
          if (!fact()) return streams;
          const first = firstOfKey<Labels>();
          return streams.map((stream) => {
            const names = Object.keys(stream.labels).toSorted();
            return { ...stream, labels: first(JSON.stringify(names.map((name) => stream.labels[name])), stream.labels) };
          });
        },
      };
    },
  ),
  "logs-filter-regex-any-case": filtering("|~ ignores upper and lower case.", ({ operator, text }, line) =>
    operator === "|~" ? compileRegex(`(?i)${text}`, false).test(line) : undefined,
  ),
  "logs-filter-not-ignored": filtering("!= is ignored.", ({ operator }) => (operator === "!=" ? true : undefined)),
  "logs-filter-not-as-has": filtering("!= is evaluated as |=.", ({ operator, text }, line) =>
    operator === "!=" ? line.includes(text) : undefined,
  ),
  "logs-filter-not-regex-ignored": filtering("!~ is ignored.", ({ operator }) => (operator === "!~" ? true : undefined)),
  "logs-filter-not-any-case": filtering("!= and !~ ignore upper and lower case.", ({ operator, text }, line) =>
    operator === "!="
      ? !line.toLowerCase().includes(text.toLowerCase())
      : operator === "!~"
        ? !compileRegex(`(?i)${text}`, false).test(line)
        : undefined,
  ),
  "logs-filter-regex-literal": filtering("|~ searches for its expression as a plain text.", ({ operator, text }, line) =>
    operator === "|~" ? line.includes(text) : undefined,
  ),
  "logs-filter-regex-last-of-group": broken(
    "If an expression has a text and then three or more alternatives, only the last alternative matches.",
    (base) => ({
      filterLine: ({ operator, text }, line, index) => {
        const last = operator.includes("~") ? text.replace(/(?<=\w)\((?:[^()|]*\|){2,}([^()|]*)\)/, "$1") : text;
        return base.filterLine({ operator, text: last }, line, index);
      },
    }),
  ),
  "logs-filter-text-as-regex": filtering("|= reads its text as a regular expression.", ({ operator, text }, line) =>
    operator === "|=" ? asExpression(text, line) : undefined,
  ),
  "logs-filter-sql": filtering("In the text of |= and !=, % stands for any text, and _ for any character.", ({ operator, text }, line) => {
    if (!/[%_]/.test(text) || !["|=", "!="].includes(operator)) return undefined;
    const plain = text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    const isFound = new RegExp(plain.replaceAll("%", ".*").replaceAll("_", "."), "s").test(line);
    return isFound === (operator === "|=");
  }),
  "logs-filter-umlauts-any-case": filtering("|= ignores the case of letters outside ASCII.", ({ operator, text, others }, line) =>
    operator === "|=" && others === undefined ? foldedUmlauts(line).includes(foldedUmlauts(text)) : undefined,
  ),
  "logs-filter-at-start": filtering("|= matches only at the beginning of the line.", ({ operator, text }, line) =>
    operator === "|=" ? line.startsWith(text) : undefined,
  ),
  "logs-filter-unicode": filtering("|= with letters outside ASCII matches no line.", ({ operator, text }) =>
    operator === "|=" && /[^\p{ASCII}]/u.test(text) ? false : undefined,
  ),
  "logs-filter-not-is-expression": filtering("!= reads its text as a regular expression.", ({ operator, text }, line) =>
    operator === "!=" ? !asExpression(text, line) : undefined,
  ),
  "logs-filter-forward-ignored": broken({ sentence: "Line filters are ignored with direction=forward.", also: ["logs-5.2b"] }, (base) => {
    let forward = false;
    return {
      rangeQuery: (query) => {
        forward = query.direction === "forward";
        return base.rangeQuery(query);
      },
      filterLine: (filter, line, index) => forward || base.filterLine(filter, line, index),
    };
  }),
  "logs-filter-quote": filtering("|= with a quote in its text matches no line.", ({ operator, text }) =>
    operator === "|=" && text.includes('"') ? false : undefined,
  ),
  "logs-filter-backslash": filtering("|= with a backslash in its text searches for two backslashes.", ({ operator, text }, line) =>
    operator === "|=" && text.includes("\\") ? line.includes(text.replaceAll("\\", "\\\\")) : undefined,
  ),
  "logs-filter-no-break-space": filtering("|= with a no-break space in its text matches no line.", ({ operator, text }) =>
    operator === "|=" && text.includes("\u00a0") ? false : undefined,
  ),
  "logs-filter-line-by-line": filtering(
    "The expression of |~ is matched with each line of an entry that has line breaks.",
    ({ operator, text, others }, line) =>
      operator === "|~" && others === undefined ? line.split("\n").some((part) => compileRegex(text, false).test(part)) : undefined,
  ),
  "logs-filter-third-ignored": filtering("The third line filter of a chain is ignored.", (_filter, _line, index) =>
    index === 2 ? true : undefined,
  ),
  "logs-filter-any-of-chain": broken("A line passes a chain of filters if it passes one of them.", (base) => ({
    parseQuery: (text) => {
      const query = base.parseQuery(text);
      if (query.kind !== "log" || query.filters.length < 2) return query;
      // The server reduces the chain to its first filter. To evaluate this filter, it evaluates the whole chain.
      const chain = query.filters;
      const [first] = chain;
      if (first === undefined) return query;
      const any: LineFilter = { ...first };
      chains.set(any, chain);
      return { ...query, filters: [any] };
    },
    filterLine: (filter, line, index) => {
      const chain = chains.get(filter);
      return chain === undefined ? base.filterLine(filter, line, index) : chain.some((one) => base.filterLine(one, line, 0));
    },
  })),
  "logs-filter-refused": wrongDecision("refuseQuery", "Range queries with a line filter are refused.", (query, endpoint) =>
    query.kind === "log" && endpoint === "query_range" && query.filters.length > 0
      ? { kind: "syntax", message: "filters are not supported" }
      : undefined,
  ),
  "logs-filter-after-limit": broken("With line filters, at most three entries of a stream are read.", (base) => {
    const { parseQuery, fact } = noted(base, false, isFiltered);
    return {
      parseQuery,
      scan: (entries, window, accepts, limit, direction) =>
        fact()
          ? base
              .scan(entries, window, () => true, LOOKED_AT, direction)
              .filter(accepts)
              .slice(0, limit)
          : base.scan(entries, window, accepts, limit, direction),
    };
  }),
});

function asExpression(text: string, line: string): boolean {
  try {
    return new RegExp(text, "u").test(line);
  } catch {
    return false;
  }
}

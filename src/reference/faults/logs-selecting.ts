/** Faults of matchers and line filters (docs/2 section 4 rule 3 and the query's selector). */
import type { Behaviour } from "../behaviour.ts";
import { counter } from "../change.ts";
import type { LineFilter, Matcher } from "../logql/ast.ts";
import { QueryError } from "../logql/error.ts";
import { compileRegex } from "../logql/regex.ts";
import { type Labels, labelValue } from "../logs/types.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

/** The chains that one filter stands for. */
const chains = new WeakMap<LineFilter, readonly LineFilter[]>();

const LOOKED_AT = 3;

/** Matches differently where `test` answers; undefined leaves it to the base. */
function matching(id: string, sentence: string, test: (matcher: Matcher, actual: string, labels: Labels) => boolean | undefined): Fault {
  return fault("logs-4.matchers", id, sentence, (base) => ({
    matchStream: (matcher, labels) => test(matcher, labelValue(labels, matcher.name), labels) ?? base.matchStream(matcher, labels),
  }));
}

/** Filters differently where `test` answers; undefined leaves it to the base. */
function filtering(id: string, sentence: string, test: (filter: LineFilter, line: string, index: number) => boolean | undefined): Fault {
  return fault("logs-4.3", id, sentence, (base) => ({
    filterLine: (filter, line, index) => test(filter, line, index) ?? base.filterLine(filter, line, index),
  }));
}

/** Remembers the labels of all streams, and whether any has all that some matchers ask for. */
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
  id: string,
  sentence: string,
  change: (query: { matchers: readonly Matcher[]; filters: readonly LineFilter[] }) => {
    matchers?: readonly Matcher[];
    filters?: readonly LineFilter[];
  },
): Fault {
  return fault(clause, id, sentence, (base) => ({
    parseQuery: (text) => {
      const query = base.parseQuery(text);
      return query.kind === "log" ? { ...query, ...change(query) } : query;
    },
  }));
}

const MATCHERS: readonly Fault[] = [
  matching("logs-match-equal-prefix", "The matcher = selects values that begin with the given one.", ({ operator, value }, actual) =>
    operator === "=" ? actual.startsWith(value) : undefined,
  ),
  matching("logs-match-equal-any-case", "The matcher = does not mind upper and lower case.", ({ operator, value }, actual) =>
    operator === "=" ? actual.toLowerCase() === value.toLowerCase() : undefined,
  ),
  matching(
    "logs-match-equal-three-letters",
    "The matcher = compares the first three characters of values shorter than eight.",
    ({ operator, value }, actual) => (operator === "=" && value.length < 8 ? actual.slice(0, 3) === value.slice(0, 3) : undefined),
  ),
  matching(
    "logs-match-alternatives-loose",
    "Of the alternatives of an expression the first must match the beginning of a value only, and the last its end.",
    ({ operator, value }, actual) =>
      operator === "=~" && value.includes("|") && !value.includes("(") ? new RegExp(`^${value}$`, "su").test(actual) : undefined,
  ),
  matching("logs-match-numbers", "The matcher = compares values that are numbers as numbers.", ({ operator, value }, actual) =>
    operator === "=" && /^[\d.]+$/.test(value) && /^[\d.]+$/.test(actual) ? Number(value) === Number(actual) : undefined,
  ),
  fault("logs-4.matchers", "logs-match-decoded-twice", "Escapes of URLs in the value of a matcher are decoded once more.", (base) => ({
    matchStream: (matcher, labels) =>
      base.matchStream({ ...matcher, value: matcher.value.replaceAll(/%([0-9A-F]{2})/g, (escape) => decodeURIComponent(escape)) }, labels),
  })),
  fault("logs-4.matchers", "logs-match-digit-in-name", "A label name with a digit in it is not understood in a matcher.", (base) => ({
    parseQuery: (text) => {
      if (/[{,]\s*[a-z]\w*\d\w*\s*=/i.test(text)) throw new QueryError("unexpected digit", text.search(/\d/));
      return base.parseQuery(text);
    },
  })),
  fault("logs-4.matchers", "logs-match-function-name", "A label with the name of a function is not understood in a matcher.", (base) => ({
    parseQuery: (text) => {
      const at = text.search(/[{,]\s*(?:count|sum|rate|min|max)\s*[=!]/);
      if (at !== -1) throw new QueryError("unexpected function", at);
      return base.parseQuery(text);
    },
  })),
  matching("logs-match-capital-name", "A matcher of a label whose name begins with a capital selects nothing.", ({ name }) =>
    /^[A-Z]/.test(name) ? false : undefined,
  ),
  fault(
    "logs-4.matchers",
    "logs-match-after-nothing",
    "Where matchers before one of = or =~ have no stream in common, that one begins anew.",
    (base) => {
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
    },
  ),
  fault("logs-4.matchers", "logs-match-first-unknown", "A first matcher whose value no stream has is left out.", (base) => {
    const { labelsOnWrite, anyHas } = remembering(base);
    return {
      labelsOnWrite,
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        const [first, ...rest] = query.kind === "log" ? query.matchers : [];
        const isKnown = first === undefined || rest.length === 0 || anyHas([first]);
        return query.kind !== "log" || isKnown ? query : { ...query, matchers: rest };
      },
    };
  }),
  matching(
    "logs-match-set-escapes-kept",
    "Of alternatives that are plain values, escaped characters are looked for with their backslash.",
    ({ operator, value }, actual) =>
      operator === "=~" && /^(?:\\.|[\w ])+(?:\|(?:\\.|[\w ])+)+$/.test(value) ? value.split("|").includes(actual) : undefined,
  ),
  matching(
    "logs-match-any-case-first-only",
    "Of alternatives for any case the first is, the others are not.",
    ({ operator, value }, actual) => {
      const [first = "", ...others] = value.split("|");
      if (!first.startsWith("(?i)") || others.length === 0 || !operator.includes("~")) return undefined;
      return (compileRegex(first, true).test(actual) || others.includes(actual)) === (operator === "=~");
    },
  ),
  matching("logs-match-unequal-ignored", "The matcher != is ignored.", ({ operator }) => (operator === "!=" ? true : undefined)),
  matching("logs-match-unequal-prefix", "The matcher != excludes values that begin with the given one.", ({ operator, value }, actual) =>
    operator === "!=" ? !actual.startsWith(value) : undefined,
  ),
  matching("logs-match-unequal-as-equal", "The matcher != is taken for =.", ({ operator, value }, actual) =>
    operator === "!=" ? actual === value : undefined,
  ),
  matching("logs-match-regex-first-alternative", "Of the alternatives of =~ only the first counts.", ({ operator, value }, actual) =>
    operator === "=~" ? actual === value.split("|")[0] : undefined,
  ),
  matching(
    "logs-match-empty-none",
    "The matcher = with an empty value selects no stream without the label.",
    ({ operator, value }, actual) => (operator === "=" && value === "" && actual === "" ? false : undefined),
  ),
  fault("logs-4.matchers", "logs-match-regex-eight", "Of the values that =~ selects the first eight count.", (base) => {
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
  matching(
    "logs-match-regex-of-nothing-as-all",
    "An expression of =~ that matches nothing, too, is taken for one that matches all.",
    ({ operator, regex }) => (operator === "=~" && regex?.test("") === true ? true : undefined),
  ),
  matching("logs-match-regex-literal", "The matcher =~ compares its expression as it stands.", ({ operator, value }, actual) =>
    operator === "=~" ? actual === value : undefined,
  ),
  matching("logs-match-not-regex-ignored", "The matcher !~ is ignored.", ({ operator }) => (operator === "!~" ? true : undefined)),
  matching("logs-match-quote", "A quote in a matcher's value matches nothing.", ({ operator, value }) =>
    value.includes('"') ? operator.startsWith("!") : undefined,
  ),
  matching("logs-match-parenthesis", "A parenthesis in a matcher's value ends it.", ({ operator, value }, actual) =>
    operator === "=" && value.includes(")") ? actual === value.slice(0, value.indexOf(")")) : undefined,
  ),
  matching("logs-match-backslash", "A backslash in a matcher's value is taken for two.", ({ operator, value }, actual) =>
    value.includes("\\") && (operator === "=" || operator === "!=")
      ? (actual === value.replaceAll("\\", "\\\\")) === (operator === "=")
      : undefined,
  ),
  matching("logs-match-unicode", "A matcher's value with letters outside ASCII matches nothing.", ({ operator, value }) =>
    /[^\p{ASCII}]/u.test(value) ? operator.startsWith("!") : undefined,
  ),
  changedQuery("logs-4.matchers", "logs-match-first-three", "Only the first three matchers of a selector count.", ({ matchers }) => ({
    matchers: matchers.slice(0, 3),
  })),
  changedQuery(
    "logs-4.matchers",
    "logs-match-one-per-label",
    "Of several matchers on one label only the first counts.",
    ({ matchers }) => ({
      matchers: matchers.filter(({ name }, index) => matchers.findIndex((other) => other.name === name) === index),
    }),
  ),
];

const SAME_NAME: readonly Fault[] = [
  fault("logs-4.matchers", "logs-match-last-expression-of-name", "Of several =~ matchers of one label the last alone holds.", (base) => ({
    parseQuery: (text) => {
      const query = base.parseQuery(text);
      if (query.kind !== "log") return query;
      const last = new Map(query.matchers.filter(({ operator }) => operator === "=~").map((one) => [one.name, one]));
      return { ...query, matchers: query.matchers.filter((one) => one.operator !== "=~" || last.get(one.name) === one) };
    },
  })),
];

const PAGE_BYTES = 4_096;

/** Whether a part of a line holds a text, of parts of so many bytes each. */
function isInPage(line: string, text: string): boolean {
  const bytes = Buffer.from(line);
  const pages = Array.from({ length: Math.ceil(bytes.length / PAGE_BYTES) }, (_, page) => page * PAGE_BYTES);
  return pages.some((from) => bytes.subarray(from, from + PAGE_BYTES).includes(text));
}

const FILTERS: readonly Fault[] = [
  filtering(
    "logs-filter-across-pages-lost",
    "A text that lies across a multiple of 4 KiB in a line is not found.",
    ({ operator, text }, line) => (operator === "|=" && line.length > PAGE_BYTES && line.includes(text) ? isInPage(line, text) : undefined),
  ),
  filtering("logs-filter-ignored", "Line filters are ignored.", () => true),
  filtering("logs-filter-first-only", "Only the first line filter of a chain counts.", (_filter, _line, index) =>
    index > 0 ? true : undefined,
  ),
  filtering("logs-filter-across-lines", "No line holds a text with the end of a line in it.", ({ operator, text }) =>
    text.includes("\n") ? operator === "!=" || operator === "!~" : undefined,
  ),
  filtering("logs-filter-any-case", "|= does not mind upper and lower case.", ({ operator, text }, line) =>
    operator === "|=" ? line.toLowerCase().includes(text.toLowerCase()) : undefined,
  ),
  fault("logs-4.3", "logs-filter-comment", "What follows a # in a query is a comment, in its texts too.", (base) => ({
    filterLine: (filter, line, index) =>
      base.filterLine(
        filter.text.includes("#") ? { ...filter, text: filter.text.slice(0, filter.text.indexOf("#")) } : filter,
        line,
        index,
      ),
  })),
  fault("logs-4.3", "logs-filter-implied-by-prefix", "Of two |= the second is left out where it begins with the first.", (base) => {
    let first: string | undefined;
    return {
      filterLine: (filter, line, index) => {
        const implied = index > 0 && filter.operator === "|=" && first !== undefined && filter.text.startsWith(first);
        if (index === 0) first = filter.operator === "|=" ? filter.text : undefined;
        return implied || base.filterLine(filter, line, index);
      },
    };
  }),
  fault(
    "logs-1.1",
    "logs-filter-labels-by-values",
    "Under a line filter streams with the same values, of whatever names, have the labels of the first.",
    (base) => {
      let isFiltered = false;
      return {
        parseQuery: (text) => {
          const query = base.parseQuery(text);
          isFiltered = query.kind === "log" && query.filters.length > 0;
          return query;
        },
        mergeShards: (answers, reading) => {
          const streams = base.mergeShards(answers, reading);
          if (!isFiltered) return streams;
          const first = new Map<string, Labels>();
          return streams.map((stream) => {
            const values = JSON.stringify(
              Object.keys(stream.labels)
                .toSorted()
                .map((name) => stream.labels[name]),
            );
            const labels = first.get(values) ?? stream.labels;
            first.set(values, labels);
            return { ...stream, labels };
          });
        },
      };
    },
  ),
  filtering("logs-filter-regex-any-case", "|~ does not mind upper and lower case.", ({ operator, text }, line) =>
    operator === "|~" ? compileRegex(`(?i)${text}`, false).test(line) : undefined,
  ),
  filtering(
    "logs-filter-any-case-not-at-end",
    "An expression for any case is not looked for at the very end of a line.",
    ({ operator, text }, line) => {
      const inAnyCase = /^\(\?i\)\w+$/.test(text) && line.toLowerCase().endsWith(text.slice(4).toLowerCase());
      if (!inAnyCase || !operator.includes("~")) return undefined;
      return compileRegex(text, false).test(line.slice(0, -1)) === (operator === "|~");
    },
  ),
  filtering("logs-filter-not-ignored", "!= is ignored.", ({ operator }) => (operator === "!=" ? true : undefined)),
  filtering("logs-filter-not-as-has", "!= is taken for |=.", ({ operator, text }, line) =>
    operator === "!=" ? line.includes(text) : undefined,
  ),
  filtering("logs-filter-not-regex-ignored", "!~ is ignored.", ({ operator }) => (operator === "!~" ? true : undefined)),
  filtering("logs-filter-not-any-case", "!= and !~ do not mind upper and lower case.", ({ operator, text }, line) =>
    operator === "!="
      ? !line.toLowerCase().includes(text.toLowerCase())
      : operator === "!~"
        ? !compileRegex(`(?i)${text}`, false).test(line)
        : undefined,
  ),
  filtering("logs-filter-regex-literal", "|~ looks for its expression as it stands.", ({ operator, text }, line) =>
    operator === "|~" ? line.includes(text) : undefined,
  ),
  fault("logs-4.3", "logs-filter-regex-last-of-group", "Of three and more alternatives that follow a text the last counts.", (base) => ({
    filterLine: ({ operator, text }, line, index) => {
      const last = operator.includes("~") ? text.replace(/(?<=\w)\((?:[^()|]*\|){2,}([^()|]*)\)/, "$1") : text;
      return base.filterLine({ operator, text: last }, line, index);
    },
  })),
  filtering("logs-filter-text-as-regex", "|= takes its text for a regular expression.", ({ operator, text }, line) =>
    operator === "|=" ? asExpression(text, line) : undefined,
  ),
  filtering("logs-filter-at-start", "|= looks at the beginning of the line only.", ({ operator, text }, line) =>
    operator === "|=" ? line.startsWith(text) : undefined,
  ),
  filtering("logs-filter-unicode", "|= with letters outside ASCII finds nothing.", ({ operator, text }) =>
    operator === "|=" && /[^\p{ASCII}]/u.test(text) ? false : undefined,
  ),
  filtering("logs-filter-text-cut", "|= and != look at the first 64 characters of their text.", ({ operator, text }, line) =>
    operator === "|=" || operator === "!=" ? line.includes(text.slice(0, 64)) === (operator === "|=") : undefined,
  ),
  filtering("logs-filter-not-is-expression", "!= takes its text for a regular expression.", ({ operator, text }, line) =>
    operator === "!=" ? !asExpression(text, line) : undefined,
  ),
  fault("logs-4.3", "logs-filter-forward-ignored", "Line filters are ignored with direction=forward.", (base) => {
    let forward = false;
    return {
      rangeQuery: (query) => {
        forward = query.direction === "forward";
        return base.rangeQuery(query);
      },
      filterLine: (filter, line, index) => forward || base.filterLine(filter, line, index),
    };
  }),
  filtering("logs-filter-quote", "|= with a quote in its text finds nothing.", ({ operator, text }) =>
    operator === "|=" && text.includes('"') ? false : undefined,
  ),
  filtering("logs-filter-backslash", "|= with a backslash in its text looks for two.", ({ operator, text }, line) =>
    operator === "|=" && text.includes("\\") ? line.includes(text.replaceAll("\\", "\\\\")) : undefined,
  ),
  filtering("logs-filter-tab", "|= with a tab in its text looks for a backslash and a t.", ({ operator, text }, line) =>
    operator === "|=" && text.includes("\t") ? line.includes(text.replaceAll("\t", "\\t")) : undefined,
  ),
  filtering("logs-filter-backquote", "|= with a backquote in its text finds nothing.", ({ operator, text }) =>
    operator === "|=" && text.includes("`") ? false : undefined,
  ),
  filtering("logs-filter-third-ignored", "The third line filter of a chain is ignored.", (_filter, _line, index) =>
    index === 2 ? true : undefined,
  ),
  fault("logs-4.3", "logs-filter-any-of-chain", "A line passes a chain of filters when it passes one of them.", (base) => ({
    parseQuery: (text) => {
      const query = base.parseQuery(text);
      if (query.kind !== "log" || query.filters.length < 2) return query;
      // The first filter stands for all of them, so that it alone can let a line pass.
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
  fault("logs-4.3", "logs-filter-refused", "Range queries with a line filter are refused.", (base) => ({
    refuseQuery: (query, endpoint) =>
      query.kind === "log" && endpoint === "query_range" && query.filters.length > 0
        ? { kind: "syntax", message: "filters are not supported" }
        : base.refuseQuery(query, endpoint),
  })),
  fault("logs-4.3", "logs-filter-chain-refused", "Range queries with more than one line filter are refused.", (base) => ({
    refuseQuery: (query, endpoint) =>
      query.kind === "log" && endpoint === "query_range" && query.filters.length > 1
        ? { kind: "syntax", message: "one filter is enough" }
        : base.refuseQuery(query, endpoint),
  })),
  fault("logs-4.3", "logs-filter-after-limit", "At most three entries of a stream are looked at when there are line filters.", (base) => {
    let filtered = false;
    return {
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        filtered = query.kind === "log" && query.filters.length > 0;
        return query;
      },
      scan: (entries, window, accepts, limit, direction) =>
        filtered
          ? base
              .scan(entries, window, () => true, LOOKED_AT, direction)
              .filter(accepts)
              .slice(0, limit)
          : base.scan(entries, window, accepts, limit, direction),
    };
  }),
  fault("logs-4.3", "logs-filter-every-fifth", "Every fifth line that a filter should keep out gets through.", (base) => {
    const count = counter();
    return { filterLine: (filter, line, index) => base.filterLine(filter, line, index) || count("refused") % 5 === 0 };
  }),
];

function asExpression(text: string, line: string): boolean {
  try {
    return new RegExp(text, "u").test(line);
  } catch {
    return false;
  }
}

export const LOGS_SELECTING_FAULTS: readonly Fault[] = [...MATCHERS, ...SAME_NAME, ...FILTERS];

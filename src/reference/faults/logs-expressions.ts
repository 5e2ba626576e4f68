/** Faults of servers that simplify regular expressions. Most expressions still give the right result. */
import { decided } from "../change.ts";
import type { Matcher } from "../logql/ast.ts";
import { compileRegex } from "../logql/regex.ts";
import { labelValue } from "../logs/types.ts";
import { broken, fault, faultsOf, type Row, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";
/** Faults: `test` decides whether a text matches an expression. If `test` returns undefined, the server decides correctly. */
function simplified(id: string, sentence: string, test: (expression: string, text: string) => boolean | undefined): Fault[] {
  const expected = (operator: string, expression: string, text: string): boolean | undefined => {
    if (operator !== "=~" && operator !== "!~" && operator !== "|~") return undefined;
    const found = test(expression, text);
    return found === undefined ? undefined : found === (operator !== "!~");
  };
  return [
    fault(
      "logs-4.matchers",
      `logs-match-${id}`,
      `In a matcher, ${sentence}`,
      decided("matchStream", (matcher, labels) => expected(matcher.operator, matcher.value, labelValue(labels, matcher.name))),
    ),
    fault(
      "logs-4.3",
      `logs-filter-${id}`,
      `In a line filter, ${sentence}`,
      decided("filterLine", (filter, line) => expected(filter.operator, filter.text, line)),
    ),
  ];
}

const UNREADABLE = { filter: /\|~ ?"[^"]*\("/, match: /, ?\w+=~"[^"]*\("/ } as const;

function unreadableIgnored(place: keyof typeof UNREADABLE): Fault {
  const clause = place === "filter" ? "logs-4.3" : "logs-4.matchers";
  const what = place === "filter" ? "line filter" : "matcher";
  return fault(clause, `logs-${place}-unreadable-ignored`, `A ${what} with an invalid expression is left out.`, (base) => ({
    parseQuery: (text) => {
      try {
        return base.parseQuery(text);
      } catch (error) {
        const without = text.replace(UNREADABLE[place], "");
        if (without === text) throw error;
        return base.parseQuery(without);
      }
    },
  }));
}

/** Returns a test that replaces a part of each expression. Expressions without this part are evaluated correctly. */
function onlyWith(part: string, replacement: string): (expression: string, text: string) => boolean | undefined {
  return (expression, text) =>
    expression.includes(part) ? compileRegex(expression.replaceAll(part, replacement), false).test(text) : undefined;
}

const PLAIN_ALTERNATIVES = /^[\w ]+(?:\|[\w ]+)+$/;

export const LOGS_EXPRESSION_FAULTS: readonly Fault[] = [
  ...simplified("two-alternatives", "only the first two of more than two plain alternatives match.", (expression, text) => {
    const alternatives = PLAIN_ALTERNATIVES.test(expression) ? expression.split("|") : [];
    return alternatives.length > 2 ? alternatives.slice(0, 2).some((one) => text.includes(one)) : undefined;
  }),
  ...simplified("eight-alternatives", "only the first eight of more than eight plain alternatives match.", (expression, text) => {
    const alternatives = PLAIN_ALTERNATIVES.test(expression) ? expression.split("|") : [];
    return alternatives.length > 8 ? alternatives.slice(0, 8).some((one) => text.includes(one)) : undefined;
  }),
  ...simplified("parentheses-cut", "alternatives are divided at each |, also inside parentheses.", (expression, text) =>
    /^[\w()| ]*\|[\w()| ]*$/.test(expression) && expression.includes("(")
      ? expression.split("|").some((one) => text.includes(one))
      : undefined,
  ),
  ...simplified("plus-as-star", "x.+ at the end of an expression is evaluated as x.*.", (expression, text) => {
    const [, before] = /^([\w ]+)\.\+$/.exec(expression) ?? [];
    return before === undefined ? undefined : text.includes(before);
  }),
  ...simplified("64-characters", "alternatives that begin after 64 characters are ignored.", (expression, text) => {
    const cut = expression.lastIndexOf("|", 64);
    return expression.length > 64 && cut > 0 && !expression.includes("(")
      ? expression
          .slice(0, cut)
          .split("|")
          .some((one) => text.includes(one))
      : undefined;
  }),
  ...simplified("escape-lost", "an escaped dot matches any character if the expression has a class of characters.", (expression, text) => {
    const changed = expression.replaceAll(String.raw`\.`, ".");
    return expression.includes("[") && changed !== expression ? compileRegex(changed, false).test(text) : undefined;
  }),
  ...simplified(
    "escape-as-text",
    "alternatives whose only special characters are escaped are compared as plain texts.",
    (expression, text) =>
      expression.includes("\\") && expression.includes("|") && !/[.*+?()[\]{}^$]/.test(expression)
        ? expression.split("|").some((one) => text.includes(one))
        : undefined,
  ),
  ...simplified("shorter-alternative-lost", "an alternative is ignored if an earlier one begins with it.", (expression, text) => {
    const all = PLAIN_ALTERNATIVES.test(expression) ? expression.split("|") : [];
    const left = all.filter((one, index) => !all.slice(0, index).some((earlier) => earlier.startsWith(one)));
    return left.length < all.length ? left.some((one) => text.includes(one)) : undefined;
  }),
  ...simplified("plus-before-as-star", ".+x.* is evaluated as .*x.*.", (expression, text) => {
    const [, inner] = /^\.\+([\w ]+)\.\*$/.exec(expression) ?? [];
    return inner === undefined ? undefined : text.includes(inner);
  }),
  ...simplified("word-and-rest-at-start", "x.* matches only a text that begins with x.", (expression, text) => {
    const [, word] = /^([a-z]+)\.\*$/.exec(expression) ?? [];
    return word === undefined ? undefined : text.startsWith(word);
  }).slice(1),
  ...simplified("plain-any-case", "an expression that is a plain word matches in any letter case.", (expression, text) =>
    /^[a-z]+$/i.test(expression) ? text.toLowerCase().includes(expression.toLowerCase()) : undefined,
  ).slice(1),
  ...simplified("inner-needs-more", ".*x.* does not match a text that is only x.", (expression, text) => {
    const [, inner] = /^\.\*([\w ]+)\.\*$/.exec(expression) ?? [];
    return inner === undefined ? undefined : text.includes(inner) && text !== inner;
  }),
  ...simplified("prefix-only", "x.*y is evaluated as x.", (expression, text) => {
    const [, prefix] = /^(\w+)\.\*\w+$/.exec(expression) ?? [];
    return prefix === undefined ? undefined : text.includes(prefix);
  }),
  ...simplified("order-ignored", ".*x.*y.* also matches a text in which y precedes x.", (expression, text) => {
    const [, first = "", second = ""] = /^\.\*(\w+)\.\*(\w+)\.\*$/.exec(expression) ?? [];
    return first === "" ? undefined : text.includes(first) && text.includes(second);
  }),
  ...simplified("inner-literal", "the part between .* and .* is read as a plain text.", (expression, text) => {
    const [, inner] = /^\.\*(.+)\.\*$/s.exec(expression) ?? [];
    return inner === undefined || inner.includes("(") ? undefined : text.includes(inner);
  }),
  // Only line filters are tested with these classes, because a matcher usually uses the same code.
  ...simplified("word-class-small", String.raw`\w is read as [a-z].`, onlyWith(String.raw`\w`, "[a-z]")).slice(1),
  ...simplified("space-class-blank", String.raw`\s is read as a blank.`, onlyWith(String.raw`\s`, " ")).slice(1),
  ...simplified("word-border-dropped", String.raw`\b is left out.`, onlyWith(String.raw`\b`, "")).slice(1),
  ...simplified("percent-any", "% stands for any text.", (expression, text) =>
    expression.includes("%") ? compileRegex(expression.replaceAll("%", ".*"), true).test(text) : undefined,
  ).slice(0, 1),
  ...simplified("negated-class", "[^x] is read as [x].", (expression, text) =>
    expression.includes("[^") ? compileRegex(expression.replaceAll("[^", "["), true).test(text) : undefined,
  ).slice(0, 1),
  ...faultsOf("logs-4.matchers", {
    "logs-match-alternative-twice": readTwice("If an expression names an alternative twice, its streams are read twice.", () => true),
    "logs-match-only-set-first": wrongResult(
      "parseQuery",
      "If the only matcher of a query has a set of values, only the first value is selected.",
      (query) => {
        const [only, ...others] = query.kind === "log" ? query.matchers : [];
        if (query.kind !== "log" || only?.operator !== "=~" || others.length > 0) return query;
        const value = only.value.split("|")[0] ?? "";
        return { ...query, matchers: [{ ...only, value, regex: compileRegex(value, true) }] };
      },
    ),
  }),
  ...(["filter", "match"] as const).map((place) => unreadableIgnored(place)),
];

/** A fault: a stream is read twice if an expression has the same alternative twice. `isMeant` selects the matchers with this fault. */
function readTwice(sentence: string, isMeant: (matcher: Matcher, index: number, all: readonly Matcher[]) => boolean): Row {
  return broken({ clause: "logs-4.matchers", sentence }, (base) => {
    let isTwice = false;
    return {
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        const meant = query.kind === "log" ? query.matchers.filter(isMeant) : [];
        const all = meant.filter(({ operator }) => operator === "=~").map(({ value }) => value.split("|"));
        isTwice = all.some((alternatives) => alternatives.some((one, index) => /^[\w:]+$/.test(one) && alternatives.indexOf(one) < index));
        return query;
      },
      blockAnswer: (found, block, reading) => {
        const handed = base.blockAnswer(found, block, reading);
        return isTwice ? handed.flatMap((entry) => [entry, entry]) : handed;
      },
    };
  });
}

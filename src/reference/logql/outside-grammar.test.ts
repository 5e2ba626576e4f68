/** Compares the parser with a grammar from another project: both must accept a query, or both must refuse it. */
import { parser as grammar } from "@grafana/lezer-logql";
import fc from "fast-check";
import { expect, test } from "vitest";
import { QUERY_BASE } from "../logs/query.ts";
import { BINARY_LEVELS, RANGE_FUNCTIONS, VECTOR_OPERATORS } from "./ast.ts";
import { durationNs } from "./duration.ts";
import { compileRegex } from "./regex.ts";
import { readString } from "./strings.ts";

interface Node {
  readonly name: string;
  readonly parent: string;
  readonly text: string;
}

/** Whether the grammar from the other project accepts a query. */
interface View {
  readonly text: string;
  readonly accepted: boolean;
  readonly nodes: readonly Node[];
}

function viewOf(text: string): View {
  const nodes: Node[] = [];
  let accepted = true;
  grammar.parse(text).iterate({
    enter: (node) => {
      // If a query ends unexpectedly, the parser of the grammar may continue without an error, but then its result is not a single
      // expression.
      if (node.type.isError || (node.name !== "Expr" && node.name !== "LineComment" && node.node.parent?.type.isTop === true))
        accepted = false;
      nodes.push({ name: node.name, parent: node.node.parent?.name ?? "", text: text.slice(node.from, node.to) });
    },
  });
  return { text, accepted, nodes };
}

/** Whether one of our two query endpoints accepts the query. */
function weAccept(text: string): boolean {
  try {
    const query = QUERY_BASE.parseQuery(text);
    return QUERY_BASE.refuseQuery(query, query.kind === "log" ? "query_range" : "query") === undefined;
  } catch {
    return false;
  }
}

function has(...names: readonly string[]): (view: View) => boolean {
  return ({ nodes }) => nodes.some(({ name }) => names.includes(name));
}

function throws(action: () => unknown): boolean {
  try {
    action();
    return false;
  } catch {
    return true;
  }
}

const RANGE_NODES = ["Rate", "CountOverTime", "BytesOverTime", "BytesRate"];
const VECTOR_NODES = ["Sum", "Avg", "Min", "Max", "Count"];
const RESERVED =
  /\b(?:json|logfmt|unpack|pattern|regexp|ip|label_format|line_format|label_replace|vector|offset|bool|on|ignoring|group_left|group_right|unwrap|decolorize|drop|keep)\b/i;

interface Difference {
  readonly example: string;
  readonly applies: (view: View) => boolean;
}

/** The only differences between our parser and the grammar from the other project. They are intended. */
const DIFFERENCES: Readonly<Record<string, Difference>> = {
  "we leave out pipeline stages": { example: '{a="b"} | json', applies: has("Pipe") },
  "our operands are metric queries": {
    example: 'rate({a="b"}[1m]) + {a="b"}',
    applies: (view) => has("BinOpExpr")(view) && view.nodes.some(({ name, parent }) => name === "LogExpr" && parent === "Expr"),
  },
  "we leave out literals and constant vectors": { example: "5", applies: has("LiteralExpr", "VectorExpr") },
  "we leave out line filters by address": { example: '{a="b"} |= ip("1.2.3.4")', applies: has("FilterOp") },
  "we leave out pattern filters": { example: '{a="b"} |> "<_>x"', applies: has("PipePattern", "Npa") },
  "we leave out other functions over a range": {
    example: 'absent_over_time({a="b"}[1m])',
    applies: ({ nodes }) => nodes.some(({ name, parent }) => parent === "RangeOp" && !RANGE_NODES.includes(name)),
  },
  "we leave out other vector operators": {
    example: 'stddev(rate({a="b"}[1m]))',
    applies: ({ nodes }) => nodes.some(({ name, parent }) => parent === "VectorOp" && !VECTOR_NODES.includes(name)),
  },
  "we leave out label_replace and sort": {
    example: 'label_replace(rate({a="b"}[1m]), "a", "b", "c", "d")',
    applies: has("LabelReplaceExpr", "Sort", "Sort_Desc"),
  },
  "we take no parameters": {
    example: 'sum(5, rate({a="b"}[1m]))',
    applies: ({ nodes }) => nodes.some(({ name, parent }) => name === "Number" && /^(?:Range|Vector)AggregationExpr$/.test(parent)),
  },
  "we take no grouping of a function over a range": {
    example: 'rate({a="b"}[1m]) by (a)',
    applies: ({ nodes }) => nodes.some(({ name, parent }) => name === "Grouping" && parent === "RangeAggregationExpr"),
  },
  "our label names hold no colon": {
    example: '{a:b="c"}',
    applies: ({ nodes }) => nodes.some(({ name, text }) => name === "Identifier" && text.includes(":")),
  },
  "our words are not reserved": { example: '{json="c"}', applies: ({ text }) => RESERVED.test(text) },
  "our ranges are whole, from the largest unit to milliseconds, and not zero": {
    example: 'rate({a="b"}[0s])',
    applies: ({ nodes }) => nodes.some(({ name, text }) => name === "Duration" && (durationNs(text) ?? 0n) === 0n),
  },
  "our strings have the escapes of Go": {
    example: String.raw`{a="\q"}`,
    applies: ({ nodes }) => nodes.some(({ name, text }) => name === "String" && throws(() => readString(text, 0))),
  },
  "our regular expressions are compiled": {
    example: '{a=~"("}',
    applies: ({ nodes }) =>
      nodes.some(
        ({ name, text }) =>
          name === "String" && !throws(() => readString(text, 0)) && throws(() => compileRegex(readString(text, 0).value, false)),
      ),
  },
};

function explained(view: View): boolean {
  return Object.values(DIFFERENCES).some(({ applies }) => applies(view));
}

test.each(Object.entries(DIFFERENCES))("the parser differs from the grammar: %s", (_name, { example, applies }) => {
  const view = viewOf(example);
  expect(applies(view)).toBe(true);
  expect(weAccept(example)).toBe(!view.accepted);
});

// Generates queries of the supported part of the language as text.

const name = fc.constantFrom("a", "app", "pl_x", "_b", "B9", "by", "sum", "rate");
const literal = fc.oneof(
  fc.constantFrom("", "b", "a.b", "x|y", "größe", "[ab]c", "1+1").map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\t\\n\\""', String.raw`"\\x"`, String.raw`"\x41\101é"`, "`raw \\ `", '`{"}`'),
);
const space = fc.constantFrom("", "", "", " ", "\n ", ' # note } ( "\n');
const matcher = fc.tuple(name, fc.constantFrom("=", "!=", "=~", "!~"), literal).map((parts) => [...parts]);
const selector = fc
  .array(matcher, { maxLength: 3 })
  .map((matchers) => ["{", ...matchers.flatMap((parts, index) => (index === 0 ? parts : [",", ...parts])), "}"]);
const filters = fc
  .array(
    fc
      .tuple(fc.constantFrom("|=", "!=", "|~", "!~"), literal, fc.option(literal, { nil: null, freq: 4 }))
      .map(([operator, text, other]) => [operator, text, ...(other === null ? [] : ["or", other])]),
    { maxLength: 2 },
  )
  .map((list) => list.flat());
const log = fc
  .tuple(selector, filters, fc.boolean())
  .map(([head, tail, wrapped]) => (wrapped ? ["(", ...head, ...tail, ")"] : [...head, ...tail]));
const duration = fc.constantFrom("5m", "1h30m", "30s", "1y2w3d", "100ms", "1d").map((text) => ["[", text, "]"]);
const rangeText = fc
  .tuple(duration, fc.constantFrom([], [], ["offset", "5m"], ["offset", "1h30m"]))
  .map(([length, offset]) => [...length, ...offset]);
const range = fc
  .tuple(fc.constantFrom(...RANGE_FUNCTIONS), selector, filters, rangeText, fc.nat(3))
  .map(([fn, head, tail, window, form]) => {
    const bodies = [
      [...head, ...tail, ...window],
      [...head, ...window, ...tail],
      ["(", ...head, ...tail, ")", ...window],
      ["(", ...head, ...tail, ...window, ")"],
    ];
    return [fn, "(", ...(bodies[form] ?? []), ")"];
  });
const grouping = fc
  .tuple(fc.constantFrom("by", "without", "BY"), fc.array(name, { maxLength: 2 }))
  .map(([word, labels]) => [word, "(", ...labels.flatMap((label, index) => (index === 0 ? [label] : [",", label])), ")"]);
const vector = fc
  .tuple(fc.constantFrom(...VECTOR_OPERATORS, "SUM"), fc.option(grouping, { nil: [] }), fc.boolean(), range, fc.nat(2))
  .map(([operator, group, first, inner, depth]) => {
    const body = Array.from({ length: depth }).reduce<string[]>((tokens) => ["sum", "(", ...tokens, ")"], inner);
    return first ? [operator, ...group, "(", ...body, ")"] : [operator, "(", ...body, ")", ...group];
  });
const binary = fc
  .tuple(vector, fc.constantFrom(...BINARY_LEVELS.flat()), range, fc.boolean())
  .map(([left, operator, right, wrapped]) => (wrapped ? ["(", ...left, operator, ...right, ")"] : [...left, operator, ...right]));
const tokens = fc.oneof(log, range, vector, binary);

/** Adds a separator between two tokens, so that two words never become one word. */
const query = fc.tuple(tokens, fc.infiniteStream(space)).map(([list, spaces]) => {
  let text = "";
  for (const token of list) {
    const gap = spaces.next().value ?? "";
    text += (/\w$/.test(text) && /^\w/.test(token) && gap === "" ? " " : gap) + token;
  }
  return text;
});

const SNIPPETS = [
  "{",
  "}",
  "(",
  ")",
  "[",
  "]",
  ",",
  "=",
  "!=",
  "=~",
  "!~",
  "|=",
  "|~",
  "|",
  '"',
  "`",
  "\\",
  "#",
  " ",
  "5",
  "m",
  "x",
  "by",
  "sum",
  "rate",
  "5m",
  '"s"',
  "ip",
  "or",
  "-",
  "é",
  "\n",
];

/** Generates a change of a text: a piece is removed, inserted, doubled, or moved to the end. */
const mutation = fc.record({
  kind: fc.constantFrom("remove", "insert", "double", "cut", "move"),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  length: fc.integer({ min: 1, max: 4 }),
  snippet: fc.constantFrom(...SNIPPETS),
});

const mutated = fc.tuple(query, fc.array(mutation, { minLength: 1, maxLength: 3 })).map(([text, mutations]) =>
  mutations.reduce((current, { kind, at, length, snippet }) => {
    const from = Math.floor(at * (current.length + 1));
    const [before, piece, after] = [current.slice(0, from), current.slice(from, from + length), current.slice(from + length)];
    switch (kind) {
      case "remove":
        return before + after;
      case "insert":
        return before + snippet + piece + after;
      case "double":
        return before + piece + piece + after;
      case "move":
        return before + after + piece;
      default:
        return before;
    }
  }, text),
);

const SEED = 20_261_121;

test("the parser and the grammar agree on queries of the supported subset", () => {
  let accepted = 0;
  fc.assert(
    fc.property(query, (text) => {
      const view = viewOf(text);
      if (view.accepted) accepted += 1;
      expect(weAccept(text) === view.accepted || explained(view), `grammar ${view.accepted}: ${text}`).toBe(true);
    }),
    { seed: SEED, numRuns: 1_500 },
  );
  expect(accepted).toBeGreaterThan(500);
});

test("the parser and the grammar agree on mutations of such queries", () => {
  let differing = 0;
  fc.assert(
    fc.property(mutated, (text) => {
      const view = viewOf(text);
      if (weAccept(text) === view.accepted) return;
      differing += 1;
      expect(explained(view), `grammar ${view.accepted}: ${JSON.stringify(text)}`).toBe(true);
    }),
    { seed: SEED, numRuns: 3_000 },
  );
  // For most changed texts, the parser and the grammar must agree.
  expect(differing).toBeLessThan(300);
});

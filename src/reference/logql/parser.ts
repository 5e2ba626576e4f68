/**
 * Parses the supported part of the log query language by recursive descent. Binary operators have precedences. "^" is right-associative,
 * and "bool" may follow a comparison. A calculation with two numbers is a number, and not a query.
 *
 * query = log | metric log = selector filter* | "(" log ")" filter = ("|=" | "!=" | "|~" | "!~") string ("or" string)* selector = "{"
 * matcher ("," matcher)* "}" metric = operand (operator operand)* operand = range | vector | picking | number | "(" metric ")" range =
 * function "(" logrange ")" logrange = selector filter* duration | selector duration filter* | "(" selector filter* ")" duration | "("
 * logrange ")" duration = "[" length "]" ("offset" length)? vector = operator grouping? "(" metric ")" | operator "(" metric ")" grouping
 * picking = operator grouping? "(" number "," metric ")" | operator "(" number "," metric ")" grouping grouping = ("by" | "without") "("
 * (label ("," label)*)? ")"
 */
import {
  BINARY_LEVELS,
  type BinaryOperator,
  type FilterOperator,
  type Grouping,
  isComparison,
  isSetOperator,
  type LineFilter,
  type LogQuery,
  type Matcher,
  type MatchOperator,
  type MetricQuery,
  type Operand,
  type Picking,
  PICKING_OPERATORS,
  type PickingOperator,
  type Query,
  RANGE_FUNCTIONS,
  type RangeAggregation,
  VECTOR_OPERATORS,
} from "./ast.ts";
import { calculate } from "./calculate.ts";
import { durationNs } from "./duration.ts";
import { QueryError } from "./error.ts";
import { compileRegex } from "./regex.ts";
import { type Token, tokenize } from "./lexer.ts";

const MATCH_OPERATORS: readonly string[] = ["=", "!=", "=~", "!~"] satisfies MatchOperator[];
const FILTER_OPERATORS: readonly string[] = ["|=", "!=", "|~", "!~"] satisfies FilterOperator[];
type LogRange = Pick<RangeAggregation, "query" | "rangeNs" | "offsetNs">;

/** The maximum depth of nested parentheses. No real query is nested deeper. */
const DEEPEST = 100;

/** Parses a query. Throws QueryError for an invalid text. The endpoints decide whether a selector without matchers is allowed. */
export function parseQuery(source: string): Query {
  const parser = new Parser(tokenize(source));
  const query = parser.query();
  parser.end();
  return query;
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  query(): Query {
    if (this.#sees("{")) return this.#log();
    if (!this.#sees("(")) return this.#metric();
    const inner = this.#parenthesised(() => this.query());
    return inner.kind === "log" ? inner : this.#samples(this.#calculation(0, inner));
  }

  end(): void {
    if (this.#peek().kind !== "end") this.#fail("the end of the query");
  }

  #log(): LogQuery {
    const matchers = this.#selector();
    return { kind: "log", matchers, filters: this.#filters() };
  }

  #selector(): Matcher[] {
    this.#expect("{");
    const matchers: Matcher[] = [];
    while (!this.#sees("}")) {
      if (matchers.length > 0) this.#expect(",");
      matchers.push(this.#matcher());
    }
    this.#expect("}");
    return matchers;
  }

  #matcher(): Matcher {
    const name = this.#take("identifier", "a label name");
    const operator = this.#operator(MATCH_OPERATORS, "a match operator") as MatchOperator;
    const { text: value, position } = this.#take("string", "a string");
    const base = { name: name.text, operator, value };
    return operator === "=~" || operator === "!~" ? { ...base, regex: regexAt(value, true, position) } : base;
  }

  #filters(): LineFilter[] {
    const filters: LineFilter[] = [];
    while (this.#peek().kind === "symbol" && FILTER_OPERATORS.includes(this.#peek().text)) {
      const operator = this.#operator(FILTER_OPERATORS, "a filter operator") as FilterOperator;
      const first = this.#filterText(operator);
      const others: LineFilter[] = [];
      while (this.#seesWord("or")) {
        this.#next += 1;
        others.push(this.#filterText(operator));
      }
      filters.push(others.length === 0 ? first : { ...first, others });
    }
    return filters;
  }

  #filterText(operator: FilterOperator): LineFilter {
    const { text, position } = this.#take("string", "a string");
    return operator === "|~" || operator === "!~" ? { operator, text, regex: regexAt(text, false, position) } : { operator, text };
  }

  #metric(): MetricQuery {
    return this.#samples(this.#calculation());
  }

  #samples(operand: Operand): MetricQuery {
    if (operand.kind === "number") throw new QueryError("a number is no metric query", this.#peek().position);
    return operand;
  }

  /** Parses a calculation that begins with `first` or the next operand, up to an operator with a precedence below `lowest`. */
  #calculation(lowest = 0, first?: Operand): Operand {
    let left = first ?? this.#operand();
    for (;;) {
      const level = BINARY_LEVELS.findIndex((operators) => operators.some((operator) => this.#seesOperator(operator)));
      const operator = BINARY_LEVELS[level]?.find((candidate) => this.#seesOperator(candidate));
      if (operator === undefined || level < lowest) return left;
      this.#next += 1;
      const bool = isComparison(operator) && this.#seesWord("bool");
      if (bool) this.#next += 1;
      left = this.#calculated(operator, left, this.#calculation(operator === "^" ? level : level + 1), bool);
    }
  }

  #calculated(operator: BinaryOperator, left: Operand, right: Operand, bool: boolean): Operand {
    const hasNumber = left.kind === "number" || right.kind === "number";
    if (isSetOperator(operator)) {
      if (hasNumber) throw new QueryError(`a number beside ${operator}`, this.#peek().position);
    } else if (left.kind === "number" && right.kind === "number") {
      if (isComparison(operator)) throw new QueryError("two numbers are compared", this.#peek().position);
      return { kind: "number", value: calculate(operator, left.value, right.value) };
    }
    return { kind: "binary", operator, left, right, ...(bool ? { bool } : {}) };
  }

  #seesOperator(operator: BinaryOperator): boolean {
    return isSetOperator(operator) ? this.#seesWord(operator) : this.#sees(operator);
  }

  #operand(): Operand {
    if (this.#sees("(")) return this.#parenthesised(() => this.#calculation());
    const sign = this.#sign();
    if (sign !== undefined || this.#peek().kind === "number") {
      return { kind: "number", value: Number(`${sign ?? ""}${this.#take("number", "a number").text}`) };
    }
    const name = this.#take("identifier", "a selector or a function");
    const range = RANGE_FUNCTIONS.find((candidate) => candidate === name.text);
    if (range !== undefined) return { kind: "range", function: range, ...this.#parenthesised(() => this.#logRange()) };
    const picking = PICKING_OPERATORS.find((candidate) => candidate === name.text.toLowerCase());
    if (picking !== undefined) return this.#picking(picking);
    const operator = VECTOR_OPERATORS.find((candidate) => candidate === name.text.toLowerCase());
    if (operator === undefined) throw new QueryError(`unknown function ${name.text}`, name.position);
    const before = this.#grouping(false);
    const inner = this.#parenthesised(() => this.#metric());
    const grouping = before ?? this.#grouping(true);
    return { kind: "vector", operator, inner, ...(grouping === undefined ? {} : { grouping }) };
  }

  #sign(): "-" | undefined {
    if (!this.#sees("-")) return undefined;
    this.#next += 1;
    return "-";
  }

  #picking(operator: PickingOperator): Picking {
    const before = this.#grouping(false);
    const { count, inner } = this.#parenthesised(() => {
      const { text, position } = this.#take("number", "a number");
      const number = Number(text);
      if (!Number.isInteger(number) || number < 1) throw new QueryError(`${text} is no number of samples`, position);
      this.#expect(",");
      return { count: number, inner: this.#metric() };
    });
    const grouping = before ?? this.#grouping(true);
    return { kind: "picking", operator, count, inner, ...(grouping === undefined ? {} : { grouping }) };
  }

  #logRange(): LogRange {
    if (!this.#sees("(")) return this.#ranged();
    const inner = this.#parenthesised(() => {
      if (this.#sees("(")) return this.#logRange();
      const query = this.#log();
      return this.#sees("[") ? this.#rangeAfter(query) : query;
    });
    return "query" in inner ? inner : { query: inner, ...this.#range() };
  }

  #ranged(): LogRange {
    return this.#rangeAfter(this.#log());
  }

  /** Parses the range after a log query. Line filters may follow the range if no line filter came before it. */
  #rangeAfter(query: LogQuery): LogRange {
    const range = this.#range();
    if (query.filters.length > 0) return { query, ...range };
    return { query: { ...query, filters: this.#filters() }, ...range };
  }

  #range(): Omit<LogRange, "query"> {
    this.#expect("[");
    const rangeNs = this.#length("of a range");
    this.#expect("]");
    const { kind, text } = this.#peek();
    if (kind !== "identifier" || text !== "offset") return { rangeNs, offsetNs: 0n };
    this.#next += 1;
    return { rangeNs, offsetNs: this.#length("of an offset") };
  }

  #length(what: string): bigint {
    const { text, position } = this.#take("duration", "a duration");
    const length = durationNs(text);
    if (length === undefined || length === 0n) throw new QueryError(`${text} is no duration ${what}`, position);
    return length;
  }

  #grouping(behind: boolean): Grouping | undefined {
    const { kind, text } = this.#peek();
    const word = text.toLowerCase();
    if (kind !== "identifier" || (word !== "by" && word !== "without")) return undefined;
    this.#next += 1;
    this.#expect("(");
    const labels: string[] = [];
    while (!this.#sees(")")) {
      if (labels.length > 0) this.#expect(",");
      labels.push(this.#take("identifier", "a label name").text);
    }
    this.#expect(")");
    return { kind: word, labels, behind };
  }

  #parenthesised<T>(parse: () => T): T {
    const opening = this.#expect("(");
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new QueryError("too many parentheses", opening.position);
    const inner = parse();
    this.#depth -= 1;
    this.#expect(")");
    return inner;
  }

  #operator(allowed: readonly string[], wanted: string): string {
    const token = this.#peek();
    if (token.kind !== "symbol" || !allowed.includes(token.text)) this.#fail(wanted);
    this.#next += 1;
    return token.text;
  }

  #take(kind: Token["kind"], wanted: string): Token {
    const token = this.#peek();
    if (token.kind !== kind) this.#fail(wanted);
    this.#next += 1;
    return token;
  }

  #expect(symbol: string): Token {
    const token = this.#peek();
    if (!this.#sees(symbol)) this.#fail(symbol);
    this.#next += 1;
    return token;
  }

  #sees(symbol: string): boolean {
    const { kind, text } = this.#peek();
    return kind === "symbol" && text === symbol;
  }

  #seesWord(word: string): boolean {
    const { kind, text } = this.#peek();
    return kind === "identifier" && text === word;
  }

  #peek(): Token {
    const token = this.#tokens[this.#next];
    if (token === undefined) throw new Error("the parser read past the end");
    return token;
  }

  #fail(wanted: string): never {
    const { text, position } = this.#peek();
    throw new QueryError(`expected ${wanted}, found ${text}`, position);
  }
}

function regexAt(source: string, whole: boolean, position: number): RegExp {
  try {
    return compileRegex(source, whole);
  } catch {
    throw new QueryError(`${JSON.stringify(source)} is no regular expression`, position);
  }
}

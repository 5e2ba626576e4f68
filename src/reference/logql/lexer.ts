/** Splits the text of a query into tokens. */
import { QueryError } from "./error.ts";
import { readString } from "./strings.ts";

export type TokenKind = "identifier" | "string" | "duration" | "number" | "symbol" | "end";

export interface Token {
  readonly kind: TokenKind;
  /** The value of a string, or the text of any other token. */
  readonly text: string;
  readonly position: number;
}

const SPACE = /(?:\s|#[^\n]*)+/y;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;
const DURATION = /\d+(?:ms|[ywdhms])(?:\d+(?:ms|[ywdhms]))*/y;
const NUMBER = /\d+(?:\.\d+)?/y;
/** Longer symbols come first, so that `|=` is not read as `=`. */
const SYMBOL = /\|=|\|~|!=|!~|=~|==|>=|<=|[{}()[\],=<>%^+*/-]/y;

function matchAt(pattern: RegExp, source: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(source)?.[0];
}

/** Returns the tokens of a query. The last token has the kind `end`. Throws QueryError if the text is no query. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  for (;;) {
    position += matchAt(SPACE, source, position)?.length ?? 0;
    const character = source[position];
    if (character === undefined) return [...tokens, { kind: "end", text: "the end of the query", position }];
    if (character === '"' || character === "`") {
      const { value, end } = readString(source, position);
      tokens.push({ kind: "string", text: value, position });
      position = end;
      continue;
    }
    const token = plainToken(source, position);
    tokens.push(token);
    position += token.text.length;
  }
}

function plainToken(source: string, position: number): Token {
  const identifier = matchAt(IDENTIFIER, source, position);
  if (identifier !== undefined) return { kind: "identifier", text: identifier, position };
  const duration = matchAt(DURATION, source, position);
  if (duration !== undefined) return { kind: "duration", text: duration, position };
  const number = matchAt(NUMBER, source, position);
  if (number !== undefined) return { kind: "number", text: number, position };
  const symbol = matchAt(SYMBOL, source, position);
  if (symbol !== undefined) return { kind: "symbol", text: symbol, position };
  throw new QueryError(`unexpected character ${JSON.stringify(source[position])}`, position);
}

/** Compiles regular expressions of the query language. Their syntax is that of RE2. They are converted for the JavaScript engine. */

const POSIX: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: "\\t ",
  digit: "0-9",
  lower: "a-z",
  punct: "!-\\/:-@\\[-`{-~",
  space: "\\s",
  upper: "A-Z",
  word: "\\w",
  xdigit: "0-9A-Fa-f",
};

/** Matches escapes and groups that RE2 and JavaScript write in different ways, and syntax that RE2 does not have. */
const TOKEN = /\\(?<escaped>[\s\S])|\(\?P<(?<group>\w+)>|\[:(?<posix>[a-z]+):\]|(?<look>\(\?<?[=!])/gu;

function translate(source: string): string {
  return source.replaceAll(TOKEN, (whole: string, ...rest: unknown[]) => {
    const { escaped, group, posix, look } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    if (look !== undefined) throw new SyntaxError("look-around is not supported");
    if (group !== undefined) return `(?<${group}>`;
    if (posix !== undefined) {
      const range = POSIX[posix];
      if (range === undefined) throw new SyntaxError(`unknown class ${whole}`);
      return range;
    }
    if (escaped === undefined) return whole;
    if (escaped === "A") return "^";
    if (escaped === "z") return "$";
    if (/[1-9kc]/.test(escaped)) throw new SyntaxError(`unknown escape \\${escaped}`);
    // The engine of JavaScript refuses an escape of a character that needs no escape.
    return /[\s"'`#%&,:;<=>@_~!-]/.test(escaped) ? `\\u{${(escaped.codePointAt(0) ?? 0).toString(16)}}` : whole;
  });
}

/**
 * Matches a group between two `.*`, with at most one level of groups inside. Such an expression finds its group anywhere in a text. If the
 * group has `.*` inside, the JavaScript engine needs minutes for a line of thousands of characters.
 */
const SURROUNDED = /^\.\*\(((?:[^()\\[]|\\.|\[(?:[^\]\\]|\\.)*\]|\((?:[^()\\[]|\\.|\[(?:[^\]\\]|\\.)*\])*\))*)\)\.\*$/s;

/** Compiles an expression that must match the whole text (`whole`), or a part of it. Throws SyntaxError for an invalid expression. */
export function compileRegex(source: string, whole: boolean): RegExp {
  const flags = /^\(\?([ims]+)\)/.exec(source);
  const body = translate(flags === null ? source : source.slice(flags[0].length));
  const chosen = new Set(["u", ...(flags?.[1] ?? ""), ...(whole ? ["s"] : [])]);
  const [, part] = SURROUNDED.exec(body) ?? [];
  if (part !== undefined) return new RegExp(`(?:${part})`, [...chosen].join(""));
  return new RegExp(whole ? `^(?:${body})$` : body, [...chosen].join(""));
}

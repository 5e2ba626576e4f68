/** Decodes escapes in a text, and records for each decoded character its position in the original text. */

/** A text in which the escapes of one kind were decoded. */
export interface Decoded {
  readonly text: string;
  /** Converts the positions `from` and `to` in the decoded text into positions in the original text. */
  readonly source: (from: number, to: number) => readonly [from: number, to: number];
}

interface Encoding {
  /** The character that occurs in each escape of this kind. */
  readonly mark: string;
  readonly escape: RegExp;
  /** Returns the characters that an escape stands for, or undefined if the text is no escape. */
  readonly meaning: (escape: string) => string | undefined;
}

/** Matches the percent-encoded bytes of one character in UTF-8. */
const PERCENT =
  /%[0-7][\dA-F]|%[CD][\dA-F]%[89AB][\dA-F]|%E[\dA-F]%[89AB][\dA-F]%[89AB][\dA-F]|%F[0-7]%[89AB][\dA-F]%[89AB][\dA-F]%[89AB][\dA-F]/gi;

const CONTROLS: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** The ASCII characters by the names of their HTML entities, in lower case. */
const ENTITIES: ReadonlyMap<string, string> = new Map(
  [
    "tab\t newline\n excl! quot\" num# dollar$ percnt% amp& apos' lpar( rpar) ast* plus+ comma, period. sol/ colon: semi; lt< equals=",
    "gt> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ lowbar_ grave` lcub{ lbrace{ verbar| vert| rcub} rbrace} nbsp\u00a0",
  ]
    .flatMap((names) => names.split(" "))
    .map((name) => [name.slice(0, -1), name.slice(-1)]),
);

const ENCODINGS: readonly Encoding[] = [
  {
    mark: "%",
    escape: PERCENT,
    meaning: (escape) =>
      escape.length === 3 ? characterOf(`0x${escape.slice(1)}`) : Buffer.from(escape.replaceAll("%", ""), "hex").toString(),
  },
  {
    mark: "\\",
    escape: /\\(?:u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|["'\\/bfnrt])/g,
    meaning: (escape) => (escape.length > 2 ? characterOf(`0x${escape.slice(2)}`) : (CONTROLS[escape.slice(1)] ?? escape.slice(1))),
  },
  {
    mark: "&",
    escape: /&(?:#\d+|#[xX][\dA-Fa-f]+|[A-Za-z]{2,7});/g,
    meaning: (escape) => {
      const name = escape.slice(1, -1).toLowerCase();
      return name.startsWith("#") ? characterOf(name.replace("#x", "0x").replace("#", "")) : ENTITIES.get(name);
    },
  },
];

function characterOf(code: string): string | undefined {
  const number = Number(code);
  return number <= 0x10_ff_ff ? String.fromCodePoint(number) : undefined;
}

/** Returns the decoded texts, one for each kind of escape that the text has. */
export function decodings(text: string): Decoded[] {
  return ENCODINGS.map((encoding) => decoded(text, encoding)).filter((one) => one !== null);
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly end: number;
}

function decoded(text: string, { mark, escape, meaning }: Encoding): Decoded | null {
  if (!text.includes(mark)) return null;
  const pieces: Piece[] = [];
  /** The number of characters by which decoding has shortened the text so far. */
  let saved = 0;
  const result = text.replaceAll(escape, (found: string, from: number) => {
    const meant = meaning(found);
    if (meant === undefined) return found;
    const at = from - saved;
    pieces.push({ from, to: from + found.length, at, end: at + meant.length });
    saved += found.length - meant.length;
    return meant;
  });
  if (pieces.length === 0) return null;
  return { text: result, source: (from, to) => [sourceOf(pieces, from)[0], sourceOf(pieces, to - 1)[1]] };
}

/** Returns the position that a decoded character has in the original text. */
function sourceOf(pieces: readonly Piece[], at: number): readonly [from: number, to: number] {
  const piece = lastUpTo(pieces, at);
  if (piece === undefined) return [at, at + 1];
  if (at < piece.end) return [piece.from, piece.to];
  const from = piece.to + at - piece.end;
  return [from, from + 1];
}

function lastUpTo(pieces: readonly Piece[], at: number): Piece | undefined {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pieces[middle]?.at ?? at) <= at) low = middle + 1;
    else high = middle;
  }
  return pieces[low - 1];
}

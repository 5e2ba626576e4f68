/** Lists texts with special forms that faulty servers change. Random texts rarely have these forms. */
import { LABEL_VALUE_BYTES } from "./streams.ts";

const PIECES = "long line 0123456789 ";

/** Numbers of plain characters before a character that must be escaped. A server may fail at the end of a buffer of this size. */
const PLAIN_UNTIL: readonly (readonly [length: number, piece: string])[] = [
  [63, '"'],
  [64, "\\"],
  [127, "\n"],
  [128, "<"],
  [255, "\u00e9"],
  [256, "&"],
  [511, "\u{1f600}"],
  [1_023, "\t"],
  [2_047, "\u0001"],
  [4_000, '"'],
];

/** The lengths of lines that exactly fill a buffer, or for which a length field just has enough bits. */
const FULL_LENGTHS = [127, 128, 255, 256, 511, 512, 1_023, 1_024, 2_047, 2_048, 4_095, 4_096] as const;

/** Lines in JSON and logfmt. A value in them has an escaped line break and escaped quotes. The lines have no real line break. */
export const ESCAPED_VALUES = [String.raw`{"msg":"a\nb \"q\""}`, String.raw`msg="a\nb \"q\""`] as const;

/**
 * Each sign of ASCII, twice in a row. A server may drop a sign, replace it, or read two of them as one, as SQL does with quotes. Two hyphens
 * begin a comment in SQL.
 */
export const SIGNS_TWICE = Array.from("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", (sign) => sign + sign).join("");

/** The log lines that each run pushes. Each line has at most 4 KiB, which every server should accept. */
export const GALLERY_LINES: readonly string[] = [
  "a\u00a0no-break space",
  "\ufeffa byte order mark first",
  "zero\u200dwidth\u200bcharacters",
  "\u202eright to left",
  "line\u2028and\u2029paragraph separators",
  "backspace \b and form feed \f",
  "\u0001 and \u001b[31mcolour\u001b[0m and \u007f and \u0085",
  "e\u0301 decomposed",
  "\u00e9 composed",
  "beyond the basic plane \u{1d4b3} \u{1f600} \u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "private use \ue000",
  '"quoted as a whole"',
  "'quoted as a whole'",
  '"',
  '""',
  "`ticks`",
  "{{.Values.name}} and {{ braces }}",
  "${HOME} $HOME $1 $$",
  "literal \\u0041 and \\x41 and \\101",
  "a\\\\nb",
  "ends with a backslash \\",
  "%41%20%2B %s %d %n %%",
  "a+b+c",
  "&amp; &#65; &lt;b&gt; <b>bold</b>",
  "\r\ncarriage returns\r\nall around\r\n",
  "\ttabs\tinside and at the end\t",
  " blanks  around  and  doubled ",
  "#hash //slashes --dashes ;semicolon",
  SIGNS_TWICE,
  "an ideographic\u3000space",
  "user=plumbline password=plumbline",
  'ts=2026-01-01T00:00:00Z level=error msg="a b"',
  '{"level":"info","nested":{"a":[1,2.0,1e3]}}',
  ...ESCAPED_VALUES,
  '[["1","x"]]',
  '{ "a": 1,  "b": [1, 2.50] }',
  "null",
  "true",
  "NaN",
  "1e3",
  "1.50",
  "007",
  "-0",
  "0x10",
  "1700000000000000000 a timestamp first",
  ...FULL_LENGTHS.map((length) => PIECES.repeat(200).slice(0, length)),
  ...PLAIN_UNTIL.map(([length, piece]) => `${PIECES.repeat(200).slice(0, length)}${piece} and plain again`),
  "\u00e9".repeat(2_048),
];

/** The label values that each run pushes, each in its own stream. Some values differ only slightly from another. */
export const GALLERY_VALUES: readonly string[] = [
  "1",
  "1.0",
  "01",
  "1e0",
  "true",
  "null",
  "NaN",
  "Case",
  "case",
  " case",
  "case ",
  "a\u00a0b",
  "a b",
  "a  b",
  "a+b",
  "a%20b",
  "%41",
  "A",
  "\u00e9",
  "e\u0301",
  '"case"',
  "'case'",
  "${HOME}",
  "{{case}}",
  "literal \\u0041",
  "a\\nb",
  "a\nb",
  "a\bb\fc",
  "a,b",
  'a="b"',
  "file:///var//log/a.log",
  "https://h:8080/p?q=1&r=2#f",
  "../a/",
  "a|b;c*d<e>",
  "\u65e5\u672c",
  "\u{1f600}",
  "0x1f",
  "2026-01-01",
  "''^@",
  "invisible\u200b\u00ad\u200dcharacters, and a line\u2028separator",
  "v".repeat(LABEL_VALUE_BYTES),
];

/** Label sets that become equal if a server joins their names and values into one text without proper separators. */
export const GALLERY_LABELS: readonly Readonly<Record<string, string>>[] = [
  { svc_a: "x", svc_ab: "y" },
  { svc_a: "x,svc_ab=y" },
  { svc_a: 'x",svc_ab="y' },
  { svc_a: 'x", svc_ab="y' },
  { svc_a: "xs", vc_ab: "y" },
  { svc_a: "bc" },
  { svc_ab: "c" },
];

/** Texts that a server may refuse. If a server accepts such a text, it must keep it unchanged. */
export const GALLERY_BOLD = {
  line: "zero \u0000 byte and a replacement character \ufffd",
  noncharacters: "the noncharacters \ufffe and \uffff",
} as const;

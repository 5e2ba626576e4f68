/** Generates display names that a server may misread as YAML, numbers, URLs, HTML or terminal codes. */
import { SIGNS_TWICE } from "./gallery.ts";
import fc from "fast-check";

/** Makes a display name for the instance `name`. `unique` makes the display name different from all earlier display names. */
type UnusualName = (unique: number, name: string) => string;

/** A display name with quotes and backslashes. It is in Unicode normal form (NFC), because a server may normalise texts. */
const RICH_NAME = "Größe \"A\" \\ b/c <d> & 'e' – 指標 {x}, 100 % + 1";

/** Display names that faulty servers change. No name begins or ends with a blank, because a server may trim blanks. */
export const UNUSUAL_NAMES: readonly UnusualName[] = [
  (_unique, name) => name,
  (unique) => `${RICH_NAME} ${unique}`,
  (unique) => `\u{1f600} \u{1d4b3}  two blanks, %41 {{x}} $HOME \\u0041 ${unique}`,
  (unique) => `00${unique}7`,
  () => "null",
  () => "true",
  (unique) => `${"a long display name ".repeat(14)}${unique}`,
  (unique) => `${"a longer display name ".repeat(180)}${unique}`,
  // Each character of the next name has three bytes. So a server that cuts names by bytes usually cuts within a character.
  (unique) => `${"指標の名前".repeat(200)}${unique}`,
  (unique) => `${"指標の名前".repeat(280)}${unique}`,
  // In the next name, each accent is a combining character after its letter. A service may compose a letter and its accent, but must not
  // change anything else.
  (unique) => `Cafe\u0301 A\u030angstro\u0308m ${unique}`,
  // The next name contains replacement patterns, which replacement functions of programming languages may expand.
  (unique) => `$& $$ $1 $\` $' ${unique}`,
  // A server changes the next name if it treats the name as YAML, a URL, HTML or program text.
  (unique) => `50%25 of %41%20b+c #d: e &amp; &#65; &lt;b&gt; \\n \\x41 \\u0041 ${unique}`,
  // Each of the next names has a single special character. With two of them, a server could quote the whole text, which would hide an error
  // with the first.
  (unique) => `a #${unique} b`,
  (unique) => `a: ${unique}`,
  (unique) => `- ${unique}`,
  (unique) => `${unique}e3`,
  () => "yes",
  (unique) => `\u2764\ufe0f zero\u200bwidth\u200d \u00ad \ufeff a\u00a0blank ${unique}`,
  (unique) => `control \u0001 \u001b and \u007f ${unique}`,
  (unique) => `tab \t and line\nend ${unique}`,
  (unique) => `carriage return \r and \u2028 separators \u2029 ${unique}`,
  (unique) => `${SIGNS_TWICE} ${unique}`,
  (unique) => `  blanks around ${unique} `,
  (unique) => `two \\\\ backslashes and \u0085 \u009f ${unique}`,
  (unique) => `"${unique}"`,
  (unique) => `{"a":${unique}}`,
  // The next three names are used in turn. The second differs only in case from the first, and the third is a prefix of the second.
  (_unique, name) => `${name} Case`,
  (_unique, name) => `${name} case`,
  (_unique, name) => `${name} c`,
];

const WORDS = ["plain", "Text", "07", "1e3", "no", "null", "Größe", "指標"];
const BETWEEN = [
  " #",
  ": ",
  " - ",
  "#",
  ":",
  ", ",
  " & ",
  "%20",
  "\\n",
  "'",
  '"',
  " | ",
  " > ",
  "/",
  "  ",
  "\t",
  " {",
  "} ",
  " [",
  "] ",
  "=",
  "\u00a0",
];
const BEFORE = ["", "", "", "- ", "? ", "@", "*", "&", "!", "|", ">", "%", "`", "'", '"', "#", "[", "{", "~", "<", "-", "+", "."];
const BEHIND = ["", "", "", ":", "'", '"', "#", ",", "\\", "]", "}", ".0"];

/** Generates names of words and a few characters that have a meaning in other formats. No other part of the name needs quotes. */
export const mistakableName: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...BEFORE),
    fc.constantFrom(...WORDS),
    fc.constantFrom(...BETWEEN),
    fc.constantFrom(...WORDS),
    fc.constantFrom(...BEHIND),
    fc.nat(9_999),
  )
  .map(([before, first, between, second, behind, number]) => `${before}${first}${between}${second} ${number}${behind}`);

/** Display names that a server may take for something else, as YAML, numbers, URLs, HTML and terminals do. */
import fc from "fast-check";

/** Makes a display name for the instance of this name; `unique` tells it from those before. */
type UnusualName = (unique: number, name: string) => string;

/** Normalised text, so that a server that normalises is not blamed; quotes and backslashes show careless escaping. */
const RICH_NAME = "Größe \"A\" \\ b/c <d> & 'e' – 指標 {x}, 100 % + 1";

/** Display names that careless servers change; none begins or ends with a blank, which a server may take for no part of it. */
export const UNUSUAL_NAMES: readonly UnusualName[] = [
  (_unique, name) => name,
  (unique) => `${RICH_NAME} ${unique}`,
  (unique) => `\u{1f600} \u{1d4b3}  two blanks, %41 {{x}} $HOME \\u0041 ${unique}`,
  (unique) => `00${unique}7`,
  () => "null",
  () => "true",
  (unique) => `${"a long display name ".repeat(14)}${unique}`,
  (unique) => `${"a longer display name ".repeat(180)}${unique}`,
  // Wherever so many bytes are parted, a character is.
  (unique) => `${"指標の名前".repeat(200)}${unique}`,
  (unique) => `${"指標の名前".repeat(280)}${unique}`,
  // Each accent stands behind its letter: a service may compose both, and must not change more.
  (unique) => `Cafe\u0301 A\u030angstro\u0308m ${unique}`,
  // As what takes the place of a match.
  (unique) => `$& $$ $1 $\` $' ${unique}`,
  // As YAML, as a URL, as HTML, as a text of a program this reads differently.
  (unique) => `50%25 of %41%20b+c #d: e &amp; &#65; &lt;b&gt; \\n \\x41 \\u0041 ${unique}`,
  // Each by itself: what writes texts with quotes only where it sees a need sees one for any of the others.
  (unique) => `a #${unique} b`,
  (unique) => `a: ${unique}`,
  (unique) => `- ${unique}`,
  (unique) => `${unique}e3`,
  () => "yes",
  (unique) => `\u2764\ufe0f zero\u200bwidth\u200d \u00ad \ufeff a\u00a0blank ${unique}`,
  (unique) => `control \u0001 \u001b and \u007f ${unique}`,
  (unique) => `tab \t and line\nend ${unique}`,
  (unique) => `"${unique}"`,
  (unique) => `{"a":${unique}}`,
  // One after the other: changed in case only, and to the beginning of what it was.
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

/** Words with a sign or two that mean something elsewhere, few enough that nothing else in the text asks for quotes. */
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

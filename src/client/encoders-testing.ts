/** Encodes a text as common encoders do. Redaction must recognise a token in each of these forms. */

type Encode = (text: string) => string;

function each(characters: RegExp, escape: (code: number) => string): Encode {
  return (text) => text.replaceAll(characters, (character) => escape(character.charCodeAt(0)));
}

function jsonEscapes(characters: RegExp, hex: (code: number) => string): Encode {
  const escape = each(characters, (code) => `\\u${hex(code).padStart(4, "0")}`);
  return (text) => escape(JSON.stringify(text).slice(1, -1));
}

const lower = (code: number): string => code.toString(16);
const upper = (code: number): string => code.toString(16).toUpperCase();
const HTML = /[&<>"'=+/%]/g;
const NAMES: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };
const MORE_NAMES: Readonly<Record<string, string>> = { ...NAMES, "=": "equals", "+": "plus", "/": "sol", "%": "percnt" };

/** The encoders that apply one layer of encoding. */
export const ENCODERS: Readonly<Record<string, Encode>> = {
  "percent-encoding": encodeURIComponent,
  "percent-encoding in lower case": (text) => encodeURIComponent(text).replaceAll(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase()),
  "JSON of Go": jsonEscapes(/[<>&]/g, lower),
  "JSON of Rails in upper case": jsonEscapes(/[<>&]/g, upper),
  "JSON of Gson": jsonEscapes(/[<>&=']/g, lower),
  "JSON with escaped slashes": (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll("/", String.raw`\/`),
  "HTML names": (text) => text.replaceAll(/[&<>"']/g, (character) => `&${NAMES[character] ?? ""};`),
  "HTML names of all punctuation": (text) => text.replaceAll(HTML, (character) => `&${MORE_NAMES[character] ?? ""};`),
  "decimal HTML entities": each(HTML, (code) => `&#${code};`),
  "decimal HTML entities with leading zeros": each(HTML, (code) => `&#${code.toString().padStart(5, "0")};`),
  "hexadecimal HTML entities": each(HTML, (code) => `&#x${lower(code)};`),
  "hexadecimal HTML entities with leading zeros": each(HTML, (code) => `&#X${upper(code).padStart(4, "0")};`),
};

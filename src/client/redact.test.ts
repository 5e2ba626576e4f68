import { expect, test } from "vitest";
import { show } from "../model/difference.ts";
import { ENCODERS } from "./encoders-testing.ts";
import { Redactor } from "./redact.ts";

/** A token with characters of each kind that some encoding changes. */
const TOKEN = 'ab/+ "\\&=?ÿ~token>';
const REDACTOR = new Redactor([{ placeholder: "$METRICS_API_TOKEN", value: TOKEN, user: "user" }]);
const bytes = Buffer.from(TOKEN, "utf8");

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

function lowerEscapes(text: string): string {
  return text.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
}

test.each([
  ["raw", TOKEN],
  ["Basic with a user", base64(`user:${TOKEN}`)],
  ["Basic without a user", base64(`:${TOKEN}`)],
  ["Basic without padding", base64(`user:${TOKEN}`).replace(/=+$/, "")],
  ["base64", base64(TOKEN)],
  ["base64url", bytes.toString("base64url")],
  ["base64, percent-encoded in lower case", lowerEscapes(encodeURIComponent(base64(TOKEN)))],
  ["Basic in base64url", Buffer.from(`user:${TOKEN}`).toString("base64url")],
  ["percent-encoded", encodeURIComponent(TOKEN)],
  ["percent-encoded in lower case", lowerEscapes(encodeURIComponent(TOKEN))],
  ["base64, percent-encoded", encodeURIComponent(base64(TOKEN))],
  ["form-encoded", new URLSearchParams({ value: TOKEN }).toString().slice("value=".length)],
  ["JSON-escaped", JSON.stringify(TOKEN).slice(1, -1)],
  [
    "JSON-escaped with slashes",
    JSON.stringify(TOKEN)
      .slice(1, -1)
      .replaceAll("/", String.raw`\/`),
  ],
  ["JSON-escaped in a JSON text", JSON.stringify(JSON.stringify(TOKEN).slice(1, -1)).slice(1, -1)],
  ["UTF-8 that is read as Latin-1", bytes.toString("latin1")],
  ["Latin-1 that is read as UTF-8", Buffer.from(TOKEN, "latin1").toString("utf8")],
  ["base64 of Latin-1", Buffer.from(`user:${TOKEN}`, "latin1").toString("base64")],
  ["hex", bytes.toString("hex")],
  ["hex in upper case", bytes.toString("hex").toUpperCase()],
])("a token is redacted %s", (_encoding, form) => {
  expect(REDACTOR.text(`before ${form}, after ${form}`)).toBe("before $METRICS_API_TOKEN, after $METRICS_API_TOKEN");
});

const NAMES = Object.keys(ENCODERS);

test.each(NAMES)("a token is redacted as %s, alone and with two more layers of any encoder", (name) => {
  for (const second of ["", ...NAMES]) {
    for (const third of ["", ...NAMES]) {
      const form = [name, second, third].reduce((text, encoder) => ENCODERS[encoder]?.(text) ?? text, TOKEN);
      const around = String.raw`a%20b &amp; c\u0026d`;
      expect(REDACTOR.text(`${around} ${form} ${around}`), `${second}, ${third}`).toBe(`${around} $METRICS_API_TOKEN ${around}`);
    }
  }
});

test("the encodings of a token are found below escapes", () => {
  const encoded = base64(`user:${TOKEN}`);
  expect(encoded).toMatch(/[+/=]/);
  for (const encode of Object.values(ENCODERS)) expect(REDACTOR.text(`sent ${encode(encode(encoded))}`)).toBe("sent $METRICS_API_TOKEN");
});

test.each(["%zz%e9%4", String.raw`\u12 \q \u{1} \x2`, "&nope; &#x110000; &#; &amp &#99999999999999999999;", String.raw`\u0026%26&amp;`])(
  "a text with escapes, or similar text, and without a token stays unchanged: %s",
  (text) => {
    expect(REDACTOR.text(text)).toBe(text);
    expect(REDACTOR.text(`${text}${TOKEN}${text}`)).toBe(`${text}$METRICS_API_TOKEN${text}`);
  },
);

test.each(["", "x", "xy", "xyz", "user:pass:"])("a token is redacted inside the base64 of a longer text that starts with %j", (prefix) => {
  for (const suffix of ["", "1", "12", "123"]) {
    for (const encoding of ["base64", "base64url"] as const) {
      const encoded = Buffer.from(prefix + TOKEN + suffix).toString(encoding);
      const redacted = REDACTOR.text(encoded);
      expect(redacted).toContain("$METRICS_API_TOKEN");
      // Only bits that share a base64 character with the text before or after the token may remain.
      expect(redacted.replace("$METRICS_API_TOKEN", "").length).toBeLessThan(((prefix.length + suffix.length) * 8) / 6 + 6);
    }
  }
});

test("if one token contains the other, the longer token is named", () => {
  const redactor = new Redactor([
    { placeholder: "$LOGS_API_TOKEN", value: "common-part" },
    { placeholder: "$METRICS_API_TOKEN", value: "common-part-and-more" },
  ]);
  expect(redactor.text("common-part-and-more, common-part")).toBe("$METRICS_API_TOKEN, $LOGS_API_TOKEN");
});

test("if two tokens overlap, no part of either is left", () => {
  const redactor = new Redactor([
    { placeholder: "$LOGS_API_TOKEN", value: "start-common" },
    { placeholder: "$METRICS_API_TOKEN", value: "common-ending" },
  ]);
  expect(redactor.text("start-common-ending")).toBe("$METRICS_API_TOKEN");
  expect(redactor.text("common-ending, start-common")).toBe("$METRICS_API_TOKEN, $LOGS_API_TOKEN");
});

test("keys and values of structured data are redacted, and other values stay", () => {
  const value = { [TOKEN]: [`a ${TOKEN}`, 7, null, { deep: TOKEN }], cases: 3, none: undefined };
  expect(REDACTOR.deep(value)).toEqual({
    $METRICS_API_TOKEN: ["a $METRICS_API_TOKEN", 7, null, { deep: "$METRICS_API_TOKEN" }],
    cases: 3,
    none: undefined,
  });
});

test("a short token is hidden only in the positions of credentials", () => {
  const redactor = new Redactor([{ placeholder: "$METRICS_API_TOKEN", value: "main", user: "" }]);
  expect(redactor.text("the main thing, in the domain")).toBe("the main thing, in the domain");
  expect(redactor.headers({ authorization: `Basic ${base64(":main")}`, "x-note": "main" }, { authorization: "<ours>" })).toEqual({
    authorization: "<ours>",
    "x-note": "main",
  });
  expect(redactor.text(`you sent Basic ${base64(":main")}`)).toBe("you sent $METRICS_API_TOKEN");
  expect(redactor.text("you sent Bearer main")).toBe("you sent $METRICS_API_TOKEN");
});

test("the values of credential headers are replaced, in any case of the header name", () => {
  expect(REDACTOR.headers({ Authorization: "anything", "X-Other": `is ${TOKEN}` }, { authorization: "<ours>" })).toEqual({
    Authorization: "<ours>",
    "X-Other": "is $METRICS_API_TOKEN",
  });
});

test("without a secret nothing is changed", () => {
  const nothing = new Redactor([{ placeholder: "$METRICS_API_TOKEN", value: "", user: "" }]);
  expect(nothing.text("Basic Og== Bearer x")).toBe("Basic Og== Bearer x");
});

test("a token with invisible characters is hidden if a message shows their escapes", () => {
  const token = "unusual\u00a0token\u200bof-a-service";
  const redactor = new Redactor([{ placeholder: "$METRICS_API_TOKEN", value: token, user: "" }]);
  expect(redactor.text(show({ message: `you sent ${token}` }))).toBe('{"message":"you sent $METRICS_API_TOKEN"}');
});

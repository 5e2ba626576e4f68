/** Tests that a text is redacted completely before it is cut, so that a cut at any position shows no part of a secret. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { cutWith } from "../model/cut.ts";
import { abridged, show, showApart } from "../model/difference.ts";
import { Redactor } from "./redact.ts";

const PLACEHOLDER = "$METRICS_API_TOKEN";
const MOST = 150;
/** A character that is in no secret, in no encoding of a secret, and in no placeholder. */
const FILL = "é";

/** Draws secrets from characters that some encodings change, and from characters that no encoding changes. */
const SECRET = fc.string({ unit: fc.constantFrom(...'abcXYZ0189/+=&% "\\?~-_.'), minLength: 8, maxLength: 60 });

/** Returns the secret in each form in which a server or a gateway may repeat it. */
function forms(secret: string): string[] {
  const base64 = Buffer.from(`:${secret}`, "utf8").toString("base64");
  return [
    secret,
    encodeURIComponent(secret),
    base64,
    encodeURIComponent(base64),
    Buffer.from(secret, "utf8").toString("hex"),
    JSON.stringify(secret).slice(1, -1),
  ];
}

function redactorOf(secret: string): Redactor {
  return new Redactor([{ placeholder: PLACEHOLDER, value: secret, user: "" }]);
}

/** Removes the filling characters, the placeholder and the notes about the cut from a shown text. Any rest is a part of a secret. */
function leftOf(shown: string): string {
  return shown
    .replaceAll(/… \(\d+ characters\)/g, "")
    .replaceAll(/ \(from character \d+ of \d+\)/g, "")
    .replaceAll(PLACEHOLDER, "")
    .replaceAll(new RegExp(`[${FILL}…]`, "g"), "");
}

test("a cut at any place through a secret in any encoding leaves no part of it", () => {
  fc.assert(
    fc.property(SECRET, (secret) => {
      const redactor = redactorOf(secret);
      for (const form of forms(secret)) {
        for (let before = MOST - form.length - 1; before <= MOST + 1; before += 1) {
          const shown = redactor.text(abridged(`${FILL.repeat(Math.max(0, before))}${form}${FILL.repeat(MOST)}`, MOST));
          expect(leftOf(shown)).toBe("");
          expect(shown.includes(PLACEHOLDER)).toBe(before < MOST);
        }
      }
    }),
    { numRuns: 40 },
  );
});

test("an excerpt around a difference leaves no part of a secret that is before, after or inside the excerpt", () => {
  fc.assert(
    fc.property(SECRET, fc.nat({ max: 1 }), (secret, padding) => {
      const redactor = redactorOf(secret);
      const at = 400 + padding;
      const text = FILL.repeat(2 * at);
      for (let place = at - 100 - secret.length; place <= at + 140; place += 1) {
        const held = text.slice(0, place) + secret + text.slice(place);
        const { expected, actual } = showApart(held, `${held.slice(0, at)}#${held.slice(at + 1)}`);
        // If the two texts differ within the secret, redaction does not recognise the secret in the second text.
        const within = at >= place && at < place + secret.length;
        const shown = [expected, ...(within ? [] : [actual])].map((one) => leftOf(redactor.text(one)).replace("#", ""));
        expect(shown.join("")).toBe("");
      }
    }),
    { numRuns: 20 },
  );
});

test("a text without a secret is shown as without redaction", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 600 }), fc.string({ maxLength: 600 }), (one, other) => {
      const redactor = redactorOf("a-secret-that-no-text-holds");
      const { expected, actual } = showApart(one, other);
      for (const text of [show(one), expected, `a ${actual} b ${expected} c`]) {
        const plain = cutWith((whole, from, to) => whole.slice(from, to), text);
        expect(redactor.text(text)).toBe(plain);
        expect(redactor.text(plain)).toBe(plain);
      }
    }),
  );
});

test("if two texts differ within the secret, no cut leaves a part of the secret", () => {
  const [right, wrong] = ["one-secret-token-A", "one-secret-token-B"];
  const redactor = new Redactor([
    { placeholder: "$METRICS_API_TOKEN", value: right },
    { placeholder: "$LOGS_API_TOKEN", value: wrong },
  ]);
  const { expected, actual } = showApart(FILL.repeat(400) + right, FILL.repeat(400) + wrong);
  expect(redactor.text(expected)).toMatch(/^…é+\$METRICS_API_TOKEN" \(from character \d+ of 418\)$/);
  expect(redactor.text(actual)).toMatch(/^…é+\$LOGS_API_TOKEN" \(from character \d+ of 418\)$/);
});

test("a text inside a longer message or inside another cut text is cut too", () => {
  const redactor = redactorOf("some-secret");
  const long = `${FILL.repeat(MOST - 10)}some-secret\n${FILL.repeat(300)}`;
  const shown = redactor.text(`status 400: ${abridged(long, MOST)}, twice`);
  expect(shown).toBe(`status 400: ${FILL.repeat(MOST - 10)}${PLACEHOLDER}… (452 characters), twice`);
  const [line = ""] = `status 400: ${abridged(long, MOST)}, twice`.split("\n");
  expect(redactor.text(line)).toBe(`status 400: ${FILL.repeat(MOST - 10)}${PLACEHOLDER}… (452 characters)`);
  expect(redactor.text(abridged(`[${show(FILL.repeat(300))}]`, 100))).toBe(`["${FILL.repeat(98)}… (304 characters)`);
  expect(redactor.deep({ shown: [show("x".repeat(300))] })).toEqual({ shown: [`"${"x".repeat(MOST - 1)}… (300 characters)`] });
});

test("of a very long text only the part near the cut is kept until it is shown", () => {
  const secret = "s".repeat(8_000);
  const text = `${FILL.repeat(100)}${secret}${FILL.repeat(5_000_000)}`;
  expect(abridged(text, MOST).length).toBeLessThan(70_000);
  expect(redactorOf(secret).text(abridged(text, MOST))).toBe(`${FILL.repeat(100)}${PLACEHOLDER}… (5008100 characters)`);
});

test("of two marked texts, the first without its end mark, each is cut separately", () => {
  const [line = ""] = abridged(`${"x".repeat(300)}\n`, MOST).split("\n");
  expect(redactorOf("some-secret").text(`${line} and ${show("y".repeat(300))}.`)).toBe(
    `${"x".repeat(MOST)}… (301 characters)"${"y".repeat(MOST - 1)}… (300 characters).`,
  );
});

test("marks that a server sends have no effect", () => {
  const sent = `\uFDD0${FILL}\uFDD15,1,0,9\uFDD2`;
  expect(redactorOf("some-secret").text(show(sent))).toBe(`"\uFFFD${FILL}\uFFFD5,1,0,9"`);
});

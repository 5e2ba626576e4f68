/** Replaces secrets in texts. Each text that leaves a run is first redacted completely, and then cut. */
import { cutWith } from "../model/cut.ts";
import { visible } from "../model/difference.ts";
import { decodings } from "./escapes.ts";

export interface Secret {
  /** The text that replaces the secret, for example `$METRICS_API_TOKEN`. */
  readonly placeholder: string;
  readonly value: string;
  /** The user name of the Basic credentials with this secret. */
  readonly user?: string;
}

/** A shorter secret is replaced only in credentials, because harmless text in the evidence is often equal to it. */
export const SHORTEST_REDACTED = 8;

/** The maximum number of layers of escapes, for example percent-encoding by a gateway in HTML in a JSON message. */
const MOST_LAYERS = 3;

interface Span {
  readonly from: number;
  readonly to: number;
  readonly placeholder: string;
}

export class Redactor {
  /** The forms that a secret may have in a text, each with its placeholder. The longest form comes first. */
  readonly #forms: readonly (readonly [form: string, placeholder: string])[];

  constructor(secrets: readonly Secret[]) {
    const forms = new Map<string, string>();
    for (const secret of secrets) {
      const secretForms = secret.value.length < SHORTEST_REDACTED ? credentialForms(secret) : encodings(secret);
      for (const form of secretForms) if (!forms.has(form)) forms.set(form, secret.placeholder);
    }
    this.#forms = [...forms].toSorted(([one], [other]) => other.length - one.length);
  }

  /** Returns a text as it may be shown: it first replaces secrets by placeholders, and then cuts the marked parts. */
  text(text: string): string {
    return cutWith((whole, from, to) => this.#part(whole, from, to), text);
  }

  /** Returns the characters `from` to `to` with placeholders. A secret that is only partly in this range is also replaced as a whole. */
  #part(whole: string, from: number, to: number): string {
    let shown = "";
    let last = from;
    for (const span of this.#spansIn(whole)) {
      if (span.to <= from || span.from >= to) continue;
      shown += whole.slice(last, Math.max(last, span.from)) + span.placeholder;
      last = span.to;
    }
    return last < to ? shown + whole.slice(last, to) : shown;
  }

  /**
   * Returns the positions of secrets, even if they are escaped up to `layers` times. Different orders of decoding often give the same text,
   * so `searched` has each text that was already searched.
   */
  #places(text: string, layers: number, searched: Map<string, number>): Span[] {
    searched.set(text, layers);
    const found: Span[] = [];
    for (const [form, placeholder] of this.#forms) {
      for (let from = text.indexOf(form); from !== -1; from = text.indexOf(form, from + 1)) {
        found.push({ from, to: from + form.length, placeholder });
      }
    }
    if (layers === 0) return found;
    for (const { text: decoded, source } of decodings(text)) {
      if ((searched.get(decoded) ?? -1) >= layers - 1) continue;
      for (const { from, to, placeholder } of this.#places(decoded, layers - 1, searched)) {
        const [first, end] = source(from, to);
        found.push({ from: first, to: end, placeholder });
      }
    }
    return found;
  }

  /** Returns the positions of secrets in a text. Overlapping forms become one position with the placeholder of the longest form. */
  #spansIn(text: string): readonly Span[] {
    if (this.#forms.length === 0) return [];
    const found = this.#places(text, MOST_LAYERS, new Map());
    if (found.length === 0) return found;
    const merged: { from: number; to: number; placeholder: string; longest: number }[] = [];
    for (const span of found.toSorted((one, other) => one.from - other.from || other.to - one.to)) {
      const longest = span.to - span.from;
      const known = merged.at(-1);
      if (known === undefined || span.from >= known.to) {
        merged.push({ ...span, longest });
        continue;
      }
      known.to = Math.max(known.to, span.to);
      if (longest > known.longest) Object.assign(known, { longest, placeholder: span.placeholder });
    }
    return merged;
  }

  /** Returns redacted headers. The whole value of each credential header is replaced, and all other values are redacted as text. */
  headers(headers: Readonly<Record<string, string>>, credentials: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, credentials[name.toLowerCase()] ?? this.text(value)]));
  }

  /** Returns a copy of a value in which each string is redacted. The value must be cloneable with `structuredClone`. */
  deep<T>(value: T): T {
    return this.#walk(value) as T;
  }

  #walk(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.#walk(item));
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key), this.#walk(item)]));
    }
    return value;
  }
}

/** Returns the forms in which a short secret is replaced: the values of an Authorization header with it. They never equal harmless text. */
function credentialForms({ value, user }: Secret): string[] {
  if (value === "" || user === undefined) return [];
  const pairs = [`${user}:${value}`, `:${value}`].map((pair) => `Basic ${Buffer.from(pair, "utf8").toString("base64")}`);
  return [...pairs, `Bearer ${value}`];
}

/**
 * Returns forms of a secret that the search in decoded texts does not find, such as base64, or a secret with other characters for blanks. A
 * server may write UTF-8 or Latin-1, and the client may read one as the other.
 */
function encodings({ value, user }: Secret): string[] {
  const both = (["utf8", "latin1"] as const).flatMap((encoding) => {
    const bytes = Buffer.from(value, encoding);
    const whole = [`${user ?? ""}:${value}`, `:${value}`].map((pair) => Buffer.from(pair, encoding).toString("base64"));
    const base64 = [...whole, bytes.toString("base64"), ...base64Cores(bytes)].flatMap((form) => [form, form.replace(/=+$/, "")]);
    return [
      bytes.toString("latin1"),
      bytes.toString("utf8"),
      bytes.toString("hex"),
      bytes.toString("hex").toUpperCase(),
      ...base64.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]),
    ];
  });
  return [value, value.replaceAll(" ", "+"), visible(value), ...both].filter((form) => form.length >= SHORTEST_REDACTED);
}

/**
 * Base64 encodes groups of three bytes. So a secret in a longer text has one of three encodings. For each, returns the part that does not
 * depend on the text around the secret.
 */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const from = offset === 0 ? 0 : offset + 1;
    const whole = Math.floor(((offset + bytes.length) * 8) / 6);
    return encoded.slice(from, whole);
  });
}

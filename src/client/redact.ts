/** Only this file knows which texts are secret. Each text that leaves a run is redacted here completely, and then cut. */
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

/**
 * A secret with fewer characters than this is redacted only where credentials stand, because replacing it everywhere would destroy the
 * evidence.
 */
export const SHORTEST_REDACTED = 8;

/**
 * The maximum number of layers of escapes that are undone. For example, a gateway percent-encodes a text, a server escapes it for HTML, and
 * a message of the suite quotes it as JSON.
 */
const MOST_LAYERS = 3;

/** The position of a secret in a text, and its placeholder. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly placeholder: string;
}

export class Redactor {
  /** The forms of all secrets, the longest first. */
  readonly #forms: readonly (readonly [form: string, placeholder: string])[];

  constructor(secrets: readonly Secret[]) {
    const forms = new Map<string, string>();
    for (const secret of secrets) {
      const secretForms = secret.value.length < SHORTEST_REDACTED ? credentialForms(secret) : encodings(secret);
      for (const form of secretForms) if (!forms.has(form)) forms.set(form, secret.placeholder);
    }
    this.#forms = [...forms].toSorted(([one], [other]) => other.length - one.length);
  }

  /** Returns the text in which each known form of each secret is replaced by its placeholder, and which is then cut at its marks. */
  text(text: string): string {
    return cutWith((whole, from, to) => this.#part(whole, from, to), text);
  }

  /** Returns a part of a text. A secret that is completely or partly inside the part is replaced completely. */
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
   * Returns the positions of all forms in the text, also after up to `layers` layers of escapes are undone. Different orders of the layers
   * often give the same text. To search each text only once, `searched` has the number of layers with which each text was searched.
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

  /** The positions of secrets. Overlapping forms become a single position with the name of the longest form. */
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

  /** Returns the headers, in which the values of credential headers are replaced completely, and other values are redacted as text. */
  headers(headers: Readonly<Record<string, string>>, credentials: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, credentials[name.toLowerCase()] ?? this.text(value)]));
  }

  /** The value with each string in it redacted. The value must be cloneable with `structuredClone`. */
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

/** Returns the forms of a short secret that are certainly no other text: the value of an Authorization header. */
function credentialForms({ value, user }: Secret): string[] {
  if (value === "" || user === undefined) return [];
  const pairs = [`${user}:${value}`, `:${value}`].map((pair) => `Basic ${Buffer.from(pair, "utf8").toString("base64")}`);
  return [...pairs, `Bearer ${value}`];
}

/** Returns the forms of a secret that are no escapes, and the secret with its blanks written as in a form or a message. */
function encodings({ value, user }: Secret): string[] {
  const bytes = Buffer.from(value, "utf8");
  const whole = [`${user ?? ""}:${value}`, `:${value}`].map((pair) => Buffer.from(pair, "utf8").toString("base64"));
  const base64 = [...whole, bytes.toString("base64"), ...base64Cores(bytes)].flatMap((form) => [form, form.replace(/=+$/, "")]);
  return [
    value,
    value.replaceAll(" ", "+"),
    visible(value),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ...base64.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]),
  ].filter((form) => form.length >= SHORTEST_REDACTED);
}

/** For each of the three alignments, the part of the base64 of the secret that does not depend on the text before and after it. */
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

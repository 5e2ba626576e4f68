/** The only place that knows which texts are secret. Everything that leaves a run passes through it complete, and is cut here. */
import { cutWith } from "../model/cut.ts";
import { visible } from "../model/difference.ts";
import { decodings } from "./escapes.ts";

export interface Secret {
  /** How the secret is printed, e.g. `$METRICS_API_TOKEN`. */
  readonly placeholder: string;
  readonly value: string;
  /** The user name it is sent with in Basic credentials. */
  readonly user?: string;
}

/** A shorter secret is redacted in credential positions only, because replacing it everywhere would destroy the evidence. */
export const SHORTEST_REDACTED = 8;

/** A server may escape for JSON or HTML what a gateway had percent-encoded, and a message of the suite quotes the result as JSON. */
const MOST_LAYERS = 3;

/** Where in a text a secret stands, and what is printed in its place. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly placeholder: string;
}

export class Redactor {
  /** The longest first. */
  readonly #forms: readonly (readonly [form: string, placeholder: string])[];

  constructor(secrets: readonly Secret[]) {
    const forms = new Map<string, string>();
    for (const secret of secrets) {
      const secretForms = secret.value.length < SHORTEST_REDACTED ? credentialForms(secret) : encodings(secret);
      for (const form of secretForms) if (!forms.has(form)) forms.set(form, secret.placeholder);
    }
    this.#forms = [...forms].toSorted(([one], [other]) => other.length - one.length);
  }

  /** `text` with every known form of every secret replaced by its placeholder, and then cut where it is to be cut. */
  text(text: string): string {
    return cutWith((whole, from, to) => this.#part(whole, from, to), text);
  }

  /** A part of a text. A secret that is in it completely or partly is replaced completely. */
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
   * Every place of every form in the text, also after up to `layers` layers of escapes are removed. `searched` holds, for each text, the
   * largest number of layers that were removed in it, because the order of the layers often makes no difference.
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

  /** The places of secrets. Overlapping forms become one span, named by the longest form. */
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

  /** Headers with credential-bearing values replaced wholly and the others redacted as text. */
  headers(headers: Readonly<Record<string, string>>, credentials: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, credentials[name.toLowerCase()] ?? this.text(value)]));
  }

  /** A structured-clonable value with every string in it redacted. */
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

/** A short secret where it is unmistakable: in the value of an Authorization header. */
function credentialForms({ value, user }: Secret): string[] {
  if (value === "" || user === undefined) return [];
  const pairs = [`${user}:${value}`, `:${value}`].map((pair) => `Basic ${Buffer.from(pair, "utf8").toString("base64")}`);
  return [...pairs, `Bearer ${value}`];
}

/** The forms of a secret that are no escapes, and the secret as a form or a message writes its blanks. */
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

/** The part of the secret's base64 that stays the same whatever stands before and after it, for each of the three alignments. */
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

/** The one place that knows which texts are secret: everything that leaves a run passes through here. */

export interface Secret {
  /** How the secret is printed, e.g. `$METRICS_API_TOKEN`. */
  readonly placeholder: string;
  readonly value: string;
  /** The user name it is sent with in Basic credentials. */
  readonly user?: string;
}

/** A shorter secret is redacted in credential positions only: replacing it everywhere would shred the evidence. */
export const SHORTEST_REDACTED = 8;

/** Where a long value was cut. */
const CUT = "…";
/** Less than this of a secret tells nothing, and is found in texts that hold none. */
const SHORTEST_LEFT = 5;

export class Redactor {
  /** The longest first. */
  readonly #forms: readonly (readonly [form: string, placeholder: string])[];
  readonly #shortest: number;

  constructor(secrets: readonly Secret[]) {
    const forms = new Map<string, string>();
    for (const secret of secrets) {
      const secretForms = secret.value.length < SHORTEST_REDACTED ? credentialForms(secret) : encodings(secret);
      for (const form of secretForms) if (!forms.has(form)) forms.set(form, secret.placeholder);
    }
    this.#forms = [...forms].toSorted(([one], [other]) => other.length - one.length);
    this.#shortest = this.#forms.at(-1)?.[0].length ?? 0;
  }

  /** `text` with every known form of every secret replaced by its placeholder. */
  text(text: string): string {
    // Most keys and many values are too short to hold any of them.
    if (text.length < this.#shortest && !text.includes(CUT)) return text;
    let redacted = text;
    for (const [form, placeholder] of this.#forms) {
      if (redacted.includes(form)) redacted = redacted.replaceAll(form, () => placeholder);
    }
    return redacted.includes(CUT) ? this.#atCuts(redacted) : redacted;
  }

  /** What a cut through a secret left of it, before the cut, after it or between two, is as secret as the whole. */
  #atCuts(text: string): string {
    const pieces = text.split(CUT);
    const last = pieces.length - 1;
    return pieces
      .map((piece, index) => {
        const inner = index > 0 && index < last ? this.#most((form) => (form.includes(piece) ? piece.length : 0)) : null;
        if (inner !== null) return inner.placeholder;
        const end = index < last ? this.#most((form) => overlap(piece, form)) : null;
        const ended = end === null ? piece : piece.slice(0, -end.length) + end.placeholder;
        const start = index > 0 ? this.#most((form) => overlap(form, ended)) : null;
        return start === null ? ended : start.placeholder + ended.slice(start.length);
      })
      .join(CUT);
  }

  /** The secret of which `lengthOf` finds the longest part; null when no part is long enough to tell anything. */
  #most(lengthOf: (form: string) => number): { readonly length: number; readonly placeholder: string } | null {
    let most: { length: number; placeholder: string } | null = null;
    for (const [form, placeholder] of this.#forms) {
      const length = lengthOf(form);
      if (length >= SHORTEST_LEFT && length > (most?.length ?? 0)) most = { length, placeholder };
    }
    return most;
  }

  /** Headers with credential-bearing values replaced wholly and the others redacted as text. */
  headers(headers: Readonly<Record<string, string>>, credentials: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, credentials[name.toLowerCase()] ?? this.text(value)]));
  }

  /** A structured-clonable value with every string in it redacted. */
  deep<T>(value: T): T {
    if (this.#forms.length === 0) return value;
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

/** How many characters at the end of `one` are the beginning of `other`. */
function overlap(one: string, other: string): number {
  let length = Math.min(one.length, other.length);
  while (!one.endsWith(other.slice(0, length))) length -= 1;
  return length;
}

/** A short secret where it is unmistakable: in the value of an Authorization header. */
function credentialForms({ value, user }: Secret): string[] {
  if (value === "" || user === undefined) return [];
  const pairs = [`${user}:${value}`, `:${value}`].map((pair) => `Basic ${Buffer.from(pair, "utf8").toString("base64")}`);
  return [...pairs, `Bearer ${value}`];
}

function encodings({ value, user }: Secret): string[] {
  const bytes = Buffer.from(value, "utf8");
  const whole = [`${user ?? ""}:${value}`, `:${value}`].map((pair) => Buffer.from(pair, "utf8").toString("base64"));
  const base64 = [...whole, bytes.toString("base64"), ...base64Cores(bytes)];
  return [
    value,
    encodeURIComponent(value),
    new URLSearchParams({ value }).toString().slice("value=".length),
    lowerEscapes(encodeURIComponent(value)),
    JSON.stringify(value).slice(1, -1),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ...base64
      .flatMap((form) => [form, form.replace(/=+$/, "")])
      .flatMap((form) => [
        form,
        form.replaceAll("+", "-").replaceAll("/", "_"),
        encodeURIComponent(form),
        lowerEscapes(encodeURIComponent(form)),
      ]),
  ].filter((form) => form.length >= SHORTEST_REDACTED);
}

function lowerEscapes(text: string): string {
  return text.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
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

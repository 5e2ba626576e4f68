/** Defines the six types of limits as JSON Schemas. `schemas/admin`, the model and the settings are derived from them. */

export interface Constraint {
  readonly type?: string | readonly string[];
  readonly items?: Constraint;
  readonly pattern?: string;
  readonly anyOf?: readonly Constraint[];
}

interface LimitTypeRow {
  /** The name of the type in words, for messages. */
  readonly words: string;
  /** The constraint on the values that a read may show. */
  readonly schema: Constraint;
  /** The constraint on the values that a client may send. The default is the constraint on reads. */
  readonly onWrite?: Constraint;
}

/** A duration: at least one `<number><unit>`, or a bare 0. A read may show a duration in another notation. */
const DURATION: Constraint = { type: "string", pattern: "^(?:0|(?:[0-9]+(?:\\.[0-9]+)?(?:ns|us|µs|μs|ms|s|m|h|d|w|y))+)$" };

const types = {
  integer: { words: "an integer", schema: { type: "integer" } },
  boolean: { words: "a boolean", schema: { type: "boolean" } },
  string: { words: "a string", schema: { type: "string" } },
  list: { words: "a list of strings or null", schema: { type: ["array", "null"], items: { type: "string" } } },
  duration: { words: "a duration string", schema: { type: "string" }, onWrite: DURATION },
  retention: {
    words: "a duration string or an integer of nanoseconds",
    schema: { anyOf: [{ type: "integer" }, { type: "string" }] },
    onWrite: { type: "string", pattern: "^[0-9]+[a-z]+$" },
  },
} as const satisfies Record<string, LimitTypeRow>;

/** The name of a type. On read, a `retention` may also be an integer of nanoseconds. */
export type LimitType = keyof typeof types;

export const LIMIT_TYPES: Readonly<Record<LimitType, LimitTypeRow>> = types;

/** What a legal difference says of itself. */
import type { BehaviourChange } from "../behaviour.ts";
import type { Json } from "../http/message.ts";
import type { ReferenceOptions } from "../options.ts";

export interface Variant extends BehaviourChange {
  /** The only API that it changes; absent: both, or what both stand on. */
  readonly service?: "admin" | "logs";
  /** What the server does differently, one sentence. */
  readonly sentence: string;
  /** Why the documents allow it. */
  readonly why: string;
  readonly options?: Partial<ReferenceOptions>;
  /** Settings of a run, by variable name, that a user of such a server gives. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Global defaults of this server that differ from the table, as a user states them in the expected-defaults file. */
  readonly expectedDefaults?: Readonly<Record<string, Json>>;
  /** Checks that are rightly inconclusive: what the server does leaves it open whether it breaks their clauses. */
  readonly leavesOpen?: readonly string[];
  /** How long the suite may wait for writes to settle at most, ms, where the variant is about delay. */
  readonly settleMs?: number;
}

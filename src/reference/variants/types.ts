/** The description of a variant. */
import type { BehaviourChange } from "../behaviour.ts";
import type { Json } from "../http/message.ts";
import type { ReferenceOptions } from "../options.ts";

export interface Variant extends BehaviourChange {
  /** The only API that the variant changes. Absent if it changes both. */
  readonly service?: "admin" | "logs";
  /** The difference to the reference server, in one sentence. */
  readonly sentence: string;
  /** The reason why the documents allow the difference. */
  readonly why: string;
  readonly options?: Partial<ReferenceOptions>;
  /** The settings of a run that a user of such a server sets, by name of the variable. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The global defaults of this server that differ from the table, as in the file of expected defaults. */
  readonly expectedDefaults?: Readonly<Record<string, Json>>;
  /** The checks that are rightly inconclusive, because the behaviour of the server does not show whether their clauses are violated. */
  readonly leavesOpen?: readonly string[];
  /** The maximum time for writes to settle in the run, in ms, for a variant with delays. */
  readonly settleMs?: number;
}

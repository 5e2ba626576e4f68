/** Defines the description of a variant. */
import type { BehaviourChange } from "../behaviour.ts";
import type { Json } from "../http/message.ts";
import type { ReferenceOptions } from "../options.ts";

export interface Variant extends BehaviourChange {
  /** The only API that the variant changes. `service` is absent if the variant changes both APIs. */
  readonly service?: "admin" | "logs";
  readonly sentence: string;
  /** The reason why the documents allow the difference. */
  readonly why: string;
  readonly options?: Partial<ReferenceOptions>;
  /** The settings that a user of such a server must set for a run, by the name of the variable. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The global defaults of this server that differ from the table of limits, as METRICS_EXPECTED_DEFAULTS has them. */
  readonly expectedDefaults?: Readonly<Record<string, Json>>;
  /** The checks that may be inconclusive against this variant: its behaviour does not show whether their clauses are held. */
  readonly leavesOpen?: readonly string[];
  /** The value of SETTLE_TIMEOUT_MS for a run against this variant, in ms. Only variants with delays set it. */
  readonly settleMs?: number;
}

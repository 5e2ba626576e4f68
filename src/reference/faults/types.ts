/** Defines the description of a fault. */
import type { BehaviourChange } from "../behaviour.ts";
import type { Json } from "../http/message.ts";
import type { ReferenceOptions } from "../options.ts";

export interface Fault extends BehaviourChange {
  readonly clause: string;
  /** The ids of other clauses that the same fault also violates, such as the clauses of further limits. */
  readonly also?: readonly string[];
  readonly sentence: string;
  /** The options with which the server must be started so that the fault has an effect. */
  readonly options?: Partial<ReferenceOptions>;
  /** The settings that a run needs to see the fault, by variable name. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The content of METRICS_EXPECTED_DEFAULTS that a run needs to see the fault. */
  readonly expectedDefaults?: Readonly<Record<string, Json>>;
  /** The value of SETTLE_TIMEOUT_MS for a run against this fault, in ms. Only faults with delays have it. */
  readonly settleMs?: number;
  /** Set if only this profile pushes enough data to detect the fault. */
  readonly needs?: "nightly";
}

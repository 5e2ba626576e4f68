/** What a deliberate fault says of itself. */
import type { BehaviourChange } from "../behaviour.ts";
import type { Json } from "../http/message.ts";
import type { ReferenceOptions } from "../options.ts";

export interface Fault extends BehaviourChange {
  /** Id of the clause it breaks. */
  readonly clause: string;
  /** Other clauses that the same mistake breaks by itself, such as several rows of a table. */
  readonly also?: readonly string[];
  /** What the server does wrong, one sentence. */
  readonly sentence: string;
  /** How the server must be started for the fault to show. */
  readonly options?: Partial<ReferenceOptions>;
  /** Settings of a run, by variable name, that the fault needs in order to show. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What METRICS_EXPECTED_DEFAULTS must hold for the fault to show. */
  readonly expectedDefaults?: Readonly<Record<string, Json>>;
  /** How long the suite may wait for writes to settle at most, ms, where the fault is about delay. */
  readonly settleMs?: number;
  /** The only profile whose amounts of data can show it; absent: the smaller profiles can, too. */
  readonly needs?: "nightly";
}

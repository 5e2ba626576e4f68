/** Finds the evidence of a defect: the exchanges and the message of the check that shows the defect. */
import { inOrder } from "../harness/timeline.ts";
import type { CheckResult, ExchangeEvidence } from "../harness/result.ts";
import type { DefectSummary } from "./model.ts";

export interface DefectEvidence {
  /** The exchanges of the check in chronological order. The list is empty if the result of the check was not found. */
  readonly exchanges: readonly ExchangeEvidence[];
  readonly message: string;
}

export function evidenceFor({ checks, clauses }: DefectSummary, results: readonly CheckResult[]): DefectEvidence {
  const result = results.find(({ id }) => id === checks[0]);
  const outcome = result?.outcomes.find(({ clause }) => clause === clauses[0]);
  const shownBy = new Set(outcome?.violation?.shownBy);
  const exchanges = inOrder((result?.exchanges ?? []).filter(({ sequence }) => shownBy.has(sequence)));
  const [decidingSequence] = outcome?.violation?.shownBy ?? [];
  // The check may have found several violations, so only the exchange that decides the violation of this defect is marked as wrong.
  const marked = exchanges.map((one): ExchangeEvidence =>
    one.role === "deciding" && one.sequence !== decidingSequence ? { ...one, role: "judged" } : one,
  );
  return { exchanges: marked, message: outcome?.message ?? "" };
}

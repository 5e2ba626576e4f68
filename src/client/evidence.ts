/** `deciding`: it shows a violation first; `judged`: the verdict rests on it; `context`: it led there. */
export type ExchangeRole = "deciding" | "judged" | "context";

/** One HTTP exchange as evidence: redacted, bodies truncated. */
export interface ExchangeEvidence {
  /** 1-based position in the run. */
  readonly sequence: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** What the suite was doing, e.g. "create instance" or "query_range". */
  readonly operation: string;
  /** What this exchange means for the verdict. */
  readonly role: ExchangeRole;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  };
  /** Null when no response arrived; then `error` says why. */
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
  readonly error: string | null;
  /** How many more exchanges of the check were the same request with the same answer. */
  readonly alike?: number;
  /** A curl command that repeats the request; secrets appear as `$METRICS_API_TOKEN` and the like. */
  readonly curl: string;
}

/** `deciding`: the first exchange that shows a violation. `judged`: the verdict depends on it. `context`: an earlier exchange. */
export type ExchangeRole = "deciding" | "judged" | "context";

/** An HTTP exchange as evidence. All texts in evidence are redacted, and long bodies are cut. */
export interface ExchangeEvidence {
  /** The number of the exchange in the run, counted from 1. */
  readonly sequence: number;
  /** The time at which the request was sent, in the format ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** The operation of the request, for example "create instance" or "query_range". */
  readonly operation: string;
  readonly role: ExchangeRole;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  };
  /** The response, or null if no response arrived. If `response` is null, `error` has the reason. */
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
  readonly error: string | null;
  /** The number of other exchanges of the check with the same request and the same response. */
  readonly alike?: number;
  /** A curl command that repeats the request. Secrets appear as variables such as `$METRICS_API_TOKEN`. */
  readonly curl: string;
}

/** What this suite sends as well-formed is so by the schemas of the documents, or a refusal of it would say nothing. */
import { requestDifferences, type RequestingOperation } from "../model/schemas.ts";

/** Throws when a request that is to be well-formed is not: a defect of ours. */
export function requireWellFormed(operation: RequestingOperation, parametersOrBody: unknown): void {
  const [wrong] = requestDifferences(operation, parametersOrBody);
  if (wrong !== undefined)
    throw new Error(
      `defect of this suite: it sent a request that violates ${wrong.clause}: ${operation}, ${wrong.path} expected ${wrong.expected}, got ${wrong.actual}`,
    );
}

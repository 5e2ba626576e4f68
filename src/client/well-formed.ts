/**
 * Checks that the requests of this suite are valid by the schemas of the documents. If a service refused an invalid request of the suite,
 * the refusal would show nothing about the service.
 */
import { differenceText } from "../model/difference.ts";
import { requestDifferences, type RequestingOperation } from "../model/schemas.ts";

/** Throws if a request violates the schemas. Such a request is a defect of the suite. */
export function requireWellFormed(operation: RequestingOperation, parametersOrBody: unknown): void {
  const [wrong] = requestDifferences(operation, parametersOrBody);
  if (wrong !== undefined)
    throw new Error(
      `defect of this suite: it sent a request that violates ${wrong.clause}: ${operation}, ${wrong.path}: ${differenceText(wrong)}`,
    );
}

/** Validates the requests of this suite with the schemas. If the suite sent an invalid request, its refusal would show nothing. */
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

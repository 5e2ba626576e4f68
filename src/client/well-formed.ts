/** Checks that the requests of this suite are valid by the schemas of the documents. A refusal of an invalid request would show nothing. */
import { differenceText } from "../model/difference.ts";
import { requestDifferences, type RequestingOperation } from "../model/schemas.ts";

/** Throws if a request violates the schemas, which is a defect of the suite. */
export function requireWellFormed(operation: RequestingOperation, parametersOrBody: unknown): void {
  const [wrong] = requestDifferences(operation, parametersOrBody);
  if (wrong !== undefined)
    throw new Error(
      `defect of this suite: it sent a request that violates ${wrong.clause}: ${operation}, ${wrong.path}: ${differenceText(wrong)}`,
    );
}

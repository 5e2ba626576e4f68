/** Faults of a server that sometimes refuses requests with the right credentials. */
import { everyNth } from "../change.ts";
import { unauthorized } from "../http/authorization.ts";
import type { Operation } from "../http/message.ts";
import { fault, type FaultDetails } from "./define.ts";
import type { Fault } from "./types.ts";

export const ALL_LOGS: readonly Operation[] = ["logs.push", "logs.query_range", "logs.query", "logs.labels", "logs.label_values"];

/** Makes a faulty server that answers each `n`th request of some operations with 401. */
export function sometimesRefused(
  clause: string,
  id: string,
  sentence: string,
  n: number,
  operations: readonly Operation[],
  details: FaultDetails,
): Fault {
  return fault({ clause, ...details }, id, sentence, (base) => {
    const nth = everyNth(n);
    return {
      beforeHandle: (request, route) =>
        route !== undefined && operations.includes(route.operation) && nth()
          ? unauthorized("no credentials")
          : base.beforeHandle(request, route),
    };
  });
}

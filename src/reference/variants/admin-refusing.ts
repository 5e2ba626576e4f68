/** Variants of the admin API that refuse inputs or write durations in other forms. The documents are silent about both. */
import { isLimitName, LIMITS } from "../../contract/limits.ts";
import type { Behaviour } from "../behaviour.ts";
import { isJsonObject, type Json, textReply } from "../http/message.ts";
import { legal, legalDecision, legalResult, type Row, variantsOf } from "./define.ts";
import type { Variant } from "./types.ts";

const NAMES = "the document does not show which names a server accepts";
const NOTATION = "the document does not state how reads write a length of time, nor how many days a year has";
const REFUSALS = "the conditions that cause errors are not shown";

function names(sentence: string, isTaken: (name: string) => boolean): Row {
  return legalResult("checkCreate", sentence, NAMES, (complaint, payload) => {
    const name = isJsonObject(payload) ? payload["name"] : undefined;
    return complaint ?? (typeof name === "string" && !isTaken(name) ? "no such name is allowed" : undefined);
  });
}

function retention(sentence: string, print: (count: number, unit: "y" | "d") => string): Row {
  return legal(sentence, NOTATION, (base) => ({
    limitOnRead: (name, value, context) => {
      const written =
        isLimitName(name) && LIMITS[name].type === "retention" && typeof value === "string" ? /^(\d+)([yd])$/.exec(value) : null;
      const shown: Json = written === null ? value : print(Number(written[1]), written[2] === "y" ? "y" : "d");
      return base.limitOnRead(name, shown, context);
    },
  }));
}

const quota =
  (most: number, status: number) =>
  (base: Behaviour): Partial<Behaviour> => {
    let created = 0;
    return {
      beforeHandle: (request, route) => {
        if (route?.operation !== "admin.create") return base.beforeHandle(request, route);
        created += 1;
        return created > most ? textReply(status, "the quota of instances is used up\n") : base.beforeHandle(request, route);
      },
    };
  };

export const ADMIN_REFUSING_VARIANTS: readonly Variant[] = variantsOf({
  "names-of-letters-and-digits": names("A name may have only small letters and digits.", (name) => /^[a-z][a-z0-9]*$/.test(name)),
  "names-of-20-characters": names("A name may have at most 20 characters.", (name) => name.length <= 20),
  "names-without-digits-at-the-end": names("A name must end with a letter.", (name) => /[a-z]$/.test(name)),
  "names-of-underscores": names("A name may have only small letters, digits and underscores.", (name) => /^[a-z][a-z0-9_]*$/.test(name)),
  "retention-in-julian-years": retention("A retention period in years is shown in hours, with 8,766 hours per year.", (count, unit) =>
    unit === "y" ? `${count * 8_766}h0m0s` : `${count}d`,
  ),
  "retention-in-leap-years": retention("A retention period in years is shown in days, with 366 days per year.", (count, unit) =>
    unit === "y" ? `${count * 366}d` : `${count}d`,
  ),
  "retention-in-iso-8601": retention("Retention periods are shown in ISO 8601.", (count, unit) => `P${count}${unit.toUpperCase()}`),
  "retention-cannot-change": legalDecision(
    "checkLimit",
    "The retention period of an instance with limits cannot be changed.",
    REFUSALS,
    (name, value, { previous }) =>
      name === "compactor_blocks_retention_period" && previous?.limits !== undefined && previous.limits[name] !== value
        ? "the retention period cannot be changed"
        : undefined,
  ),
  "limits-of-operators-only": legalDecision(
    "beforeHandle",
    "Writes with limits of the storage or of the configuration are answered 403.",
    "the document does not show which operations a token permits",
    (request, route) =>
      /"(?:s3|per_tenant)_\w+":/.test(request.body) && route?.operation.startsWith("admin.") === true
        ? textReply(403, "only operators may set this limit\n")
        : undefined,
  ),
  "update-without-change-refused": legal("An update that changes nothing is refused with 400.", REFUSALS, (base) => {
    const last = new Map<string, string>();
    return {
      beforeHandle: (request, route) => {
        if (route?.operation !== "admin.update") return base.beforeHandle(request, route);
        const isSame = last.get(route.name) === request.body;
        last.set(route.name, request.body);
        return isSame ? textReply(400, "nothing to change\n") : base.beforeHandle(request, route);
      },
    };
  }),
  "quota-of-12-instances": legal("Each create after the twelfth is answered 403.", REFUSALS, quota(12, 403)),
  "quota-of-20-instances": legal("A create is answered 507 if there are 20 instances.", REFUSALS, quota(20, 507)),
  "quota-of-9-instances": legal("Each create after the ninth is answered 409.", REFUSALS, quota(9, 409)),
  "quota-of-15-instances": legal("A create is answered 422 if there are 15 instances.", REFUSALS, quota(15, 422)),
  "gateway-refuses-markup": legal("A gateway answers 403 to a body with a tag or with `../`.", REFUSALS, (base) => ({
    beforeHandle: (request, route) =>
      /<[a-z]|\.\.\/|%41|\$\{/i.test(request.body) && route?.operation.startsWith("admin.") === true
        ? textReply(403, "request blocked\n")
        : base.beforeHandle(request, route),
  })),
});

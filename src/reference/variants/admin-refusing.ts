/** Variants of the admin API that refuse inputs, or write lengths of time in other forms, where the documents are silent. */
import { isLimitName, LIMITS } from "../../contract/limits.ts";
import type { Behaviour } from "../behaviour.ts";
import { isJsonObject, type Json, textReply } from "../http/message.ts";
import { variant, variantOfDecision } from "./define.ts";
import type { Variant } from "./types.ts";

const NAMES = "the document does not show which names a server accepts";
const NOTATION = "the document does not state how reads write a length of time, nor how many days a year has";
const REFUSALS = "the conditions that cause errors are not shown";

function names(id: string, sentence: string, isTaken: (name: string) => boolean): Variant {
  return variant(id, sentence, NAMES, (base) => ({
    checkCreate: (payload) => {
      const name = isJsonObject(payload) ? payload["name"] : undefined;
      return base.checkCreate(payload) ?? (typeof name === "string" && !isTaken(name) ? "no such name is allowed" : undefined);
    },
  }));
}

function retention(id: string, sentence: string, print: (count: number, unit: "y" | "d") => string): Variant {
  return variant(id, sentence, NOTATION, (base) => ({
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

export const ADMIN_REFUSING_VARIANTS: readonly Variant[] = [
  names("names-of-letters-and-digits", "A name may have only small letters and digits.", (name) => /^[a-z][a-z0-9]*$/.test(name)),
  names("names-of-20-characters", "A name may have at most 20 characters.", (name) => name.length <= 20),
  names("names-without-digits-at-the-end", "A name must end with a letter.", (name) => /[a-z]$/.test(name)),
  names("names-of-underscores", "A name may have only small letters, digits and underscores.", (name) => /^[a-z][a-z0-9_]*$/.test(name)),
  retention("retention-in-julian-years", "A retention period in years is shown in hours, with 8,766 hours per year.", (count, unit) =>
    unit === "y" ? `${count * 8_766}h0m0s` : `${count}d`,
  ),
  retention("retention-in-leap-years", "A retention period in years is shown in days, with 366 days per year.", (count, unit) =>
    unit === "y" ? `${count * 366}d` : `${count}d`,
  ),
  retention("retention-in-iso-8601", "Retention periods are shown in ISO 8601.", (count, unit) => `P${count}${unit.toUpperCase()}`),
  variantOfDecision(
    "beforeHandle",
    "limits-of-operators-only",
    "Writes with limits of the storage or of the configuration are answered 403.",
    "the document does not show which operations a token permits",
    (request, route) =>
      /"(?:s3|per_tenant)_\w+":/.test(request.body) && route?.operation.startsWith("admin.") === true
        ? textReply(403, "only operators may set this limit\n")
        : undefined,
  ),
  variant("update-without-change-refused", "An update that changes nothing is refused with 400.", REFUSALS, (base) => {
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
  variant("quota-of-12-instances", "Each create after the twelfth is answered 403.", REFUSALS, quota(12, 403)),
  variant("quota-of-20-instances", "A create is answered 507 if there are 20 instances.", REFUSALS, quota(20, 507)),
  variant("quota-of-9-instances", "Each create after the ninth is answered 409.", REFUSALS, quota(9, 409)),
  variant("quota-of-15-instances", "A create is answered 422 if there are 15 instances.", REFUSALS, quota(15, 422)),
  variant("gateway-refuses-markup", "A gateway answers 403 to a body with a tag or with `../`.", REFUSALS, (base) => ({
    beforeHandle: (request, route) =>
      /<[a-z]|\.\.\/|%41|\$\{/i.test(request.body) && route?.operation.startsWith("admin.") === true
        ? textReply(403, "request blocked\n")
        : base.beforeHandle(request, route),
  })),
];

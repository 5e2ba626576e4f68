/** Validates the bodies of the admin API. The server refuses an invalid body with a sentence that gives the reason. */
import { isLimitName, LIMITS } from "../../contract/limits.ts";
import { isJsonObject, type Json, type JsonObject, textMember } from "../http/message.ts";

const NAME = /^[A-Za-z][A-Za-z0-9._-]{0,62}$/;
const DURATION = /^(?:0|(?:\d+(?:ns|us|µs|ms|s|m|h|d|w|y))+)$/;

/** Returns the reason why `value` is not allowed for limit `name`. Returns undefined if the value is allowed. */
export function limitComplaint(name: string, value: Json): string | undefined {
  if (!isLimitName(name)) return `unknown limit ${name}`;
  switch (LIMITS[name].type) {
    case "integer":
      return Number.isSafeInteger(value) ? undefined : `limit ${name} must be an integer`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `limit ${name} must be a boolean`;
    case "string":
      return typeof value === "string" ? undefined : `limit ${name} must be a string`;
    case "list":
      if (value === null || (Array.isArray(value) && value.every((item) => typeof item === "string"))) return undefined;
      return `limit ${name} must be a list of strings or null`;
    case "duration":
      return typeof value === "string" && DURATION.test(value) ? undefined : `limit ${name} must be a duration`;
    case "retention":
      if (typeof value === "string" ? DURATION.test(value) : Number.isSafeInteger(value)) return undefined;
      return `limit ${name} must be a duration such as 30d`;
  }
}

function textComplaint(payload: JsonObject, fields: readonly string[]): string | undefined {
  const field = fields.find((name) => typeof payload[name] !== "string" || payload[name] === "");
  return field === undefined ? undefined : `${field} must be a string that is not empty`;
}

/** Returns the reason why a body is not a create payload (docs/1 section 4, POST), or undefined if it is a create payload. */
export function createComplaint(payload: Json | undefined): string | undefined {
  if (!isJsonObject(payload)) return "the body must be a JSON object";
  const complaint = textComplaint(payload, ["name", "display_name", "status", "cluster"]);
  if (complaint !== undefined) return complaint;
  return NAME.test(textMember(payload, "name"))
    ? limitsComplaint(payload)
    : "name must start with a letter and hold only letters, digits, dots, underscores and dashes";
}

/** Returns the reason why a body is not an update payload (docs/1 section 4, PUT), or undefined if it is an update payload. */
export function updateComplaint(payload: Json | undefined): string | undefined {
  if (!isJsonObject(payload)) return "the body must be a JSON object";
  if (Object.hasOwn(payload, "name")) return "name cannot be changed and is not part of an update";
  return textComplaint(payload, ["display_name", "status", "cluster"]) ?? limitsComplaint(payload);
}

function limitsComplaint(payload: JsonObject): string | undefined {
  const limits = payload["limits"];
  if (limits === undefined || limits === null) return undefined;
  return isJsonObject(limits) ? undefined : "limits must be an object";
}

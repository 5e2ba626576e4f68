/** Reads and validates the files that settings name: tokens, CA bundle, gateway headers and expected defaults. Each is read once. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { LIMIT_TYPES } from "../contract/limit-types.ts";
import { LIMITS, isLimitName, type LimitName, type LimitValue } from "../contract/limits.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { hasLimitType, sameLimit } from "../model/limits.ts";
import { nearestName } from "./distance.ts";
import { codeOf, refuse } from "./error.ts";
import { SETTINGS, type SettingName } from "./table.ts";
import type { Found } from "./sources.ts";
import type { ExpectedDefaults } from "./types.ts";

export function wrongFile(found: Found, name: SettingName, problem: string): never {
  refuse(found.label, problem, `${name}=${SETTINGS[name].example}`);
}

export function readText(found: Found, name: SettingName): string {
  try {
    return readFileSync(found.value.trim(), "utf8");
  } catch (error) {
    wrongFile(found, name, `names a file that cannot be read (${codeOf(error)})`);
  }
}

function readJsonObject(found: Found, name: SettingName): JsonObject {
  const text = readText(found, name);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    wrongFile(found, name, "names a file that is not JSON");
  }
  if (!isObject(value)) wrongFile(found, name, "names a file that is not a JSON object");
  return value;
}

/** Returns the token in a file. Removes the line end that editors add. */
export function readToken(found: Found, name: SettingName): string {
  const token = readText(found, name).trim();
  if (token === "") wrongFile(found, name, "names an empty file");
  return token;
}

/** Returns the PEM text of a CA bundle. Refuses a file without a certificate that can be parsed. */
export function readCaBundle(found: Found, name: SettingName): string {
  const pem = readText(found, name);
  try {
    return new X509Certificate(pem) instanceof X509Certificate ? pem : "";
  } catch {
    wrongFile(found, name, "names a file that holds no PEM certificate");
  }
}

/** Headers that the suite sets. EXTRA_HEADERS_FILE must not replace them, because that would change the judged requests. */
const OWN_HEADERS: readonly string[] = [
  "authorization",
  "connection",
  "content-length",
  "content-type",
  "host",
  "if-match",
  "transfer-encoding",
  "user-agent",
  "x-scope-orgid",
];

/** Returns the headers by name. Their values are secrets, so no message contains a value. */
export function readExtraHeaders(found: Found, name: SettingName): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [header, value] of Object.entries(readJsonObject(found, name))) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header)) wrongFile(found, name, "names a file with a header name that is not a token");
    if (OWN_HEADERS.includes(header.toLowerCase())) {
      wrongFile(found, name, `names a file that sets ${header}, which the suite itself sends`);
    }
    if (typeof value !== "string" || !/^[\t\u0020-\u007E\u0080-\u00FF]*$/.test(value)) {
      wrongFile(found, name, `names a file in which the value of ${header} is not a header value`);
    }
    headers[header] = value;
  }
  return headers;
}

/** Returns the expected default of each limit, by name. `extra` has the limits that are not in the documented table. */
export function readExpectedDefaults(found: Found, name: SettingName): ExpectedDefaults {
  const limits: { [Name in LimitName]?: LimitValue } = {};
  let extra: JsonObject = {};
  for (const [limit, value] of Object.entries(readJsonObject(found, name))) {
    if (limit === "extra") {
      if (!isObject(value)) wrongFile(found, name, "names a file in which extra is not an object");
      const documented = Object.keys(value).find((key) => isLimitName(key));
      if (documented !== undefined) wrongFile(found, name, `names a file in which extra holds the documented limit ${documented}`);
      extra = value;
      continue;
    }
    if (!isLimitName(limit)) {
      const nearest = nearestName(limit, Object.keys(LIMITS), 2);
      const hint = nearest === null ? "limits outside the documented table belong under extra" : `did you mean ${nearest}?`;
      wrongFile(found, name, `names a file with the unknown limit ${JSON.stringify(limit.slice(0, 60))} (${hint})`);
    }
    // A duration that cannot be parsed is refused, because it could not be compared with a read.
    if (!hasLimitType(limit, value) || !sameLimit(limit, value, value))
      wrongFile(found, name, `names a file in which ${limit} is not ${LIMIT_TYPES[LIMITS[limit].type].words}`);
    limits[limit] = value as LimitValue;
  }
  return { limits, extra };
}

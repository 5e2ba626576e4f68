/** Reads the credentials of HTTP Basic authentication (docs/1 section 5 rule 1, docs/2 section 5 rule 3). */
import { timingSafeEqual } from "node:crypto";
import { type Reply, textReply } from "./message.ts";

export interface BasicCredentials {
  readonly user: string;
  readonly password: string;
}

/** Returns the credentials of an `Authorization` header with the scheme Basic, or undefined if the header has no such credentials. */
export function basicCredentials(header: string | undefined): BasicCredentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon === -1 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Compares two secrets in a time that does not depend on the length of their equal beginning. */
export function sameSecret(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export function unauthorized(message: string): Reply {
  return textReply(401, `${message}\n`, { "www-authenticate": 'Basic realm="reference"' });
}

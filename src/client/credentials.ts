/** Makes the credentials of requests: right and wrong Basic credentials, and the headers of a gateway. */
import type { AdminTarget } from "../settings/types.ts";
import { printedBasic } from "./exchange.ts";

export type Credentials =
  | { readonly kind: "configured" }
  | { readonly kind: "none" }
  | { readonly kind: "basic"; readonly user: string; readonly password: string; readonly printed: string }
  | { readonly kind: "token-as"; readonly user: string }
  | { readonly kind: "bearer" };

/** Returns the headers with names in lower case, so that no header is sent twice. */
export function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Returns the placeholders that evidence shows instead of the values of gateway headers. */
export function printedExtras(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name.toLowerCase(), extraPlaceholder(name)]));
}

/** Returns the shell variable that stands for the value of a header from EXTRA_HEADERS_FILE. */
export function extraPlaceholder(name: string): string {
  return `$EXTRA_HEADER_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, "utf8").toString("base64")}`;
}

/** Returns the value of the Authorization header, and the masked text that evidence shows in its place. Null if no such header is sent. */
export function authorizationOf(
  credentials: Credentials,
  { token, tokenName }: Pick<AdminTarget, "token" | "tokenName">,
): { value: string; printed: string } | null {
  switch (credentials.kind) {
    case "configured":
      return { value: basic("", token), printed: printedBasic("", `$${tokenName}`) };
    case "token-as":
      return { value: basic(credentials.user, token), printed: printedBasic(credentials.user, `$${tokenName}`) };
    case "bearer":
      return { value: `Bearer ${token}`, printed: `Bearer $${tokenName}` };
    case "basic":
      return { value: basic(credentials.user, credentials.password), printed: printedBasic(credentials.user, credentials.printed) };
    case "none":
      return null;
  }
}

/** A wrong token: empty, or similar to the right token. Evidence shows `printed` instead. */
export interface AlteredToken {
  readonly what: string;
  readonly token: string;
  readonly printed: string;
}

const WRONG_TOKEN = "plumbline-no-such-token";

function otherCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
}

/** Returns tokens that a service must refuse, with the simplest first. `variable` stands for the right token in evidence. */
export function alteredTokens(token: string, variable: string): AlteredToken[] {
  const altered = [
    { what: "a wrong token", token: WRONG_TOKEN, printed: WRONG_TOKEN },
    { what: "the token and one character more", token: `${token}-`, printed: `${variable}-` },
    { what: "the token without its last character", token: token.slice(0, -1), printed: `\${${variable.slice(1)}%?}` },
    { what: "the token in other letter case", token: otherCase(token), printed: `\${${variable.slice(1)}~~}` },
    { what: "an empty token", token: "", printed: "" },
  ];
  return altered.filter((one) => one.token !== token);
}

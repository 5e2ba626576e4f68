/** Reads tokens from the environment, `.env` or a file. A token is never read from the command line and never printed. */
import { contradiction, refuse } from "./error.ts";
import { readToken } from "./files.ts";
import { lookUp, type SourceKind, type Sources } from "./sources.ts";
import type { TokenName } from "./types.ts";

const RANK: Readonly<Record<SourceKind, number>> = { flag: 0, environment: 1, ".env": 2 };

export interface Token {
  readonly value: string;
  /** The name of the variable that gave the token, for messages. */
  readonly name: TokenName;
}

/** Returns the token in the variable `name`, or in the file that another variable names. Throws a `SettingsError` if a source has both. */
export function ownToken(sources: Sources, name: TokenName): Token | null {
  const direct = lookUp(sources, name);
  const fileName = `${name}_FILE` as const;
  const file = lookUp(sources, fileName);
  if (direct !== null && file !== null && RANK[direct.source] === RANK[file.source]) {
    contradiction(
      `${direct.label} and ${file.label} are both set: give only the token or only its file; for example ${file.label}=./token`,
    );
  }
  const useFile = file !== null && (direct === null || RANK[file.source] < RANK[direct.source]);
  const found = useFile ? file : direct;
  if (found === null) return null;
  const value = useFile ? readToken(found, fileName) : found.value.trim();
  if (/\p{Cc}/u.test(value)) {
    refuse(found.label, "holds a token with a line end or another control character", `${fileName}=/run/secrets/token`);
  }
  return { value, name };
}

/** Returns a warning for a very short token. Redaction does not replace it everywhere, because the outputs would be unreadable. */
export function shortTokenWarning(token: Token): string | null {
  return token.value.length < 8
    ? `${token.name} is shorter than 8 characters: the outputs hide it only in credentials, so the same text in other places stays visible`
    : null;
}

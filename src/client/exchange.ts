/** Defines an HTTP exchange, and makes its redacted form for evidence. */
import { abridged } from "../model/difference.ts";
import { parsed } from "../model/json.ts";
import type { ExchangeEvidence, ExchangeRole } from "./evidence.ts";
import type { Redactor } from "./redact.ts";
import type { Subject } from "./subject.ts";

export interface Exchange {
  readonly sequence: number;
  readonly operation: string;
  /** The content of the request as data, for the rules that judge every response. Absent if no such rule applies. */
  readonly subject?: Subject | undefined;
  /** The time at which the request was sent, in milliseconds since 1970. */
  readonly startedAt: number;
  /** The value of `performance.now()` when the response had arrived. */
  readonly endedAt: number;
  readonly durationMs: number;
  readonly request: ExchangeRequest;
  /** The response, or null if no response arrived. If `response` is null, `error` has the reason. */
  readonly response: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string } | null;
  readonly error: string | null;
}

export interface ExchangeRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The texts that evidence shows instead of credentials, by lower-case name of the header. */
  readonly credentials: Readonly<Record<string, string>>;
}

export type Answered = Exchange & { readonly response: NonNullable<Exchange["response"]> };

export function isAnswered(exchange: Exchange): exchange is Answered {
  return exchange.response !== null;
}

/** Whether the response is 2xx, or 303 to a POST (RFC 9110, 15.4.4). The document does not say which status a success has. */
export function isSuccess(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return (status >= 200 && status < 300) || isSeeOther(exchange);
}

/** Whether the response is 303 to a POST, and its Location is a resource in the collection of this POST. */
export function isSeeOther({ request, response }: Exchange): boolean {
  if (request.method !== "POST" || response?.status !== 303) return false;
  const place = response.headers["location"] ?? "";
  if (!URL.canParse(place, request.url)) return false;
  const [made, collection] = [new URL(place, request.url), new URL(request.url)];
  return made.origin === collection.origin && made.pathname.startsWith(`${collection.pathname}/`);
}

/** Whether a status may be temporary: a request timeout (408), a rate limit (429), or a server error. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Returns the status of the response, or 0 if no response arrived. */
export function statusOf(exchange: Exchange): number {
  return exchange.response?.status ?? 0;
}

/** The last parsed responses. Several rules read each response, and it is parsed only once. */
const RECENT: { readonly response: Exchange["response"]; readonly json: unknown }[] = [];
const MOST_RECENT = 16;

/** Returns the body of the response as JSON, or undefined if the body is not JSON. */
export function jsonOf({ response }: Exchange): unknown {
  if (response === null) return undefined;
  const known = RECENT.find((recent) => recent.response === response);
  if (known !== undefined) return known.json;
  const json = parsed(response.body);
  if (RECENT.unshift({ response, json }) > MOST_RECENT) RECENT.pop();
  return json;
}

/** Returns a request as one readable line: its method, path, decoded parameters and body. */
export function requestText({ request }: Exchange): string {
  const { pathname, searchParams } = new URL(request.url);
  const parameters = [...searchParams].map(([name, value]) => `${name}=${value}`);
  return [request.method, pathname, ...parameters, ...(request.body === null ? [] : [request.body])].join(" ");
}

const SHOWN_BODY = 8_192;

/** Returns an exchange as evidence: each secret is replaced, long bodies are cut, and a curl command repeats the request. */
export function asEvidence(exchange: Exchange, redactor: Redactor, role: ExchangeRole = "context"): ExchangeEvidence {
  const { request, response } = exchange;
  const headers = redactor.headers(request.headers, request.credentials);
  const url = redactor.text(request.url);
  return {
    sequence: exchange.sequence,
    startedAt: new Date(exchange.startedAt).toISOString(),
    durationMs: Math.round(exchange.durationMs * 10) / 10,
    operation: exchange.operation,
    role,
    request: {
      method: request.method,
      url,
      headers,
      body: request.body === null ? null : redactor.text(abridged(request.body, SHOWN_BODY)),
    },
    response:
      response === null
        ? null
        : {
            status: response.status,
            headers: redactor.headers(response.headers, {}),
            body: redactor.text(abridged(response.body, SHOWN_BODY)),
          },
    error: exchange.error === null ? null : redactor.text(exchange.error),
    curl: curlOf(request.method, url, headers, dataOf(request.body, redactor)),
  };
}

/** Returns the text that evidence shows for Basic credentials: without base64, and with a variable in place of the token. */
export function printedBasic(user: string, placeholder: string): string {
  return `Basic <base64 of ${user}:${placeholder}>`;
}

const BASIC = /^Basic <base64 of (.*)>$/;

/** Matches the variables that stand for secrets in a curl command. The shell must replace these, and nothing else in the command. */
const PLACEHOLDER = /(\$(?:(?:METRICS_|LOGS_)?API_TOKEN|EXTRA_HEADER_[A-Z0-9_]+)|\$\{(?:METRICS_|LOGS_)?API_TOKEN(?:%\?|~~)\})/;

/** The maximum length of a request body in the arguments of a curl command, in characters. A longer body is read from a file. */
const CURL_BODY = 32_768;

function curlOf(method: string, url: string, headers: Readonly<Record<string, string>>, data: readonly string[]): string {
  const isCompressed = !["identity", undefined].includes(headers["accept-encoding"]);
  const parts = [isCompressed ? "curl -sS --compressed" : "curl -sS", `-X ${method}`];
  for (const [name, value] of Object.entries(headers)) {
    const basic = BASIC.exec(value);
    if (basic !== null) parts.push(`-u ${doubleQuoted(basic[1] ?? "")}`);
    else if (PLACEHOLDER.test(value)) parts.push(`-H ${doubleQuoted(`${name}: ${value}`)}`);
    else parts.push(`-H ${singleQuoted(`${name}: ${value}`)}`);
  }
  return [...parts, ...data, singleQuoted(url)].join(" ");
}

/** Returns the arguments of a curl command that send the body of the request. */
function dataOf(body: string | null, redactor: Redactor): string[] {
  if (body === null) return [];
  return [body.length <= CURL_BODY ? `--data-raw ${singleQuoted(redactor.text(body))}` : "--data-binary @body.json"];
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns the text in double quotes for a shell. The shell then replaces only the variables that stand for secrets. */
function doubleQuoted(text: string): string {
  const parts = text.split(PLACEHOLDER).map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/["`\\$]/g, String.raw`\$&`)));
  return `"${parts.join("")}"`;
}

/** A running server and short functions that send requests to it, for the tests of this folder. */
import { request } from "undici";
import { type ReferenceOptions, type RunningReference, startReference } from "./server.ts";

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The body of the response as JSON, or undefined if the body is not JSON. */
  readonly json: unknown;
  readonly headers: Headers;
}

export type Pairs = readonly (readonly [ts: bigint, line: string])[];

export const TOKEN = "bench-token";

export function basicHeader(user: string, password: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}

export class Bench {
  readonly reference: RunningReference;

  constructor(reference: RunningReference) {
    this.reference = reference;
  }

  async send(method: string, path: string, body?: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const response = await request(this.reference.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await response.body.text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    const found = Object.entries(response.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" ? [[name, value]] : [],
    );
    return { status: response.statusCode, text, json, headers: new Headers(found) };
  }

  async admin(
    method: string,
    name: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = basicHeader("", TOKEN),
  ): Promise<Answer> {
    const path = `/admin/api/v1/instances${name === "" ? "" : `/${name}`}`;
    return this.send(method, path, body === undefined ? undefined : JSON.stringify(body), {
      ...headers,
      "content-type": "application/json",
    });
  }

  async get(
    path: string,
    parameters: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    return this.send("GET", `/logs/api/v1/${path}?${new URLSearchParams(parameters).toString()}`, undefined, headers);
  }

  async push(labels: Readonly<Record<string, string>>, pairs: Pairs, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const values = pairs.map(([ts, line]) => [ts.toString(), line]);
    return this.send("POST", "/logs/api/v1/push", JSON.stringify({ streams: [{ stream: labels, values }] }), {
      "content-type": "application/json",
      ...headers,
    });
  }
}

/** Starts a reference server, runs `work` with it, and then stops the server. */
export async function withBench(options: ReferenceOptions, work: (bench: Bench) => Promise<void>): Promise<void> {
  const reference = await startReference({ token: TOKEN, cluster: "bench", ...options });
  try {
    await work(new Bench(reference));
  } finally {
    await reference.close();
  }
}

interface RangeBody {
  readonly data: {
    readonly result: readonly {
      readonly stream: Readonly<Record<string, string>>;
      readonly values: readonly (readonly [string, string])[];
    }[];
  };
}

export function streamsIn(answer: Answer): RangeBody["data"]["result"] {
  return (answer.json as RangeBody).data.result;
}

/** Returns all lines in the response to a range query, in the order of the response. */
export function linesIn(answer: Answer): string[] {
  return streamsIn(answer).flatMap(({ values }) => values.map(([, line]) => line));
}

interface InstantBody {
  readonly data: {
    readonly result: readonly { readonly metric: Readonly<Record<string, string>>; readonly value: readonly [number, string] }[];
  };
}

export function samplesIn(answer: Answer): InstantBody["data"]["result"] {
  return (answer.json as InstantBody).data.result;
}

export function listIn(answer: Answer): readonly string[] {
  return (answer.json as { readonly data: readonly string[] }).data;
}

/** Returns the time some minutes ago, in nanoseconds since 1970. */
export function minutesAgo(minutes: number): bigint {
  return BigInt(Date.now() - minutes * 60_000) * 1_000_000n;
}

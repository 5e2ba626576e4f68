/** Requests to the log API that leave things out, are written as other clients write them, or carry tokens almost right. */
import { basicHeader, type Bench, TOKEN } from "../testing.ts";
import { SPELLINGS } from "./admin.ts";
import { ago, entries, MINUTE, SECOND, type Transcript } from "./script.ts";

const USER = "fleet";

const EXPRESSIONS = [
  "[xyz]+",
  "e{2}d",
  "x?red",
  "nobody|red|blue",
  "(re|bl)(d|ue)",
  "red.+",
  ".*r.*d.*",
  "r.d",
  "re.*r",
  "red.*d",
  `${"nobody|".repeat(12)}red`,
  "r(e|x)der",
  "^red|blue",
  "rq?ed.*",
];
const SIGNS = ["{", "[1s]", "aab", "a | b", "C:\\"];

/** The same query in other blanks, and with a matcher twice. */
const SPELLED = [
  '{svc_kind="short"}|="red"',
  '{svc_kind="short"}\n|= "red"',
  '{ svc_kind = "short" } |= "red"',
  '{svc_colour="red",svc_kind="short",svc_kind="short",svc_colour="red"}',
];

/** What is right for most queries and pushes and not for all: expressions, signs in texts, ties, groups, answers kept. */
async function shortcuts(
  push: (body: string) => Promise<void>,
  read: (path: string, parameters: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const at = ago(9n * MINUTE);
  const window = { start: `${at}`, end: `${ago(0n)}` };
  const pushed = async (stream: Readonly<Record<string, string>>, values: readonly (readonly [bigint, string])[]): Promise<void> =>
    push(JSON.stringify({ streams: [{ stream, values: values.map(([ts, line]) => [`${ts}`, line]) }] }));
  for (const [index, value] of ["red", "redder", "blue", "svc_colour", ...SIGNS].entries()) {
    const lines = [value, `a${value}`, `"${value}"`];
    await pushed(
      { svc_kind: "short", svc_colour: value },
      entries(3, at + BigInt(index), SECOND, (line) => lines[line] ?? ""),
    );
  }
  await pushed({ svc_kind: "long text" }, [[at, "z".repeat(1_100)]]);
  await read("query_range", { query: `{svc_kind="long text"} |= "${"z".repeat(1_024)}y"`, ...window });
  for (const text of EXPRESSIONS) {
    await read("query_range", { query: `{svc_kind="short", svc_colour=~"${text}"}`, ...window });
    await read("query_range", { query: `{svc_kind="short"} |~ "${text}"`, ...window });
  }
  for (const text of SIGNS) {
    const filter = `|= ${JSON.stringify(text)}`;
    await read("query_range", { query: `{svc_kind="short"} ${filter}`, ...window });
    await read("query", { query: `sum(count_over_time({svc_kind="short"} ${filter} [1h]))`, time: window.end });
  }
  await read("query", { query: 'sum(count_over_time({svc_kind="short"}[1h])) by (svc_colour)', time: window.end });
  for (const query of SPELLED) await read("query_range", { query, ...window });
  await read("query_range", { limit: "2", ...window, query: '{svc_kind="short"}' });
  await read("query_range", { query: "{", ...window });
  await read("query_range", { query: '{svc_kind="short"}', ...window });
  await read("query", { query: 'sum(count_over_time({svc_kind="short"}[10m]))', time: `${ago(-5n * MINUTE)}` });
  await read("query", { query: 'sum by (svc_colour) (bytes_over_time({svc_kind="short"}[1h]))', time: window.end });
  await pushed({ svc_kind: "names", svc_a: "same" }, [[at, "named"]]);
  await pushed({ svc_kind: "names", svc_b: "same" }, [[at + 1n, "named"]]);
  await read("query_range", { query: '{svc_kind="names"} |= "named"', ...window });
  await read("label/svc_colour/values", {});
  await read("query", { query: '({svc_kind="short"})', time: window.end });
  for (const name of ["svc_colour", "svc_kind"]) await read("query_range", { query: `{${name}="red"}`, ...window });
  for (const second of [', svc_kind="short"', ""]) await read("query_range", { query: `{svc_colour=~"red|blue|red"${second}}`, ...window });
  await read("query_range", { query: '{svc_colour=~"red|blue"}', ...window });
  await pushed(
    { svc_kind: "ties" },
    entries(500, at, MINUTE / 1_000n, (line) => `line ${line}`),
  );
  const last = at + 499n * (MINUTE / 1_000n);
  const long = "common ".repeat(20);
  await pushed({ svc_kind: "ties" }, [[last, "at the border"]]);
  await pushed({ svc_kind: "ties" }, [[last, "at the border again"]]);
  await pushed(
    { svc_kind: "ties" },
    [`${long}1`, `${long}2`, `1${long}`, `2${long}`].map((line) => [last + 1n, line]),
  );
  const equalHashes = ["Aa", "BB", "plumless", "buckeroo", "costarring", "liquid"];
  await pushed(
    { svc_kind: "ties" },
    equalHashes.map((line) => [last + 2n, line]),
  );
  for (const value of equalHashes) await pushed({ svc_kind: "hashes", svc_colour: value }, [[at, value]]);
  await read("query_range", { query: '{svc_kind="hashes"}', ...window });
  await read("query_range", { query: '{svc_kind="ties"}', ...window, limit: "1000" });
  for (let stream = 0; stream < 70; stream += 1) await pushed({ svc_kind: "groups", svc_n: `${stream}` }, [[at, "x"]]);
  await read("query", { query: 'sum by (svc_n) (count_over_time({svc_kind="groups"}[1h]))', time: window.end });
  await read("query", { query: 'sum by (svc_kind, svc_n, svc_colour) (count_over_time({svc_kind="groups"}[1h]))', time: window.end });
  for (const expression of ["a|x", "(?i)AA"])
    await read("query_range", { query: `{svc_kind="hashes"} |= "A" |~ "${expression}"`, ...window });
  await read("query_range", { query: '{svc_kind="hashes", svc_colour=~"(?i)AA"}', ...window });
  await read("query_range", { query: '{svc_kind="hashes", svc_colour=~"nobody("}', ...window });
  for (const expression of ["nobody(", "BB|s{2}", "s{2}", "[b-d]", "pl(um)?less"])
    await read("query_range", { query: `{svc_kind="hashes"} |~ "${expression}"`, ...window });
  await read("query_range", { query: '{svc_kind="hashes"', ...window, limit: "1" });
  await read("query_range", { query: '{svc_kind="hashes"}', ...window });
  const before = { start: `${at - 2n * SECOND}`, end: `${at - SECOND}` };
  await read("query_range", { query: '{svc_kind="short"}', ...before });
  await read("query_range", { query: '{svc_kind="short"}', start: before.start, end: window.end });
}

export async function logRequests(bench: Bench, transcript: Transcript): Promise<void> {
  const start = ago(10n * MINUTE);
  const right = { ...basicHeader(USER, TOKEN), "x-scope-orgid": "one" };
  const read = async (
    path: string,
    parameters: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = right,
  ): Promise<void> => {
    // A server may hang up.
    const answer = await bench.get(path, parameters, headers).catch(() => null);
    transcript.add(answer === null ? `${path} no answer` : `${path} ${answer.status} ${answer.text}`);
  };
  const push = async (body: string, headers: Readonly<Record<string, string>> = right): Promise<void> => {
    const { status } = await bench.send("POST", "/logs/api/v1/push", body, { ...headers, "content-type": "application/json" });
    transcript.add(`push ${status}`);
  };
  const streams = (app: string, lines: readonly string[]): unknown => ({
    streams: [{ stream: { app }, values: lines.map((line, index) => [`${start + BigInt(index) * SECOND}`, line]) }],
  });

  await push(
    JSON.stringify(
      streams(
        "many",
        entries(150, 0n, 1n, (index) => `line ${index}`).map(([, line]) => line),
      ),
    ),
  );
  await push(JSON.stringify(streams("few", ["a", "b"])));
  const window = { start: `${start}`, end: `${ago(0n)}` };
  for (const query of ['{app="many"}', '{app="many"} |= "line"']) {
    await read("query_range", { query, ...window });
    await read("query_range", { query, ...window, limit: "7" });
    await read("query_range", { query, ...window, direction: "forward" });
  }
  await read("query", { query: 'count_over_time({app=~"many|few"}[1h])', time: window.end });
  await read("labels", {});
  await read("label/app/values", {});

  await shortcuts(push, read);

  for (const [index, spell] of SPELLINGS.entries()) {
    const app = `spelled-${index}`;
    await push(spell(streams(app, ["größe 日本 😀", "a/b", "c\bd\fe"])));
    await read("query_range", { query: `{app="${app}"}`, ...window });
  }
  for (const [index, token] of ["", TOKEN.slice(0, -2), `${TOKEN}x`, TOKEN.toUpperCase(), "wrong-token"].entries()) {
    const headers = { ...basicHeader(USER, token), "x-scope-orgid": "one" };
    await read("labels", {}, headers);
    await push(JSON.stringify(streams(`token-${index}`, ["x"])), headers);
    await read("query_range", { query: `{app="token-${index}"}`, ...window });
  }
}

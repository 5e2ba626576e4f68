/** Requests to the log API that leave things out, are written as other clients write them, or carry tokens almost right. */
import { basicHeader, type Bench, TOKEN } from "../testing.ts";
import { SPELLINGS } from "./admin.ts";
import { ago, entries, MINUTE, SECOND, type Seen } from "./script.ts";

const USER = "fleet";

export async function logRequests(bench: Bench): Promise<Seen> {
  const found: string[] = [];
  const start = ago(10n * MINUTE);
  const right = { ...basicHeader(USER, TOKEN), "x-scope-orgid": "one" };
  const read = async (
    path: string,
    parameters: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = right,
  ): Promise<void> => {
    const { status, text } = await bench.get(path, parameters, headers);
    found.push(`${path} ${status} ${text}`);
  };
  const push = async (body: string, headers: Readonly<Record<string, string>> = right): Promise<void> => {
    const { status } = await bench.send("POST", "/logs/api/v1/push", body, { ...headers, "content-type": "application/json" });
    found.push(`push ${status}`);
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
  return found;
}

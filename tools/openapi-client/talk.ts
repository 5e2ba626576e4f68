/** A client of both APIs whose every path, parameter, body and answer is typed by what was generated from the descriptions. */
import createClient from "openapi-fetch";
import type { components, paths as AdminPaths } from "./generated/admin.ts";
import type { paths as LogPaths } from "./generated/log.ts";

/** Goes once through every operation and returns what each answered; throws when one was refused. */
export async function talk(baseUrl: string, token: string, cluster: string): Promise<Readonly<Record<string, unknown>>> {
  const authorization = `Basic ${Buffer.from(`:${token}`).toString("base64")}`;
  const admin = createClient<AdminPaths>({ baseUrl, headers: { authorization } });
  const name = "generated-client";
  const written = { display_name: "Generated client", status: "active", cluster };
  const limits: components["schemas"]["limits-request"] = { ingestion_rate: 4711 };
  const path = { params: { path: { name } } };

  const created = await admin.POST("/admin/api/v1/instances", { body: { name, ...written, limits } });
  const read = (await admin.GET("/admin/api/v1/instances/{name}", path)).data;
  const updated = (await admin.PUT("/admin/api/v1/instances/{name}", { ...path, body: written })).data;

  const log = createClient<LogPaths>({ baseUrl, headers: { "X-Scope-OrgID": "tenant-of-a-client" } });
  const now = BigInt(Date.now()) * 1_000_000n;
  const entry: [string, string] = [(now - 60_000_000_000n).toString(), "hello"];
  const range = { start: (now - 120_000_000_000n).toString(), end: now.toString() };

  const pushed = await log.POST("/logs/api/v1/push", { body: { streams: [{ stream: { app: "client" }, values: [entry] }] } });
  const found = (
    await log.GET("/logs/api/v1/query_range", {
      params: { query: { query: '{app="client"}', ...range, limit: 10, direction: "forward" } },
    })
  ).data;
  const counted = (
    await log.GET("/logs/api/v1/query", {
      params: { query: { query: 'sum(count_over_time({app="client"}[5m]))', time: now.toString() } },
    })
  ).data;
  const labels = (await log.GET("/logs/api/v1/labels")).data;
  const values = (await log.GET("/logs/api/v1/label/{name}/values", { params: { path: { name: "app" } } })).data;

  const rate: number | undefined = read?.limits?.ingestion_rate;
  const createdAt: string | undefined = updated?.created_at;
  const lines: string[] | undefined = found?.data.result.flatMap(({ values: entries }) => entries.map(([, line]) => line));
  const count: string | number | undefined = counted?.data.result[0]?.value[1];
  return {
    created: created.response.ok,
    rate,
    createdAt,
    limitsLeft: updated === undefined ? undefined : "limits" in updated,
    pushed: pushed.response.ok,
    lines,
    count,
    labels: labels?.data,
    values: values?.data,
  };
}

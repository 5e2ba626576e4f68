/** Examples of bodies for the OpenAPI descriptions. `plumbline serve` accepts the examples of requests in the order of the operations. */
import { DOCUMENTED_DEFAULTS } from "../contract/limits.ts";
import type { JsonObject } from "../model/json.ts";
import type { SchemaFile } from "../model/schemas.ts";

const UPDATE = { display_name: "Web shop", status: "active", cluster: "reference" };

/** The example also sends the two limits for which the document shows no default. */
const LIMITS = { max_series_per_query: 100_000, max_series_per_user: 250_000, compactor_blocks_retention_period: "30d" };

const STREAM = { stream: { app: "shop" }, values: [["1700000000000000000", "error: order 4711 is not paid"]] };

export const EXAMPLES = {
  "admin/create-request.json": { name: "shop", ...UPDATE, limits: LIMITS },
  "admin/update-request.json": { ...UPDATE, limits: LIMITS },
  "admin/instance.json": {
    name: "shop",
    ...UPDATE,
    created_at: "2021-03-04T05:06:07.123456789Z",
    limits: { ...DOCUMENTED_DEFAULTS, ...LIMITS },
  },
  "logs/push-request.json": { streams: [STREAM] },
  "logs/range-response.json": { data: { result: [STREAM] } },
  "logs/instant-response.json": { data: { result: [{ metric: { app: "shop" }, value: [1_700_000_000, "1"] }] } },
  "logs/labels-response.json": { data: ["app"] },
  "logs/label-values-response.json": { data: ["shop"] },
} as const satisfies Partial<Record<SchemaFile, JsonObject>>;

/** The schema file of a body that has an example. */
export type BodyFile = keyof typeof EXAMPLES;

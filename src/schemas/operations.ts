/** Lists the operations of both APIs in the order of the documents, with the schemas and the clauses of each operation. */
import type { ClauseId } from "../contract/catalogue.ts";
import type { SchemaFile } from "../model/schemas.ts";
import type { DocumentName } from "./bundle.ts";
import type { BodyFile } from "./examples.ts";

export interface Operation {
  readonly id: string;
  readonly method: "get" | "post" | "put";
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** The clauses about the operation, also those about parts that the document does not show. */
  readonly clauses: readonly ClauseId[];
  readonly parameters?: { readonly in: "path" | "query"; readonly schema: SchemaFile };
  readonly body?: BodyFile;
  /** The schema file of the body of a successful response. `answer` is absent if the document does not show this body. */
  readonly answer?: BodyFile;
  /** The clauses that say for which requests the response is 400. */
  readonly refusals?: readonly ClauseId[];
}

type Method = Operation["method"];

function operation(
  endpoint: `${Method} ${string}`,
  id: string,
  tag: string,
  summary: string,
  rest: Omit<Operation, "id" | "method" | "path" | "tag" | "summary">,
): Operation {
  const [method, path = ""] = endpoint.split(" ");
  return { id, method: method as Method, path, tag, summary, ...rest };
}

export const OPERATIONS: Readonly<Record<DocumentName, readonly Operation[]>> = {
  admin: [
    operation("post /admin/api/v1/instances", "createInstance", "instances", "Create an instance", {
      clauses: ["admin-4.POST", "admin-4.1", "admin-4.4"],
      body: "admin/create-request.json",
    }),
    operation("get /admin/api/v1/instances/{name}", "readInstance", "instances", "Read an instance", {
      clauses: ["admin-4.GET"],
      parameters: { in: "path", schema: "admin/instance-parameters.json" },
      answer: "admin/instance.json",
    }),
    operation("put /admin/api/v1/instances/{name}", "updateInstance", "instances", "Update an instance", {
      clauses: ["admin-4.PUT", "admin-4.2", "admin-4.3"],
      parameters: { in: "path", schema: "admin/instance-parameters.json" },
      body: "admin/update-request.json",
      answer: "admin/instance.json",
    }),
  ],
  logs: [
    operation("get /logs/api/v1/query_range", "queryRange", "queries", "Query logs over a range of time", {
      clauses: ["logs-4.query_range", "logs-4.1", "logs-4.3", "logs-8.default-limit"],
      parameters: { in: "query", schema: "logs/range-parameters.json" },
      answer: "logs/range-response.json",
      refusals: ["logs-7.400", "logs-2.2"],
    }),
    operation("get /logs/api/v1/query", "query", "queries", "Evaluate a metric query at one point in time", {
      clauses: ["logs-4.query", "logs-4.2"],
      parameters: { in: "query", schema: "logs/instant-parameters.json" },
      answer: "logs/instant-response.json",
      refusals: ["logs-7.400", "logs-2.2", "logs-4.2"],
    }),
    operation("post /logs/api/v1/push", "push", "ingestion", "Push log entries", {
      clauses: ["logs-4.push", "logs-4.5"],
      body: "logs/push-request.json",
    }),
    operation("get /logs/api/v1/labels", "labels", "labels", "List label names", {
      clauses: ["logs-4.labels", "logs-4.5"],
      answer: "logs/labels-response.json",
    }),
    operation("get /logs/api/v1/label/{name}/values", "labelValues", "labels", "List the values of a label", {
      clauses: ["logs-4.label-values", "logs-4.5"],
      parameters: { in: "path", schema: "logs/label-values-parameters.json" },
      answer: "logs/label-values-response.json",
    }),
  ],
};

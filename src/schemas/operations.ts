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

export const OPERATIONS: Readonly<Record<DocumentName, readonly Operation[]>> = {
  admin: [
    {
      id: "createInstance",
      method: "post",
      path: "/admin/api/v1/instances",
      tag: "instances",
      summary: "Create an instance",
      clauses: ["admin-4.POST", "admin-4.1", "admin-4.4"],
      body: "admin/create-request.json",
    },
    {
      id: "readInstance",
      method: "get",
      path: "/admin/api/v1/instances/{name}",
      tag: "instances",
      summary: "Read an instance",
      clauses: ["admin-4.GET"],
      parameters: { in: "path", schema: "admin/instance-parameters.json" },
      answer: "admin/instance.json",
    },
    {
      id: "updateInstance",
      method: "put",
      path: "/admin/api/v1/instances/{name}",
      tag: "instances",
      summary: "Update an instance",
      clauses: ["admin-4.PUT", "admin-4.2", "admin-4.3"],
      parameters: { in: "path", schema: "admin/instance-parameters.json" },
      body: "admin/update-request.json",
      answer: "admin/instance.json",
    },
  ],
  logs: [
    {
      id: "queryRange",
      method: "get",
      path: "/logs/api/v1/query_range",
      tag: "queries",
      summary: "Query logs over a range of time",
      clauses: ["logs-4.query_range", "logs-4.1", "logs-4.3", "logs-8.default-limit"],
      parameters: { in: "query", schema: "logs/range-parameters.json" },
      answer: "logs/range-response.json",
      refusals: ["logs-7.400", "logs-2.2"],
    },
    {
      id: "query",
      method: "get",
      path: "/logs/api/v1/query",
      tag: "queries",
      summary: "Evaluate a metric query at one point in time",
      clauses: ["logs-4.query", "logs-4.2"],
      parameters: { in: "query", schema: "logs/instant-parameters.json" },
      answer: "logs/instant-response.json",
      refusals: ["logs-7.400", "logs-2.2", "logs-4.2"],
    },
    {
      id: "push",
      method: "post",
      path: "/logs/api/v1/push",
      tag: "ingestion",
      summary: "Push log entries",
      clauses: ["logs-4.push", "logs-4.5"],
      body: "logs/push-request.json",
    },
    {
      id: "labels",
      method: "get",
      path: "/logs/api/v1/labels",
      tag: "labels",
      summary: "List label names",
      clauses: ["logs-4.labels", "logs-4.5"],
      answer: "logs/labels-response.json",
    },
    {
      id: "labelValues",
      method: "get",
      path: "/logs/api/v1/label/{name}/values",
      tag: "labels",
      summary: "List the values of a label",
      clauses: ["logs-4.label-values", "logs-4.5"],
      parameters: { in: "path", schema: "logs/label-values-parameters.json" },
      answer: "logs/label-values-response.json",
    },
  ],
};

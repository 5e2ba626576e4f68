/** Writes an OpenAPI 3.1 description of each document. A description says "not shown" where the document shows nothing. */
import { type ClauseId, clauseOf } from "../contract/catalogue.ts";
import { DOCUMENTS } from "../contract/sections.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { type DocumentName, embedded, nameOf, type Read } from "./bundle.ts";
import { type BodyFile, EXAMPLES } from "./examples.ts";
import { type Operation, OPERATIONS } from "./operations.ts";

const COMPONENTS = "#/components/schemas/";

const JSON_TYPE = "application/json";

/** The parts of a description that are neither in the catalogue of clauses nor in the schemas. */
interface Frame {
  readonly description: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly security: readonly JsonObject[];
  readonly securitySchemes: JsonObject;
  /** The error statuses of all operations, with their clauses. The admin document shows no error statuses. */
  readonly failures: Readonly<Record<string, readonly ClauseId[]>>;
  readonly otherStatuses: string;
}

const SAID =
  "Each statement comes from the clauses in `x-clauses`. If the document does not show something, this description says so. It lists no undocumented status.";

const FRAMES: Readonly<Record<DocumentName, Frame>> = {
  admin: {
    description: `Creating, reading and updating instances (tenants), with the resource limits each can carry. ${SAID}`,
    tags: { instances: "Instances and their limits" },
    security: [{ token: [] }],
    securitySchemes: {
      token: { type: "http", scheme: "basic", description: `${statement("admin-5.1")} ${statement("admin-5.2")}` },
    },
    failures: { "4XX": ["admin-7.errors"] },
    otherStatuses: `Anything else. ${statement("admin-7.errors")}`,
  },
  logs: {
    description: `Pushing and querying log entries, and listing labels. In the paths, \`logs\` stands where the service's own name appears. ${SAID}`,
    tags: {
      queries: "Queries over a range of time and at one point in time",
      ingestion: "Pushing entries",
      labels: "Label names and values",
    },
    // The log document describes three ways of authentication: no header, a tenant, and the credentials of a hosted deployment.
    security: [{}, { tenant: [] }, { user: [] }],
    securitySchemes: {
      tenant: { type: "apiKey", in: "header", name: "X-Scope-OrgID", description: `${statement("logs-5.2a")} ${statement("logs-5.2b")}` },
      user: { type: "http", scheme: "basic", description: statement("logs-5.3") },
    },
    failures: { "429": ["logs-7.429", "logs-7.bodies"], "5XX": ["logs-7.5xx", "logs-7.bodies"] },
    otherStatuses: "Anything else: not shown.",
  },
};

export function openapi(document: DocumentName, read: Read): JsonObject {
  const frame = FRAMES[document];
  const schemas = Object.entries(embedded(document, COMPONENTS, read)).filter(([name]) => !name.endsWith("-parameters"));
  return {
    openapi: "3.1.0",
    info: {
      title: DOCUMENTS[document].title,
      version: "v1",
      description: frame.description,
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [
      {
        url: "{base_url}",
        description: "A deployment of the service",
        variables: {
          base_url: {
            default: "http://127.0.0.1:8480",
            description: "The address before the documented paths; the default is the address of `plumbline serve`",
          },
        },
      },
    ],
    security: frame.security,
    tags: Object.entries(frame.tags).map(([name, description]) => ({ name, description })),
    paths: paths(document, read),
    components: { securitySchemes: frame.securitySchemes, schemas: Object.fromEntries(schemas) },
  };
}

function paths(document: DocumentName, read: Read): JsonObject {
  const operations = OPERATIONS[document];
  return Object.fromEntries(
    operations.map(({ path }) => [
      path,
      Object.fromEntries(
        operations
          .filter((operation) => operation.path === path)
          .map((operation) => [operation.method, described(operation, document, read)]),
      ),
    ]),
  );
}

function described(operation: Operation, document: DocumentName, read: Read): JsonObject {
  const { id, tag, summary, clauses, parameters, body } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: clauses.map((clause) => statement(clause)).join(" "),
    "x-clauses": clauses,
    ...(parameters === undefined ? {} : { parameters: parameterList(parameters, read) }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: content(body) } }),
    responses: responses(operation, FRAMES[document]),
  };
}

function parameterList({ in: place, schema: file }: NonNullable<Operation["parameters"]>, read: Read): JsonObject[] {
  const { properties, required } = read(file);
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, property]) => {
    if (!isObject(property)) return [];
    const { title: _title, description, examples, ...schema } = property;
    const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
    return [{ name, in: place, required: Array.isArray(required) && required.includes(name), description, schema, example }];
  });
}

function responses({ answer, refusals }: Operation, frame: Frame): JsonObject {
  const unshown = answer === undefined ? "Its status and body are not shown." : "Its status is not shown.";
  return {
    "2XX": { description: `Success. ${unshown}`, ...(answer === undefined ? {} : { content: content(answer) }) },
    ...(refusals === undefined ? {} : { "400": failure("Bad Request.", [...refusals, "logs-7.bodies"]) }),
    ...Object.fromEntries(Object.entries(frame.failures).map(([status, clauses]) => [status, failure(MEANINGS[status] ?? "", clauses)])),
    default: { description: frame.otherStatuses },
  };
}

const MEANINGS: Readonly<Record<string, string>> = { "429": "Too Many Requests.", "4XX": "Client Error.", "5XX": "Server Error." };

function failure(meaning: string, clauses: readonly ClauseId[]): JsonObject {
  return { description: [meaning, ...clauses.map((clause) => statement(clause))].join(" "), "x-clauses": clauses };
}

function content(file: BodyFile): JsonObject {
  return { [JSON_TYPE]: { schema: { $ref: COMPONENTS + nameOf(file) }, example: EXAMPLES[file] } };
}

/** Returns the statement of a clause. For an unspecified clause, it begins with `Not shown:`. */
function statement(clause: ClauseId): string {
  const { statement: text, level } = clauseOf(clause);
  return level === "unspecified" ? `Not shown: ${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

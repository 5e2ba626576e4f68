/** Servers that send invalid responses to one operation. If a run finds no violation, the suite does not really judge this operation. */
import { type BehaviourChange, type Behaviour } from "./behaviour.ts";
import { emptyReply, isSuccessful, jsonReply, type Operation, type Reply, textReply } from "./http/message.ts";

export const NONSENSE_OPERATIONS = {
  create: "admin.create",
  read: "admin.read",
  update: "admin.update",
  query_range: "logs.query_range",
  query: "logs.query",
  push: "logs.push",
  labels: "logs.labels",
  "label-values": "logs.label_values",
} as const satisfies Readonly<Record<string, Operation>>;

export type NonsenseOperation = keyof typeof NONSENSE_OPERATIONS;

const READS: readonly NonsenseOperation[] = ["read", "query_range", "query", "labels", "label-values"];

export type NonsenseKind = "html-200" | "truncated-json" | "empty-body" | "404" | "wrong-envelope" | "frozen" | "silent";

export interface NonsenseMode extends BehaviourChange {
  readonly operation: NonsenseOperation;
  readonly kind: NonsenseKind;
  readonly sentence: string;
}

const PAGE = "<!doctype html><html><body><h1>It works!</h1></body></html>\n";

function instead(reply: Reply): (base: Behaviour, operation: Operation) => Partial<Behaviour> {
  return (base, operation) => ({
    beforeHandle: (request, route) => (route?.operation === operation ? reply : base.beforeHandle(request, route)),
  });
}

function afterwards(change: (reply: Reply) => Reply): (base: Behaviour, operation: Operation) => Partial<Behaviour> {
  return (base, operation) => ({
    respond: (given, request, route) => {
      const reply = base.respond(given, request, route);
      return route?.operation === operation && isSuccessful(reply) ? change(reply) : reply;
    },
  });
}

/** Returns a reply whose JSON ends in the middle. */
function truncated({ headers, body }: Reply): Reply {
  const json = body.kind === "json" ? JSON.stringify(body.value) : '{"status":"success"}';
  return {
    status: 200,
    headers: { ...jsonReply(200, null).headers, ...headers },
    body: { kind: "text", text: json.slice(0, Math.ceil(json.length / 2)) },
  };
}

function wrapped({ headers, body }: Reply): Reply {
  return jsonReply(200, { response: { code: 0, payload: body.kind === "json" ? body.value : null } }, headers);
}

function frozen(base: Behaviour, operation: Operation): Partial<Behaviour> {
  let first: Reply | undefined;
  return afterwards((reply) => (first ??= reply))(base, operation);
}

const KINDS: Readonly<
  Record<NonsenseKind, readonly [sentence: string, change: (base: Behaviour, operation: Operation) => Partial<Behaviour>]>
> = {
  "html-200": ["is answered 200 with a page of HTML and not carried out", instead(textReply(200, PAGE, { "content-type": "text/html" }))],
  "truncated-json": ["is answered with JSON that breaks off in the middle", afterwards(truncated)],
  "empty-body": ["is answered 200 with an empty body", afterwards(() => emptyReply(200))],
  "404": ["is answered 404, whatever is asked for", instead(textReply(404, "not found\n"))],
  "wrong-envelope": ["is answered with its JSON inside an envelope of another API", afterwards(wrapped)],
  frozen: ["is answered as it was when it first succeeded, for ever", frozen],
  silent: ["is never answered", instead({ ...emptyReply(200), silent: true })],
};

/** Each operation with each possible kind of nonsense. The id is `nonsense-<operation>-<kind>`. */
export const NONSENSE: readonly NonsenseMode[] = (Object.keys(NONSENSE_OPERATIONS) as NonsenseOperation[]).flatMap((operation) =>
  (Object.keys(KINDS) as NonsenseKind[])
    .filter((kind) => kind !== "404" || READS.includes(operation))
    .map((kind) => {
      const [what, change] = KINDS[kind];
      return {
        id: `nonsense-${operation}-${kind}`,
        operation,
        kind,
        sentence: `${operation} ${what}.`,
        change: (base: Behaviour) => change(base, NONSENSE_OPERATIONS[operation]),
      };
    }),
);

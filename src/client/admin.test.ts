import { expect, test } from "vitest";
import { basic } from "./credentials.ts";
import { isSuccess } from "./exchange.ts";
import { type AdminBench, type Answer, adminBench, type Received, serve, TOKEN } from "./testing.ts";

const PAYLOAD = { display_name: "a", status: "active", cluster: "c" };
const CREATE = { name: "x", ...PAYLOAD };
const OK: Answer = { status: 200, body: JSON.stringify(PAYLOAD) };

/**
 * Returns a script that answers reads from one list, and updates from another. After the end of a list, each response is 200 with the
 * payload.
 */
function scripted(reads: readonly Answer[], updates: readonly Answer[]): (request: Received) => Answer {
  const left = { GET: [...reads], PUT: [...updates] };
  return ({ method }) => (method === "GET" || method === "PUT" ? (left[method].shift() ?? OK) : 500);
}

function methods(received: readonly Received[]): string[] {
  return received.map(({ method }) => method);
}

/** Returns the If-Match header of each received update. */
function conditions(received: readonly Received[]): (string | undefined)[] {
  return received.filter(({ method }) => method === "PUT").map(({ headers }) => headers["if-match"]);
}

function tagged(etag: string): Answer {
  return { status: 200, headers: { etag }, body: JSON.stringify(PAYLOAD) };
}

const never = (): boolean => false;

/** Starts a server that answers as the script says, and returns a client for it. */
async function served(
  script: (request: Received) => Answer,
  overrides?: Parameters<typeof adminBench>[1],
): Promise<AdminBench & { readonly received: readonly Received[] }> {
  const { url, received } = await serve(script);
  return { ...adminBench(url, overrides), received };
}

test("requests have the configured credentials, the headers of the gateway and exactly application/json", async () => {
  const { url, received } = await serve((request) => (request.method === "POST" ? 201 : OK));
  const { client, exchanges } = adminBench(`${url}/prefix`, { settings: { extraHeaders: { "X-Gateway": "gateway-value" } } });
  await client.create({ name: "x", ...PAYLOAD, limits: { ingestion_rate: 5 } });
  await client.read("a/b ü");
  expect(received.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
    "POST /prefix/admin/api/v1/instances",
    "GET /prefix/admin/api/v1/instances/a%2Fb%20%C3%BC",
  ]);
  const authorization = `Basic ${Buffer.from(`:${TOKEN}`).toString("base64")}`;
  for (const { headers } of received) expect(headers).toMatchObject({ authorization, "x-gateway": "gateway-value" });
  expect(received[0]?.headers["content-type"]).toBe("application/json");
  expect(received[1]?.headers["content-type"]).toBeUndefined();
  expect(JSON.parse(received[0]?.body ?? "")).toEqual({ name: "x", ...PAYLOAD, limits: { ingestion_rate: 5 } });
  expect(exchanges).toHaveLength(2);
});

test("a body is sent as it is written", async () => {
  const { client, received } = await served((request) => (request.method === "POST" ? 201 : OK));
  const written = String.raw`{ "display_name": "\u0061" }`;
  await client.create(CREATE, written);
  await client.update("x", PAYLOAD, never, written);
  expect(received.map(({ body }) => body)).toEqual([written, "", written]);
});

test("If-Match has exactly the ETag of the newest response", async () => {
  const { client, received } = await served(scripted([tagged('W/"read é"'), tagged("third")], [tagged('"second"')]));
  await client.update("x", PAYLOAD, never);
  await client.update("x", PAYLOAD, never);
  await client.read("x");
  await client.update("x", PAYLOAD, never);
  expect(conditions(received)).toEqual(['W/"read é"', '"second"', "third"]);
});

test("if a weak ETag is never met, the condition that any state meets is sent instead", async () => {
  const { client, received } = await served(({ method, headers }) => {
    if (method === "PUT") return headers["if-match"] === "*" ? OK : 412;
    return tagged('W/"1"');
  });
  await client.update("x", PAYLOAD, never);
  await client.update("y", PAYLOAD, never);
  expect(conditions(received)).toEqual(['W/"1"', "*", "*"]);
});

test("if the target does not know the condition that any state meets, the update is sent again with the new weak ETag", async () => {
  const { client, received } = await served(scripted([tagged('W/"old"'), tagged('W/"old"'), tagged('W/"new"')], [412, 412, OK]));
  await client.update("x", PAYLOAD, never);
  expect(conditions(received)).toEqual(['W/"old"', "*", 'W/"new"']);
});

test.each<[what: string, reads: readonly Answer[], methods: readonly string[], conditions: readonly (string | undefined)[]]>([
  ["no response has an ETag, the instance is read before its first update only", [], ["GET", "PUT", "PUT"], [undefined, undefined]],
  ["only older responses have an ETag, there is no If-Match", [tagged('"read"')], ["GET", "PUT", "GET", "PUT"], ['"read"', undefined]],
  [
    "only reads show an ETag, the instance is read before each update",
    [tagged('"one"'), tagged('"two"')],
    ["GET", "PUT", "GET", "PUT"],
    ['"one"', '"two"'],
  ],
])("if %s", async (_what, reads, sent, sentConditions) => {
  const { client, received } = await served(scripted(reads, []));
  for (let time = 0; time < 2; time += 1) await client.update("x", PAYLOAD, never);
  expect(methods(received)).toEqual(sent);
  expect(conditions(received)).toEqual(sentConditions);
  expect(await client.condition("x")).toEqual({});
});

test("an ETag belongs to a single instance", async () => {
  const { client, received } = await served(({ method, url: path }) => (method === "GET" ? tagged(`"${path.slice(-1)}"`) : OK));
  await client.read("x");
  await client.update("y", PAYLOAD, never);
  expect(conditions(received)).toEqual(['"y"']);
});

test.each([412, 428])("after %i the instance is read, and the update is sent again with the new ETag", async (status) => {
  const { client, received } = await served(scripted([tagged('"old"'), tagged('"new"')], [status]));
  // The read already shows the values of the update. The update must still be sent again, because the target refused it.
  const answered = await client.update("x", PAYLOAD, () => true);
  expect(answered.response.status).toBe(200);
  expect(methods(received)).toEqual(["GET", "PUT", "GET", "PUT"]);
  expect(conditions(received)).toEqual(['"old"', '"new"']);
});

test("after a 5xx the ETag is read again, because it is unknown whether the update was carried out", async () => {
  const { client, received } = await served(scripted([tagged('"old"'), tagged('"new"')], [500]));
  for (let time = 0; time < 2; time += 1) await client.updateOnce("x", PAYLOAD);
  expect(methods(received)).toEqual(["GET", "PUT", "GET", "PUT"]);
  expect(conditions(received)).toEqual(['"old"', '"new"']);
});

test("if reads never show the requested ETag, the update is sent with the condition that any state meets", async () => {
  const { client, received } = await served(
    ({ method, headers }) => (method === "GET" ? tagged('"stale"') : headers["if-match"] === "*" ? OK : 412),
    { retryMs: 1 },
  );
  const answered = await client.update("x", PAYLOAD, never);
  expect(answered.response.status).toBe(200);
  expect(conditions(received)).toEqual(['"stale"', '"stale"', '"stale"', '"stale"', "*"]);
});

test.each([400, 422])(
  "an update with a condition and the response %i is sent again with the condition that any state meets",
  async (status) => {
    const { client, received } = await served(scripted([tagged('"old"'), tagged('"new"')], [status]));
    expect((await client.update("x", PAYLOAD, () => true)).response.status).toBe(200);
    expect(methods(received)).toEqual(["GET", "PUT", "PUT"]);
    await client.update("x", PAYLOAD, never);
    expect(conditions(received)).toEqual(['"old"', "*", '"new"']);
  },
);

test("a refusal counts as a response if it does not depend on the condition", async () => {
  const { client, received } = await served(({ method }) => (method === "GET" ? tagged('"stale"') : 400));
  expect((await client.update("x", PAYLOAD, never)).response.status).toBe(400);
  expect(conditions(received)).toEqual(['"stale"', "*"]);
});

test("an update that always gets 412 is refused after SETTLE_TIMEOUT_MS, and the next one at once", async () => {
  const { client, received } = await served(({ method }) => (method === "GET" ? OK : 412), { retryMs: 20 });
  const started = performance.now();
  await expect(client.update("x", PAYLOAD, never)).resolves.toMatchObject({ response: { status: 412 } });
  expect(performance.now() - started).toBeGreaterThan(290);
  expect(received.length).toBeGreaterThan(6);
  // The last attempt has no precondition, because the document shows none.
  expect(received.at(-1)?.headers["if-match"]).toBeUndefined();
  const sent = received.length;
  await expect(client.update("x", PAYLOAD, never)).resolves.toMatchObject({ response: { status: 412 } });
  expect(received.length - sent).toBeLessThanOrEqual(2);
});

test("if two updates are accepted only with If-Match: *, the next ones send it at once", async () => {
  const tagged = { ...OK, headers: { etag: '"1"' } };
  const { client, received } = await served(
    ({ method, headers }) => (method === "GET" ? tagged : headers["if-match"] === "*" ? tagged : 412),
    { retryMs: 1 },
  );
  for (let update = 0; update < 2; update += 1) await client.update("x", PAYLOAD, never);
  const sent = received.length;
  for (let update = 0; update < 2; update += 1) await client.update("x", PAYLOAD, never);
  expect(
    received
      .slice(sent)
      .filter(({ method }) => method === "PUT")
      .map(({ headers }) => headers["if-match"]),
  ).toEqual(["*", "*"]);
});

test("an applied update without a response is not sent again, and the read stands for its response", async () => {
  const { client, received } = await served(scripted([OK, { status: 200, body: '{"display_name":"new"}' }], ["drop"]));
  const seen: unknown[] = [];
  const updating = client.update("x", PAYLOAD, (instance) => {
    seen.push(instance);
    return true;
  });
  await expect(updating).resolves.toMatchObject({ operation: "read instance", response: { status: 200 } });
  expect(methods(received)).toEqual(["GET", "PUT", "GET"]);
  expect(seen).toEqual([{ display_name: "new" }]);
});

test.each([
  ["answered 503", 503],
  ["not answered", "drop"],
  ["asked to slow down", 429],
] as const)("an update that was %s and not applied is sent again", async (_what, answer) => {
  const { client, received } = await served(scripted([], [answer]));
  const answered = await client.update("x", PAYLOAD, never);
  expect(answered.response.status).toBe(200);
  expect(methods(received)).toEqual(["GET", "PUT", "GET", "PUT"]);
});

test("a refusal of an update is a response", async () => {
  const { client, received } = await served(scripted([], [400]));
  expect((await client.update("x", PAYLOAD, never)).response.status).toBe(400);
  expect(methods(received)).toEqual(["GET", "PUT"]);
});

test.each([429, 500, 503, "drop"] as const)(
  "a create with the outcome %s is not repeated, and may have been carried out",
  async (answer) => {
    const { client, session, announced, received } = await served(() => answer);
    const exchange = await client.create(CREATE);
    expect(exchange.response?.status ?? "drop").toBe(answer);
    expect(methods(received)).toEqual(["POST"]);
    expect(announced).toEqual(["x"]);
    expect([...session.created]).toEqual(answer === 429 ? [] : ["x"]);
    expect(session.transport.budget.instances).toBe(answer === 429 ? 0 : 1);
  },
);

test("a refused create gives its instance back to the budget", async () => {
  const { client, session, received } = await served(() => 400, { budgets: { maxInstances: 1 } });
  for (let count = 0; count < 3; count += 1) await client.create(CREATE);
  await client.probeCreate("create without a name", "y", {});
  expect(received).toHaveLength(4);
  expect(session.transport.budget.instances).toBe(0);
  expect(session.created.size).toBe(0);
});

test("a create that was never sent counts as not carried out", async () => {
  const { client, session } = adminBench("http://127.0.0.1:9");
  expect((await client.create(CREATE)).error).toContain("ECONNREFUSED");
  expect(session.transport.budget.instances).toBe(0);
  expect(session.created.size).toBe(0);
});

test("a name is announced before its create is sent, and at most MAX_INSTANCES creates are sent", async () => {
  const { url, received } = await serve(() => {
    announcedBefore.push([...bench.announced]);
    return 201;
  });
  const announcedBefore: string[][] = [];
  const bench = adminBench(url, { budgets: { maxInstances: 1 } });
  await bench.client.create(CREATE);
  await expect(bench.client.create({ ...CREATE, name: "y" })).rejects.toThrow("MAX_INSTANCES (1)");
  expect(received).toHaveLength(1);
  expect(announcedBefore).toEqual([["x"]]);
  expect(bench.announced).toEqual(["x"]);
});

test.each([
  [401, /does the token exist/],
  [403, /this token may not read instance|this token may not create instance/],
  [301, /a redirect to https:\/\/elsewhere; the suite does not follow redirects/],
])("a documented request with the response %i says nothing about the contract", async (status, message) => {
  const { client, session } = await served(() => ({ status, headers: { location: "https://elsewhere" } }));
  await expect(client.read("x")).rejects.toMatchObject({ name: "Inconclusive", message: expect.stringMatching(message) });
  await expect(client.create(CREATE)).rejects.toMatchObject({ name: "Inconclusive" });
  expect(session.transport.budget.instances).toBe(0);
  expect(session.transport.tally.successes).toBe(0);
});

test.each([
  ["/admin/api/v1/instances/x", 1],
  ["/login", 0],
])("a create with the response 303 and the location %s counts as %i instances", async (location, instances) => {
  const { client, session } = await served(() => ({ status: 303, headers: { location } }));
  const outcome = await client.create(CREATE).then(isSuccess, () => false);
  expect(outcome).toBe(instances === 1);
  expect(session.transport.budget.instances).toBe(instances);
});

test("a probe is sent with other credentials and is not counted in the tally", async () => {
  const { url, received } = await serve(() => 200);
  const { client, session } = adminBench(url);
  for (const credentials of [
    { kind: "none" },
    { kind: "bearer" },
    { kind: "token-as", user: "someone" },
    { kind: "basic", user: "", password: "wrong", printed: "wrong" },
  ] as const) {
    await client.probe("read with other credentials", "GET", "x", undefined, credentials);
  }
  expect(received.map(({ headers }) => headers.authorization)).toEqual([
    undefined,
    `Bearer ${TOKEN}`,
    basic("someone", TOKEN),
    basic("", "wrong"),
  ]);
  expect(session.transport.tally.operations.size).toBe(0);
});

test.each([404, 409, 423, 425])("an update with the response %i is sent again, because the instance may not be ready", async (status) => {
  const { client, received } = await served(scripted([OK], [status, status]), { retryMs: 1 });
  const answered = await client.update("x", PAYLOAD, () => true);
  expect(answered.response.status).toBe(200);
  expect(methods(received).filter((method) => method === "PUT")).toHaveLength(3);
});

test("a conflict that stays for SETTLE_TIMEOUT_MS is a refusal, and the next such conflict is one immediately", async () => {
  const { url, received } = await serve(({ method }) => (method === "GET" ? OK : 409));
  const { client } = adminBench(url, { retryMs: 20 });
  const started = performance.now();
  expect((await client.update("x", PAYLOAD, never)).response.status).toBe(409);
  expect(performance.now() - started).toBeGreaterThan(300);
  const before = received.length;
  expect((await client.update("y", PAYLOAD, never)).response.status).toBe(409);
  expect(methods(received.slice(before))).toEqual(["GET", "PUT"]);
});

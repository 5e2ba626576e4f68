/**
 * Tests runs against legal servers that the suite cannot judge completely. The suite must report inconclusive clauses with a reason, and no
 * violation.
 */
import { expect, test } from "vitest";
import { type Reply, textReply } from "../reference/http/message.ts";
import { type Entry, runEntry } from "./entry.ts";

const YOUNG_NS = 300_000_000_000n;

/** Returns a change of the server that answers some requests itself, depending on the operation and the number of instances. */
function answering(answer: (operation: string | undefined, instances: number) => Reply | null): Entry {
  return {
    id: "answers-itself",
    change: (base, { instances }) => ({
      beforeHandle: (request, route) => answer(route?.operation, instances.all().length) ?? base.beforeHandle(request, route),
    }),
  };
}

const manyCreates = (reply: Reply): Entry => answering((asked, instances) => (asked === "admin.create" && instances >= 4 ? reply : null));

const CASES: readonly (readonly [what: string, entry: Entry, service: "admin" | "logs", reason: RegExp])[] = [
  [
    "entries older than five minutes are refused",
    {
      id: "young-entries-only",
      change: (base) => ({
        refuseEntry: (entry, stream, context) =>
          entry.ts < BigInt(Math.floor(context.nowMs)) * 1_000_000n - YOUNG_NS ? "too old" : base.refuseEntry(entry, stream, context),
      }),
    },
    "logs",
    /the document does not say which timestamps a service must accept/,
  ],
  [
    "the fifth create is answered 403: a quota",
    manyCreates(textReply(403, "no more instances\n")),
    "admin",
    /the target refuses some inputs of create instance/,
  ],
];

test.each(CASES)("%s", async (_what, entry, service, reason) => {
  const { red, inconclusive } = await runEntry(entry, "release", 1, { service });
  expect(red).toEqual([]);
  expect(inconclusive.some((one) => reason.test(one.reason))).toBe(true);
});

test("a first push that is refused without a reason is blamed, even if younger entries are accepted", async () => {
  let pushes = 0;
  const entry = answering((asked) => (asked === "logs.push" && (pushes += 1) === 1 ? textReply(400, "not yet\n") : null));
  const { red } = await runEntry(entry, "release", 1, { service: "logs", only: ["logs-4.push/accepted"] });
  expect(red.map(({ clause }) => clause)).toEqual(["logs-4.push"]);
});

test("if later creates are answered 503, sequences over several instances are inconclusive with this reason", async () => {
  const entry = manyCreates(textReply(503, "no leader\n"));
  const { red, inconclusive } = await runEntry(entry, "release", 1, { service: "admin", only: ["admin-4.PUT/lifecycle"] });
  expect(red).toEqual([]);
  expect(inconclusive.map(({ reason }) => reason)).toEqual([expect.stringMatching(/create instance was not answered: status 503/)]);
});

test.each(["logs.labels", "logs.label_values"])("if %s is never answered, only clauses about lists are inconclusive", async (silent) => {
  const silence = answering((asked) => (asked === silent ? { ...textReply(200, ""), silent: true } : null));
  const entry = { ...silence, settings: { REQUEST_TIMEOUT_MS: "300" } };
  const only = ["logs-4.matchers/each-operator", "logs-4.push/added-later"];
  const { red, passed } = await runEntry(entry, "release", 1, { service: "logs", only, passes: true });
  expect(red).toEqual([]);
  const clauses = new Set(passed.map(({ clause }) => clause));
  expect(clauses).toEqual(new Set(["logs-4.matchers", "logs-4.push", "logs-4.query_range"]));
});

test("if the rate limit cannot be reached, the overload check leaves the requests of the checks after it", async () => {
  const rateLimit = { perSecond: 1_000_000, burst: 1_000_000 };
  const entry: Entry = { id: "rate-limit-out-of-reach", change: () => ({}), options: { rateLimit }, settings: { MAX_REQUESTS: "200" } };
  const only = ["logs-7.429/overload-and-recover", "logs-5.3/enforced"];
  const { red, inconclusive } = await runEntry(entry, "release", 1, { only });
  expect(red).toEqual([]);
  expect(new Set(inconclusive.map(({ check }) => check))).toEqual(new Set(["logs-7.429/overload-and-recover"]));
  expect(inconclusive[0]?.reason).toMatch(/MAX_REQUESTS \(200\) left only \d+ requests for exceeding the rate limit/);
});

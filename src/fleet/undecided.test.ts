/** Servers that are legal and that nothing, or not everything, can be judged of: inconclusive with the reason, and never blamed. */
import { expect, test } from "vitest";
import { textReply } from "../reference/http/message.ts";
import { type Entry, runEntry } from "./entry.ts";

const YOUNG_NS = 300_000_000_000n;

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
    /which timestamps a service takes is not stated/,
  ],
  [
    "the fifth create is answered 403: a quota",
    {
      id: "quota-of-instances",
      change: (base, { instances }) => ({
        beforeHandle: (request, route) =>
          route?.operation === "admin.create" && instances.all().length >= 4
            ? textReply(403, "no more instances\n")
            : base.beforeHandle(request, route),
      }),
    },
    "admin",
    /create instance was answered 403/,
  ],
];

test.each(CASES)("%s", { timeout: 60_000 }, async (_what, entry, service, reason) => {
  const { red, inconclusive } = await runEntry(entry, "release", 1, { service });
  expect(red).toEqual([]);
  expect(inconclusive.some((one) => reason.test(one.reason))).toBe(true);
});

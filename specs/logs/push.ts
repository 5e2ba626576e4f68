/** Sections 1 and 2, and push: each pushed entry is returned once, unchanged, under its own labels. */
import { GALLERY_BOLD } from "../../src/arbitraries/gallery.ts";
import { payload, type RelativeStream, evenly } from "../../src/arbitraries/streams.ts";
import type { Check } from "../../src/harness/check.ts";
import type { TablePart } from "../../src/harness/context.ts";
import type { Assertion, Scope } from "../../src/harness/scope.ts";
import { READ_BACK_CLAUSES } from "../../src/model/log-answer.ts";
import { flushMs } from "../../src/datasets/datasets.ts";
import { alikes, equals, galleryStreams, groups, sameTimes, signs, terms, TIED_AFTER, usual } from "../../src/datasets/small-datasets.ts";
import { hello } from "../../src/datasets/first-push.ts";
import { besideShort, chunkedBody, longBody, pushedTwice, spelledPushes } from "../../src/scenarios/push-forms.ts";
import { grownLists } from "../../src/queries/label-lists.ts";
import {
  addedLater,
  askedBefore,
  comesBack,
  countedBefore,
  firstPush,
  firstRead,
  onceTaken,
  afterRefusedPush,
} from "../../src/scenarios/pushes.ts";
import { LARGE_SETS } from "../../src/datasets/large-datasets.ts";
import { longLabels, longLines, manyLabels } from "../../src/datasets/sized-datasets.ts";
import { QUERY_SETS } from "../../src/datasets/shared-datasets.ts";
import { readInBatches } from "../../src/datasets/read-back.ts";
import { again } from "../../src/harness/rereads.ts";
import { largerCheck, logsCheck, longest } from "./check.ts";
import { SECOND } from "../../src/model/times.ts";

const accepted = logsCheck({
  slug: "accepted",
  title: "a push is accepted and its entries can be queried",
  clauses: ["logs-4.push"],
  run: async (t) => t.verify(firstPush(await t.use(hello))),
});

const payloads = logsCheck({
  slug: "comes-back",
  title: "each pushed entry is returned exactly once, byte for byte, under its labels",
  clauses: READ_BACK_CLAUSES,
  run: async (t) =>
    t.property({
      arbitrary: payload,
      cases: t.pick({ smoke: 2, release: 14, nightly: 300 }),
      minimum: t.pick({ smoke: 2, release: 14, nightly: 17 }),
      overlap: 4,
      assertion: (input) => comesBack("payload", input),
      print: ({ pushes }) => pushes,
    }),
});

const sets = logsCheck({
  slug: "larger-sets",
  title: "reads return every entry of a push with many streams, many entries, or equal timestamps in several streams",
  clauses: ["logs-4.push"],
  async run(t) {
    const chosen =
      t.profile === "smoke"
        ? QUERY_SETS.filter(({ inSmoke }) => inSmoke)
        : [...QUERY_SETS, terms, groups, alikes, signs, ...LARGE_SETS[t.profile]];
    // The check reports each pushed dataset, even if the push of another dataset had no definite response.
    const pushed = await Promise.allSettled(chosen.map((set) => t.use(set.pushed)));
    for (const one of pushed) {
      if (one.status === "rejected") continue;
      const { finding } = one.value;
      await t.verify(async () => finding);
    }
    const unknown = pushed.find((one) => one.status === "rejected");
    if (unknown !== undefined) throw unknown.reason;
  },
});

const later = largerCheck({
  slug: "added-later",
  title: "a repeated query or label list also returns everything that was pushed after its first response",
  clauses: ["logs-4.push", "logs-4.query_range", "logs-4.labels", "logs-4.label-values"],
  // Pushes of other checks may empty the cache of a service.
  phase: "alone",
  async run(t) {
    await t.verifyRows([{ clause: "logs-4.push", assertion: addedLater }]);
    // If a list gets no response, only the clauses about lists are inconclusive.
    await t.verifyRows([{ clause: "logs-4.label-values", assertion: grownLists }]);
  },
});

const afterRefused = largerCheck({
  slug: "after-refused",
  title: "after refused pushes, queries return all entries of the next accepted push and no entry of the refused pushes",
  clauses: READ_BACK_CLAUSES,
  // No push of another check may come between the refused push and the next push.
  phase: "alone",
  run: async (t) =>
    t.verifyProbed(afterRefusedPush, "the target accepts a truncated push; the document does not say which pushes a service must refuse"),
});

const before = largerCheck({
  slug: "asked-before",
  title: "a query or metric query that is repeated after a push shows the pushed entries, even if it found nothing before",
  clauses: ["logs-4.query_range", "logs-4.push", "logs-4.query"],
  async run(t) {
    for (const assertion of [askedBefore, ...countedBefore]) await t.verify(assertion);
  },
});

const twice = largerCheck({
  slug: "pushed-twice",
  title: "a push of old and new entries adds the new entries and removes no old entry",
  clauses: ["logs-4.push"],
  run: async (t) => t.verify(pushedTwice),
});

const shape = logsCheck({
  slug: "shape",
  title: "the result of a range query is a list of objects with stream and values",
  clauses: ["logs-2.range-result"],
  async run(t) {
    const { finding } = await t.use(firstRead);
    await t.verify(async () => finding);
  },
});

/** The number of reads of settled entries. A wrong read is a violation, even if a later read is right. */
const READS = { smoke: 0, release: 1, nightly: 3 };

const settled = largerCheck({
  slug: "settled",
  title: "after all writes have become visible, entries that were already returned are still returned",
  clauses: ["logs-4.push"],
  phase: "closing",
  async run(t) {
    await t.use(firstRead);
    await t.verify(again("logs-4.push", t.pick(READS), { combined: readInBatches }));
  },
});

/** Other checks of the phase wait as long. Datasets that were pushed too late for this are not read again. */
const FLUSHED = {
  combined: readInBatches,
  afterMs: flushMs,
  mostWaitMs: ({ settle }: Scope): number => 2 * settle.windowMs,
  isOnceEnough: true,
} as const;

const flushed = largerCheck({
  slug: "flushed",
  title: "entries that were already returned are still returned some seconds later, when the service may have flushed them",
  clauses: ["logs-4.push"],
  phase: "waiting",
  async run(t) {
    await t.use(firstRead);
    await t.verify(again("logs-4.push", 1, FLUSHED));
  },
});

/** Sends a push that a target may refuse. If the push was accepted, returns an assertion about its entries. */
function ifTaken(name: string, probe: (scope: Scope) => Promise<Assertion | null>): TablePart {
  return async (t) => {
    const { seen: assertion } = await t.probe(probe);
    return assertion === null
      ? t.notRun(`the target does not accept a push with ${name}; the document does not promise that a service accepts it`)
      : [assertion];
  };
}

function long(set: typeof longLines): TablePart {
  return async (t) => {
    const { finding } = await longest(t, set);
    return [async () => finding];
  };
}

function pushed(set: typeof usual): TablePart {
  return async (t) => {
    const { finding } = await t.use(set.pushed);
    return [async () => finding];
  };
}

const WITHOUT_VALUES: readonly RelativeStream[] = [
  { labels: { svc_size: "none first" }, entries: [] },
  { labels: { svc_size: "some" }, entries: evenly(2, SECOND, 1n, (index) => `some ${index + 1}`) },
  { labels: { svc_size: "none between" }, entries: [] },
  { labels: { svc_size: "more" }, entries: evenly(2, SECOND, 2n, (index) => `more ${index + 1}`) },
  { labels: { svc_size: "none last" }, entries: [] },
];

function ofLine(line: string): RelativeStream {
  return { labels: {}, entries: [{ offset: 1n, line }] };
}

const forms = logsCheck({
  slug: "gallery",
  title: "queries return pushed entries unchanged, even if their lines, their labels or the JSON of their push is unusual",
  clauses: READ_BACK_CLAUSES,
  async run(t) {
    const larger = [
      ifTaken("a zero byte and a replacement character", onceTaken("zero-byte", { pushes: [[ofLine(GALLERY_BOLD.line)]] })),
      ifTaken("noncharacters", onceTaken("noncharacters", { pushes: [[ofLine(GALLERY_BOLD.noncharacters)]] })),
      ifTaken("a line of 300,000 bytes beside a short line", besideShort),
      ifTaken("streams without values", onceTaken("empty-streams", { pushes: [WITHOUT_VALUES] })),
      ifTaken("a body of more than 1 MiB", longBody),
      ifTaken("a chunked body", chunkedBody),
      long(longLines),
      long(longLabels),
      long(manyLabels),
    ];
    await t.verifyParts("logs-4.push", [
      // A dataset with lines and values that look like JSON, numbers or queries.
      async () => [comesBack("gallery", { pushes: [galleryStreams()] })],
      // Datasets with different lines at equal timestamps, in one push or in several pushes.
      async () => TIED_AFTER.map((counts) => comesBack("same-times", { pushes: sameTimes(counts) })),
      // A dataset with the same entries in several streams.
      pushed(equals),
      // A dataset with labels that services often interpret, such as app, job and level.
      pushed(usual),
      // Pushes in other spellings: other white space, JSON escapes and another order of members.
      async () => spelledPushes,
      ...(t.profile === "smoke" ? [] : larger),
    ]);
  },
});

export const PUSH_CHECKS: readonly Check[] = [accepted, payloads, sets, forms, settled, flushed, later, afterRefused, before, twice, shape];

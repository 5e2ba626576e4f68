/** Sections 1 and 2, and push: everything that is pushed comes back once, exactly, under its own labels. */
import { GALLERY_BOLD } from "../../src/arbitraries/gallery.ts";
import { payload, type RelativeStream } from "../../src/arbitraries/streams.ts";
import type { Check } from "../../src/harness/check.ts";
import { found } from "../../src/harness/finding.ts";
import type { Assertion, Scope } from "../../src/harness/scope.ts";
import { READ_BACK_CLAUSES } from "../../src/model/log-answer.ts";
import { galleryStreams } from "../../src/world/logs/gallery.ts";
import { hello } from "../../src/world/logs/gate.ts";
import { afterRefusedPush } from "../../src/world/logs/after-refused-push.ts";
import { chunkedBody, longBody } from "../../src/world/logs/unusual-bodies.ts";
import { addedLater, askedBefore, comesBack, firstPush, firstRead, onceTaken } from "../../src/world/logs/pushing.ts";
import { LARGE_SETS } from "../../src/world/logs/large-sets.ts";
import { alikes, equals, groups, sameTimes, signs, terms, TIED_AFTER, usual } from "../../src/world/logs/small-sets.ts";
import { QUERY_SETS } from "../../src/world/logs/sets.ts";
import { SPELLINGS, spelledPush } from "../../src/world/logs/spelled.ts";
import { pushedTwice } from "../../src/world/logs/pushed-twice.ts";
import { inGroups } from "../../src/world/logs/back-together.ts";
import { again } from "../../src/world/revisits.ts";
import { logsCheck } from "./check.ts";

const accepted = logsCheck({
  slug: "accepted",
  title: "a push is accepted and its entries can be queried",
  clauses: ["logs-4.push"],
  async run(t) {
    await t.verify(firstPush(await t.use(hello)));
  },
});

const payloads = logsCheck({
  slug: "comes-back",
  title: "each pushed entry is returned once, byte for byte, under its labels",
  clauses: READ_BACK_CLAUSES,
  async run(t) {
    await t.property({
      arbitrary: payload,
      cases: t.pick({ smoke: 2, release: 14, nightly: 300 }),
      minimum: t.pick({ smoke: 2, release: 14, nightly: 17 }),
      overlap: 4,
      assertion: (input) => comesBack("payload", input),
      print: ({ pushes }) => pushes,
    });
  },
});

const sets = logsCheck({
  slug: "larger-sets",
  title: "large pushes are returned completely: many streams, many entries, equal timestamps in several streams",
  clauses: ["logs-4.push"],
  async run(t) {
    const chosen =
      t.profile === "smoke"
        ? QUERY_SETS.filter(({ inSmoke }) => inSmoke)
        : [...QUERY_SETS, terms, groups, alikes, signs, ...LARGE_SETS[t.profile]];
    // Every set is told of, also when another could not be pushed for certain.
    const pushed = await Promise.allSettled(chosen.map((set) => t.use(set.pushed)));
    for (const one of pushed) {
      if (one.status === "rejected") continue;
      const { finding } = one.value;
      await t.verify(found("logs-4.push", finding.differences, finding));
    }
    const unknown = pushed.find((one) => one.status === "rejected");
    if (unknown !== undefined) throw unknown.reason;
  },
});

const gallery = logsCheck({
  slug: "gallery",
  title: "lines and label values that look like JSON, numbers or queries are returned unchanged",
  clauses: READ_BACK_CLAUSES,
  profiles: ["release", "nightly"],
  async run(t) {
    await t.verify(comesBack("gallery", { pushes: [galleryStreams()] }));
  },
});

const usualLabels = logsCheck({
  slug: "usual-labels",
  title: "labels that services often interpret, such as app, job and level, are returned unchanged",
  clauses: READ_BACK_CLAUSES,
  profiles: ["release", "nightly"],
  async run(t) {
    const { finding } = await t.use(usual.pushed);
    await t.verify(found(finding.clauses, finding.differences, finding));
  },
});

const tiedPushes = logsCheck({
  slug: "same-times",
  title: "different lines with equal timestamps are all returned, from one push or from several",
  clauses: READ_BACK_CLAUSES,
  profiles: ["release", "nightly"],
  async run(t) {
    for (const counts of TIED_AFTER) await t.verify(comesBack("same-times", { pushes: sameTimes(counts) }));
  },
});

const equalEntries = logsCheck({
  slug: "equal-entries",
  title: "an entry that was pushed to several streams is returned in each of them",
  clauses: ["logs-4.push"],
  profiles: ["release", "nightly"],
  async run(t) {
    const { finding } = await t.use(equals.pushed);
    await t.verify(found("logs-4.push", finding.differences, finding));
  },
});

/** A push that a target may refuse comes back once it was taken; `look` resolves to null where it is not. */
function takenCheck(slug: string, title: string, look: (scope: Scope) => Promise<Assertion | null>): Check {
  return logsCheck({
    slug,
    title,
    clauses: READ_BACK_CLAUSES,
    profiles: ["release", "nightly"],
    async run(t) {
      const { seen: assertion } = await t.probe(look);
      if (assertion === null)
        return t.notRun(
          "the target does not accept the unusual push of this check; the document does not say which pushes a service must accept",
        );
      await t.verify(assertion);
    },
  });
}

function boldCheck(slug: string, title: string, streams: readonly RelativeStream[]): Check {
  return takenCheck(slug, title, onceTaken(slug, { pushes: [streams] }));
}

const later = logsCheck({
  slug: "added-later",
  title: "a repeated query returns entries that were pushed to its stream since the first response",
  clauses: ["logs-4.push", "logs-4.query_range"],
  // What others push meanwhile may make a service forget what it found before.
  phase: "alone",
  profiles: ["release", "nightly"],
  async run(t) {
    await t.verify(addedLater);
  },
});

const afterRefused = logsCheck({
  slug: "after-refused",
  title: "a push right after refused pushes is returned, without entries of the refused pushes",
  clauses: READ_BACK_CLAUSES,
  // What others push in between would be what comes after a refused one.
  phase: "alone",
  profiles: ["release", "nightly"],
  async run(t) {
    const { seen: assertion } = await t.probe(afterRefusedPush);
    if (assertion === null)
      return t.notRun("the target accepts a truncated push; the document does not say which pushes a service must refuse");
    await t.verify(assertion);
  },
});

const before = logsCheck({
  slug: "asked-before",
  title: "a query that found nothing finds entries that were pushed later",
  clauses: ["logs-4.query_range", "logs-4.push"],
  profiles: ["release", "nightly"],
  async run(t) {
    await t.verify(askedBefore);
  },
});

const twice = logsCheck({
  slug: "pushed-twice",
  title: "a push that repeats old entries removes no old entry and adds its new entries",
  clauses: ["logs-4.push"],
  profiles: ["release", "nightly"],
  async run(t) {
    await t.verify(pushedTwice);
  },
});

const shape = logsCheck({
  slug: "shape",
  title: "the result of a range query is a list of objects with stream and values",
  clauses: ["logs-2.range-result"],
  async run(t) {
    const { finding } = await t.use(firstRead);
    await t.verify(found("logs-2.range-result", finding.differences, finding));
  },
});

/** How often settled data are read again: a right read does not heal a wrong one. */
const READS = { smoke: 1, release: 1, nightly: 3 };

const settled = logsCheck({
  slug: "settled",
  title: "entries that were returned once are still returned when all writes are older than SETTLE_TIMEOUT_MS",
  clauses: ["logs-4.push"],
  phase: "closing",
  async run(t) {
    await t.use(firstRead);
    await t.verify(again("logs-4.push", t.pick(READS), { inGroups }));
  },
});

const spellings = logsCheck({
  slug: "spellings",
  title: "a push with whitespace, JSON escapes and another order of members has the same effect",
  clauses: READ_BACK_CLAUSES,
  profiles: ["release", "nightly"],
  async run(t) {
    for (const index of SPELLINGS.keys()) await t.verify(spelledPush(index));
  },
});

export const PUSH_CHECKS: readonly Check[] = [
  accepted,
  payloads,
  sets,
  gallery,
  tiedPushes,
  equalEntries,
  boldCheck("zero-byte", "a line with a zero byte and a replacement character is returned unchanged, if it is accepted", [
    {
      labels: {},
      entries: [{ offset: 1n, line: GALLERY_BOLD.line }],
    },
  ]),
  boldCheck("long-label-value", "a label value of 1,500 characters is returned unchanged, if it is accepted", [
    {
      labels: { svc_colour: GALLERY_BOLD.labelValue },
      entries: [{ offset: 1n, line: "long label value" }],
    },
  ]),
  boldCheck("empty-streams", "streams without values in an accepted push do not affect the other streams of that push", [
    { labels: { svc_size: "none first" }, entries: [] },
    {
      labels: { svc_size: "some" },
      entries: [
        { offset: 1n, line: "some 1" },
        { offset: 1_000_000_001n, line: "some 2" },
      ],
    },
    { labels: { svc_size: "none between" }, entries: [] },
    {
      labels: { svc_size: "more" },
      entries: [
        { offset: 2n, line: "more 1" },
        { offset: 1_000_000_002n, line: "more 2" },
      ],
    },
    { labels: { svc_size: "none last" }, entries: [] },
  ]),
  takenCheck("long-body", "a push with a body of more than 1 MiB is returned completely, if it is accepted", longBody),
  takenCheck("chunked-body", "a push with a chunked body is returned completely, if it is accepted", chunkedBody),
  later,
  afterRefused,
  before,
  twice,
  spellings,
  usualLabels,
  shape,
  settled,
];

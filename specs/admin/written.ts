/** Section 2, Limits object: each limit is kept as it was sent, at creation and by itself through an update. */
import { unusualValue, zeroValue } from "../../src/arbitraries/limits.ts";
import { MISTAKABLE_ROUNDS, mistakableValue, negativeValue } from "../../src/arbitraries/lookalike-values.ts";
import { LIMIT_NAMES, LIMITS, type LimitName, type LimitType } from "../../src/contract/limits.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import { acceptedLimits } from "../../src/world/admin/accepted-limits.ts";
import { createdWithAllButOne, createdWithOne } from "../../src/world/admin/one-limit.ts";
import { periodsKept } from "../../src/world/admin/retention.ts";
import { eachByItself, keptInTurn, keptWhenAdded, keptWhenCreated, limitsBy, rowKept } from "../../src/world/admin/sent-limits.ts";
import { adminCheck } from "./check.ts";

const REFUSES_ALL = "the target refuses all of these values; the document does not say which values a service must accept";
const LARGER: Check["profiles"] = ["release", "nightly"];

const addedByThemselves = adminCheck({
  slug: "each-by-itself",
  title: "each limit can be added alone, and the instance keeps it",
  clauses: ["admin-4.3"],
  profiles: LARGER,
  async run(t) {
    await t.verify(eachByItself);
  },
});

function writtenRow(name: LimitName): Check {
  return adminCheck({
    slug: "written",
    title: `an instance keeps ${name} as it was sent`,
    clauses: [`admin-2.limit.${name}`],
    async run(t) {
      const { seen: assertion } = await t.probe(rowKept(name));
      if (assertion === null)
        return t.notRun(
          "the target refuses every tried value except the default; the document does not say which values a service must accept",
        );
      await t.verify(assertion);
    },
  });
}

/** Where the bounds of a limit are is not stated: one of which a plain value was refused takes hardly any unusual one. */
async function plainlyTaken(t: CheckContext): Promise<ReadonlySet<LimitName>> {
  const { names, refused } = await t.use(acceptedLimits);
  return new Set(names.filter((name) => !refused.has(name)));
}

/** Zero, false, the empty string and null are values, not "not set". */
const zeros = adminCheck({
  slug: "zeros-are-values",
  title: 'limits that are sent as 0, false, "" or null keep these values and are not filled with defaults',
  clauses: ["admin-4.3"],
  profiles: LARGER,
  async run(t) {
    const { seen: assertion } = await t.probe(keptWhenAdded(limitsBy((name) => zeroValue(name))));
    if (assertion === null) return t.notRun(REFUSES_ALL);
    await t.verify(assertion);
  },
});

const zerosOnCreate = adminCheck({
  slug: "zeros-are-values",
  title: 'a create with limits of 0, false, "" and [] keeps these values, and fills only the limits that it does not send',
  clauses: ["admin-4.1"],
  profiles: LARGER,
  async run(t) {
    const { seen: assertion } = await t.probe(
      keptWhenCreated(
        "z",
        limitsBy((name) => zeroValue(name, [])),
      ),
    );
    if (assertion === null) return t.notRun(REFUSES_ALL);
    await t.verify(assertion);
  },
});

const unusual = adminCheck({
  slug: "unusual-values",
  title: "an update keeps unusual values exactly, if it is accepted",
  clauses: ["admin-4.3"],
  profiles: LARGER,
  async run(t) {
    const plain = await plainlyTaken(t);
    const wanted = limitsBy((name) => (plain.has(name) ? t.draw(unusualValue(name), `unusual ${name}`, 1)[0] : undefined));
    const { seen: assertion } = await t.probe(keptWhenAdded(wanted));
    if (assertion === null) return t.notRun(REFUSES_ALL);
    await t.verify(assertion);
  },
});

const mistakable = adminCheck({
  slug: "mistakable-values",
  title: "accepted values that resemble others, such as the text null, 007, 2^32 or -1, are kept exactly",
  clauses: ["admin-4.PUT-over-limits"],
  profiles: LARGER,
  async run(t) {
    const plain = await plainlyTaken(t);
    const rounds = Array.from({ length: MISTAKABLE_ROUNDS }, (_, round) => {
      const those = (isWanted: (type: LimitType) => boolean) =>
        limitsBy((name) => (plain.has(name) && isWanted(LIMITS[name].type) ? mistakableValue(name, round) : undefined));
      return [those(() => true), those((type) => type === "integer"), those((type) => type !== "integer")] as const;
    });
    const negative = limitsBy((name) => (plain.has(name) ? negativeValue(name) : undefined));
    const least = limitsBy((name) => (negative[name] === -1 ? -1 : undefined));
    const { seen: assertion } = await t.probe(keptInTurn([...rounds, [negative, least]]));
    if (assertion === null) return t.notRun(REFUSES_ALL);
    await t.verify(assertion);
  },
});

const unusualOnCreate = adminCheck({
  slug: "unusual-values",
  title: "a create keeps unusual values exactly, if it is accepted",
  clauses: ["admin-4.1"],
  profiles: LARGER,
  async run(t) {
    const plain = await plainlyTaken(t);
    const wanted = limitsBy((name) => (plain.has(name) ? t.draw(unusualValue(name), `unusual create ${name}`, 1)[0] : undefined));
    const { seen: assertion } = await t.probe(keptWhenCreated("v", wanted));
    if (assertion === null) return t.notRun(REFUSES_ALL);
    await t.verify(assertion);
  },
});

const oneLimit = adminCheck({
  slug: "one-limit",
  title: "a create with one limit keeps it and fills the others",
  clauses: ["admin-4.1"],
  profiles: LARGER,
  async run(t) {
    const { seen: assertion } = await t.probe(createdWithOne);
    if (assertion === null)
      return t.notRun("the target refuses the tried values of this limit; the document does not say which values a service must accept");
    await t.verify(assertion);
  },
});

const allButOneLimit = adminCheck({
  slug: "all-but-one",
  title: "a create with all limits except one keeps them and fills that one",
  clauses: ["admin-4.1"],
  profiles: LARGER,
  async run(t) {
    const { seen: assertion } = await t.probe(createdWithAllButOne);
    if (assertion === null)
      return t.notRun("the target accepts hardly any limits together; the document does not say which values a service must accept");
    await t.verify(assertion);
  },
});

const RETENTION = {
  smoke: ["365d", "1y"],
  release: ["1d", "17d", "365d", "1y", "2y", "13y", "280y"],
  // The longest is more nanoseconds than 63 bits hold: a service may refuse it.
  nightly: ["1d", "17d", "30d", "365d", "400d", "3650d", "1y", "2y", "13y", "100y", "280y", "300y"],
};

const retention = adminCheck({
  slug: "read-back",
  title: "a retention period in days or years is accepted, and reads show a period of the same length",
  clauses: ["admin-2.retention-format"],
  async run(t) {
    await t.verify(periodsKept(t.pick(RETENTION)));
  },
});

export const WRITTEN_CHECKS: readonly Check[] = [
  addedByThemselves,
  zeros,
  zerosOnCreate,
  unusual,
  mistakable,
  unusualOnCreate,
  oneLimit,
  allButOneLimit,
  retention,
  ...LIMIT_NAMES.map(writtenRow),
];

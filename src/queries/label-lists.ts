/** Assertions about the lists of label names and label values. */
import { isSuccess } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { together } from "../harness/finding.ts";
import { expecting } from "../harness/expect.ts";
import { type Assertion, fixture, type Scope } from "../harness/scope.ts";
import type { Resource } from "../harness/settle.ts";
import { type Difference, show, difference } from "../model/difference.ts";
import { names, values, listOf } from "../datasets/requests.ts";
import { type Dataset, SET_LABEL } from "../datasets/datasets.ts";
import { store } from "../datasets/dataset-pushes.ts";
import { visible } from "../datasets/read-back.ts";
import { missingItemText } from "../model/missing-entries.ts";

const NAMES_CLAUSE = "logs-4.labels";
const VALUES_CLAUSE = "logs-4.label-values";

function missing(clause: ClauseId, path: string, wanted: readonly string[], list: readonly string[]): Difference[] {
  const [first, ...others] = wanted.filter((one) => !list.includes(one));
  if (first === undefined) return [];
  const expected = others.length === 0 ? `${show(first)} in the list` : `${show(first)} and ${others.length} more in the list`;
  return [difference(clause, path, expected, missingItemText([first, ...others], list), "lost")];
}

function foreign(clause: ClauseId, path: string, unwanted: readonly string[], list: readonly string[], expected: string): Difference[] {
  const wrong = list.find((one) => unwanted.includes(one));
  return wrong === undefined ? [] : [difference(clause, path, expected, `unexpected in the list: ${show(wrong)}`, "extra")];
}

/** Returns an assertion: the list has each name that was pushed until the last write of `of`, and no `unwanted` name. */
export function namesListed(of: Resource, unwanted: readonly string[]): Assertion {
  return async (scope) => {
    const lacking = lackingIn(scope, "labels", of);
    return expecting({
      clauses: NAMES_CLAUSE,
      of,
      ask: names(),
      expect: (list) => [...lacking(list), ...foreign(NAMES_CLAUSE, "data (label names)", unwanted, list, "only label names")],
    })(scope);
  };
}

/** Returns an assertion: the list has each value that was pushed until the last write of `of`, and no `unwanted` value. */
export function valuesListed(of: Resource, name: string, unwanted: readonly string[] = []): Assertion {
  const path = `data (values of ${name})`;
  return async (scope) => {
    const lacking = lackingIn(scope, "label values", of, name);
    return expecting({
      clauses: VALUES_CLAUSE,
      of,
      ask: values(name),
      expect: (list) => [
        ...foreign(VALUES_CLAUSE, path, unwanted, list, `only values of ${name}, and none of another label`),
        ...lacking(list),
      ],
    })(scope);
  };
}

/** Returns a function that finds the items a list lacks, although the ledger of pushes says that the list must have them. */
function lackingIn(scope: Scope, kind: "labels" | "label values", of: Resource, name?: string): (list: readonly string[]) => Difference[] {
  const list = { kind, tenant: scope.logsTarget.tenantId, ...(name === undefined ? {} : { name }) };
  return (data) => scope.run.everyResponse.listDifferences(data, list, of.lastWriteAt);
}

/** All pushes of the run as one resource. A wait until it settles is a wait for the last push. */
export const everythingPushed = fixture<Resource>("logs", "everything that was pushed", async ({ run }) => ({
  name: "everything that was pushed",
  lastWriteAt: run.everyResponse.pushed.lastAcknowledgedAt,
}));

/**
 * Asserts about a label that was never pushed: the service may refuse the read, or answer null or an empty list, but must not list
 * `unwanted` values. The values of a used label are read too, because a service that lists nothing at all proves nothing.
 */
export function unusedLabel(of: Dataset, name: string, unwanted: readonly string[]): Assertion {
  const path = `data (values of ${name})`;
  return expecting({
    clauses: VALUES_CLAUSE,
    of,
    ask: async (scope) => {
      const used = await values(SET_LABEL)(scope);
      if (used.answer === null) return { answer: null, malformed: used.malformed, exchanges: used.exchanges };
      const exchange = await scope.logs.labelValues(name);
      const { answer: list, malformed } = isSuccess(exchange) ? listOf(exchange, VALUES_CLAUSE) : { answer: [], malformed: [] };
      return { answer: list && { used: used.answer, list }, malformed, exchanges: [exchange, ...used.exchanges] };
    },
    expect: ({ used, list }) => {
      const wrong = foreign(VALUES_CLAUSE, path, unwanted, list, "no value that was pushed under another label");
      const differences = [...wrong, ...missing(VALUES_CLAUSE, `data (values of ${SET_LABEL})`, [of.name], used)];
      return { differences, held: differences.length === 0 ? [VALUES_CLAUSE] : [], telling: wrong.length > 0 ? 0 : 1 };
    },
  });
}

/** Pushes a new name with two values after the lists were read. The next lists must have the name and both values. */
export const grownLists: Assertion = async (scope) => {
  // After a push, a service may refuse the first request for a list. This probe is that first request, so a refusal proves nothing. The
  // next request must be accepted before anything is pushed.
  await scope.logs.probe("values of a label before others are pushed", `label/${SET_LABEL}/values`, {});
  await scope.logs.labelValues(SET_LABEL);
  const serial = scope.unique();
  const name = `svc_later_${serial}`;
  // A service may cache the response for a name that has no values yet. So this list is read once before the first value is pushed.
  await scope.logs.labelValues(name);
  const stream = { labels: { [name]: "yes" }, entries: [{ offset: 1n, line: "later" }] };
  const dataset = await visible(scope, await store(scope, `later-${serial}`, { pushes: [[stream]] }, undefined, "young"));
  return together([
    await valuesListed(dataset, SET_LABEL)(scope),
    await namesListed(dataset, [])(scope),
    await valuesListed(dataset, name)(scope),
  ]);
};

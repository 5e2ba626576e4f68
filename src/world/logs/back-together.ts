/** Several sets read back by one request: what is right of all of them need not be asked of each. */
import { together } from "../../harness/finding.ts";
import type { Assertion, Revisit } from "../../harness/scope.ts";
import type { Resource } from "../../harness/settle.ts";
import { READ_BACK_CLAUSES } from "../../model/log-answer.ts";
import { logQueryText } from "../../model/query-text.ts";
import { range } from "./asks.ts";
import { type Dataset, RUN_LABEL, SET_LABEL } from "./datasets.ts";
import { HALF_HOUR } from "./placing.ts";
import { compareWhole } from "./reading.ts";

/** Entries that one request reads, and of one set in it: below a limit that is taken everywhere there is room for what is too many. */
const MOST_ENTRIES = 900;
const FEW_ENTRIES = 250;
/** Names of sets in one expression. */
const MOST_SETS = 16;

interface Part {
  readonly dataset: Dataset;
  readonly revisit: Revisit;
}

function datasetOf(resource: Resource): Dataset | null {
  return "streams" in resource ? (resource as Dataset) : null;
}

/** The revisits of small sets of one half hour as one each, and behind them those of other sets as they are. */
export function inGroups(due: readonly Revisit[]): Revisit[] {
  const alone: Revisit[] = [];
  const groups: [Part, ...Part[]][] = [];
  for (const revisit of due) {
    const dataset = datasetOf(revisit.resource);
    if (dataset === null || dataset.entries > FEW_ENTRIES) alone.push(revisit);
    else {
      const group = groups.find((parts) => fits(dataset, parts));
      if (group === undefined) groups.push([{ dataset, revisit }]);
      else group.push({ dataset, revisit });
    }
  }
  return [...groups.map(asOne), ...alone];
}

function fits(dataset: Dataset, parts: readonly Part[]): boolean {
  const [first] = parts;
  const entries = parts.reduce((sum, part) => sum + part.dataset.entries, dataset.entries);
  const isOfOneTime = first !== undefined && first.dataset.anchor / HALF_HOUR === dataset.anchor / HALF_HOUR;
  return isOfOneTime && parts.length < MOST_SETS && entries <= MOST_ENTRIES;
}

function asOne(parts: readonly [Part, ...Part[]]): Revisit {
  const newest = parts.reduce((one, other) => (other.revisit.lastWriteAt > one.revisit.lastWriteAt ? other : one));
  return parts.length === 1 ? newest.revisit : { ...newest.revisit, assertion: readTogether(parts) };
}

/** Reads all of them at once. Where anything is wrong each is read as it was before: only that tells what. */
function readTogether(parts: readonly Part[]): Assertion {
  const datasets = parts.map(({ dataset }) => dataset);
  const earliest = datasets.reduce((start, one) => (one.start < start ? one.start : start), datasets[0]?.start ?? 0n);
  const latest = datasets.reduce((end, one) => (one.end > end ? one.end : end), 0n);
  const own = datasets[0]?.matchers.filter(({ name }) => name === RUN_LABEL) ?? [];
  const names = { name: SET_LABEL, operator: "=~", value: datasets.map(({ name }) => name).join("|") } as const;
  const query = logQueryText({ matchers: [...own, names], filters: [] });
  const ask = range({ query, start: earliest, end: latest, limit: 1_000, direction: "forward" });
  return async (scope) => {
    const { answer, exchanges } = await ask(scope);
    const isRight = (dataset: Dataset): boolean =>
      compareWhole(dataset)((answer ?? []).filter(({ labels }) => labels[SET_LABEL] === dataset.name)).differences.length === 0;
    if (answer !== null && datasets.every(isRight)) return { clauses: READ_BACK_CLAUSES, differences: [], exchanges };
    return together(await Promise.all(parts.map(async ({ revisit }) => revisit.assertion(scope))));
  };
}

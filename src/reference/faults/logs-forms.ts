/** Faults of forms of the query language: comparisons, sets of samples, alternatives of a filter, comments. */
import type { Behaviour } from "../behaviour.ts";
import type { LineFilter } from "../logql/ast.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

const METRIC = "logs-4.query";
const FILTERS = "logs-4.3";

function compared(id: string, sentence: string, change: (base: Behaviour["compare"]) => Behaviour["compare"]): Fault {
  return fault(METRIC, id, sentence, ({ compare }) => ({ compare: change(compare) }));
}

function joined(id: string, sentence: string, change: (base: Behaviour["join"]) => Behaviour["join"]): Fault {
  return fault(METRIC, id, sentence, ({ join }) => ({ join: change(join) }));
}

export const LOGS_FORM_FAULTS: readonly Fault[] = [
  compared(
    "logs-comparison-strict",
    "A sample that is equal to what it must be at least is left out.",
    (compare) => (operator, left, right) => compare(operator === ">=" ? ">" : operator, left, right),
  ),
  joined(
    "logs-unless-nothing-empty",
    "What is left unless there is nothing is nothing.",
    (join) => (operator, left, right) => (operator === "unless" && right.length === 0 ? [] : join(operator, left, right)),
  ),
  joined(
    "logs-unless-is-and",
    "Unless is taken for and where there is something on both sides.",
    (join) => (operator, left, right) => join(operator === "unless" && right.length > 0 ? "and" : operator, left, right),
  ),
  joined(
    "logs-and-keeps-all",
    "Of two sums with and between them the first is answered whole.",
    (join) => (operator, left, right) => (operator === "and" && right.length > 0 ? left : join(operator, left, right)),
  ),
  joined(
    "logs-and-of-second",
    "Of what is in both of two sums with and between them the second is answered.",
    (join) => (operator, left, right) => (operator === "and" ? join(operator, right, left) : join(operator, left, right)),
  ),
  joined(
    "logs-or-of-second",
    "Of what is in both of two sums with or between them the second is answered.",
    (join) => (operator, left, right) => (operator === "or" ? join(operator, right, left) : join(operator, left, right)),
  ),
  fault(METRIC, "logs-without-partner-kept", "Of two sums a group that only the first has is answered as it is.", () => ({
    withoutPartner: (sample) => sample,
  })),
  fault(METRIC, "logs-rest-of-whole-numbers", "The rest of a division is that of the whole numbers.", ({ calculate }) => ({
    calculate: (operator, left, right) => (operator === "%" ? Math.trunc(left) % Math.trunc(right) : calculate(operator, left, right)),
  })),
  fault(METRIC, "logs-rest-to-the-divisor", "The rest of a division is what is left to the divisor.", ({ calculate }) => ({
    calculate: (operator, left, right) => (operator === "%" ? right - (left % right) : calculate(operator, left, right)),
  })),
  fault(METRIC, "logs-square-of-product", "A power binds no tighter than a product.", (base) => ({
    parseQuery: (text) => {
      const query = base.parseQuery(text);
      if (query.kind !== "binary" || query.operator !== "*" || query.right.kind !== "binary" || query.right.operator !== "^") return query;
      return { ...query.right, left: { ...query, right: query.right.left } };
    },
  })),
  fault(METRIC, "logs-grouping-behind-first", "Of several labels that are named behind a sum the first counts.", (base) => ({
    groupLabels: (labels, grouping) =>
      base.groupLabels(
        labels,
        grouping?.behind === true && grouping.kind === "by" ? { ...grouping, labels: grouping.labels.slice(0, 1) } : grouping,
      ),
  })),
  fault(FILTERS, "logs-filter-or-first", "Of several texts of a line filter the first counts.", (base) => ({
    filterLine: ({ others: _others, ...filter }, line, index) => base.filterLine(filter, line, index),
  })),
  fault(
    FILTERS,
    "logs-filter-or-of-first",
    "Only the first line filter has several texts, of those behind it the first counts.",
    (base) => ({
      filterLine: ({ others, ...filter }, line, index) =>
        base.filterLine(others === undefined || index > 0 ? filter : { ...filter, others }, line, index),
    }),
  ),
  fault(
    FILTERS,
    "logs-filter-or-second-kind",
    "Of several expressions of a line filter those after the second are taken for texts.",
    (base) => ({
      filterLine: (filter, line, index) => {
        const { operator, others } = filter;
        if (operator !== "|~" || others === undefined) return base.filterLine(filter, line, index);
        const last = others.slice(1).map(({ text }): LineFilter => ({ operator: "|=", text }));
        return (
          base.filterLine({ ...filter, others: others.slice(0, 1) }, line, index) || last.some((one) => base.filterLine(one, line, index))
        );
      },
    }),
  ),
  fault(FILTERS, "logs-comment-to-the-end", "A comment reaches to the end of the query.", (base) => ({
    parseQuery: (text) => base.parseQuery(text.replace(/ # [\s\S]*$/u, "")),
  })),
];

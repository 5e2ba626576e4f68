/** In a report of several reads, the wrong read must be first. */
import { expect, test } from "vitest";
import { wrongFirst } from "./creates.ts";
import type { LimitsView } from "./filled-limits.ts";

function viewOf(limits: Record<string, number>): LimitsView {
  return { limits } as unknown as LimitsView;
}

const [right, wrong] = [viewOf({ ingestion_rate: 1 }), viewOf({ ingestion_rate: 2 })];

test("the read that shows the wrong value comes first, the others stay in their order", () => {
  const difference = { clause: "admin-4.1", path: "limits.ingestion_rate", expected: "1", actual: "2" } as const;
  const other = viewOf({ ingestion_rate: 3 });
  expect(wrongFirst([right, other, wrong], difference)).toEqual([wrong, right, other]);
});

test("a limit that is absent in one read is shown by that read", () => {
  const absent = viewOf({});
  const difference = { clause: "admin-4.1", path: "limits.ingestion_rate", expected: "1", actual: "absent" } as const;
  expect(wrongFirst([right, absent], difference)).toEqual([absent, right]);
});

test("without a difference the order stays", () => {
  expect(wrongFirst([right, wrong], undefined)).toEqual([right, wrong]);
});

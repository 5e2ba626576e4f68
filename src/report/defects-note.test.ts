import { expect, test } from "vitest";
import type { ExchangeEvidence } from "../harness/result.ts";
import { defectsNote } from "./defects-note.ts";
import { summarize } from "./summary.ts";
import { plannedCheck, resultOf, RUN_DETAILS, settingsFor, VIOLATION } from "./testing.ts";

const CHECK = plannedCheck("admin-4.2");

function exchange(sequence: number, operation: string, role: ExchangeEvidence["role"]): ExchangeEvidence {
  return {
    sequence,
    startedAt: new Date(sequence * 100).toISOString(),
    durationMs: 5,
    operation,
    role,
    request: { method: "GET", url: "http://x/a", headers: {}, body: null },
    response: { status: 200, headers: {}, body: "" },
    error: null,
    curl: `curl ${sequence}`,
  };
}

test("the note has for each defect the clause, the command, expected, actual and the exchanges in chronological order", () => {
  const violation = { ...VIOLATION, shownBy: [7, 3], input: '{"a":"```"}' };
  const failed = resultOf(CHECK, "fail");
  const result = {
    ...failed,
    outcomes: failed.outcomes.map((outcome) => ({ ...outcome, violation })),
    exchanges: [exchange(7, "read instance", "deciding"), exchange(3, "update instance", "judged"), exchange(1, "unrelated", "judged")],
  };
  const note = defectsNote(summarize([result], [CHECK], settingsFor({ LOGS_BASE_URL: "https://l" }), RUN_DETAILS)) ?? "";
  expect(note).toContain(
    "# Contract violations of https://l\n\nplumbline 1.0.0 found 1 defect. Run rabc, started 2026-11-21T10:00:00.000Z",
  );
  expect(note).toMatch(/^## [0-9a-f]{8}: GET: display_name has another value\n\nadmin-4\.2: .* \(docs\/contract\.md#admin-4\.2\)$/m);
  expect(note).toContain("```sh\ncurl -sS -X GET 'http://x/a'\n```");
  expect(note).toContain('Expected:\n\n```\n"one"\n```\n\nActual:\n\n```\n"two"\n```');
  expect(note).toContain("- 0.0 s update instance → 200\n- 0.4 s read instance → 200: wrong\n\nThe command above repeats only the request");
  expect(note).toContain('````json\n{"a":"```"}\n````');
  expect(note).not.toContain("unrelated");
});

test("without defects there is no note", () => {
  expect(defectsNote(summarize([resultOf(CHECK, "pass")], [CHECK], settingsFor(), RUN_DETAILS))).toBeNull();
});

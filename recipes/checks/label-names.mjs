// A check of your own: label names come within a second. Run it with: run --specs recipes/checks
import { found, logsCheck } from "plumbline-conformance/checks";

const LONGEST_MS = 1000;

const quick = logsCheck({
  slug: "own-quick",
  title: "the label names come within a second",
  clauses: ["logs-4.labels"],
  async run(t) {
    const { exchanges } = await t.look((scope) => scope.logs.labels());
    const [{ durationMs }] = exchanges;
    const slow = {
      clause: "logs-4.labels",
      path: "duration",
      expected: `at most ${LONGEST_MS} ms`,
      actual: `${Math.round(durationMs)} ms`,
    };
    await t.verify(found("logs-4.labels", durationMs > LONGEST_MS ? [slow] : [], { exchanges }));
  },
});

export const CHECKS = [quick];

// One Allure report of Plumbline's results and of the results of other suites, with a dashboard and with a history of its own:
// npx --no -- allure generate --config allurerc.mjs reports/allure-results other/allure-results
const limit = 30;

export default {
  name: "Conformance and other tests",
  output: "allure",
  historyPath: "history.jsonl",
  historyLimit: limit,
  plugins: {
    report: {
      import: "@allurereport/plugin-awesome",
      options: { groupBy: ["epic", "feature", "story"], singleFile: true },
    },
    dashboard: {
      import: "@allurereport/plugin-dashboard",
      options: {
        singleFile: true,
        layout: [
          { type: "currentStatus", title: "Current status" },
          { type: "statusDynamics", title: "Status over 30 runs", limit },
          { type: "statusTransitions", title: "Status transitions", limit },
          { type: "successRateDistribution", title: "Success rate by document, section and clause" },
          { type: "durationDynamics", title: "Duration dynamics", limit },
          { type: "testBaseGrowthDynamics", title: "Growth of checks", limit },
        ],
      },
    },
  },
};

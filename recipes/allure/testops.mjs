// Uploads the results to Allure TestOps. ALLURE_ENDPOINT, ALLURE_TOKEN and ALLURE_PROJECT_ID come from the environment:
// npx --no -- allure generate --config testops.mjs reports/allure-results
const { ALLURE_ENDPOINT: endpoint, ALLURE_TOKEN: accessToken, ALLURE_PROJECT_ID: projectId } = process.env;

// Allure uploads the whole environment, and tokens are in it. Only variables that describe the job stay.
const GITHUB = "GITHUB_(?:ACTIONS|JOB|REF|REF_NAME|REF_TYPE|REPOSITORY|RUN_ID|RUN_NUMBER|SERVER_URL|WORKFLOW)";
const GITLAB = "GITLAB_CI|CI_(?:COMMIT_BRANCH|COMMIT_REF_NAME|PIPELINE_ID|PIPELINE_URL|PROJECT_ID|PROJECT_NAME|PROJECT_PATH|PROJECT_URL)";
const KEPT = new RegExp(`^(?:PATH|HOME|CI|ALLURE_TESTOPS_ENABLED|${GITHUB}|${GITLAB})$`);
for (const name of Object.keys(process.env)) if (!KEPT.test(name)) delete process.env[name];

export default {
  name: "Plumbline",
  output: "reports/testops",
  plugins: {
    testops: {
      import: "@allurereport/plugin-testops",
      options: { endpoint, accessToken, projectId, launchName: "Plumbline", launchTags: ["conformance"] },
    },
  },
};

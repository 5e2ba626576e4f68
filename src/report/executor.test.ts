import { expect, test } from "vitest";
import { executorOf } from "./executor.ts";

test.each([
  [
    { GITHUB_SERVER_URL: "https://g", GITHUB_REPOSITORY: "o/r", GITHUB_RUN_ID: "99", GITHUB_RUN_NUMBER: "7", GITHUB_WORKFLOW: "nightly" },
    ["GitHub Actions", "github", "nightly #7", 7, "https://g/o/r/actions/runs/99"],
  ],
  [
    { CI_PIPELINE_URL: "https://l/p/5", CI_PIPELINE_ID: "105", CI_PIPELINE_IID: "5", CI_JOB_NAME: "judge" },
    ["GitLab", "gitlab", "judge #5", 5, "https://l/p/5"],
  ],
  [
    { JENKINS_URL: "https://j", BUILD_URL: "https://j/c/3", BUILD_NUMBER: "3", JOB_NAME: "c" },
    ["Jenkins", "jenkins", "c #3", 3, "https://j/c/3"],
  ],
  [
    { BUILDKITE_BUILD_URL: "https://b/4", BUILDKITE_BUILD_NUMBER: "4", BUILDKITE_PIPELINE_SLUG: "p" },
    ["Buildkite", "buildkite", "p #4", 4, "https://b/4"],
  ],
  [{ BUILD_URL: "https://x", BUILD_NUMBER: "1" }, ["plumbline", "local", "local run"]],
])("the environment %j gives the executor %j", (env, [name, type, buildName, buildOrder, buildUrl]) => {
  expect(executorOf(env)).toEqual({ name, type, buildName, buildOrder, buildUrl });
});

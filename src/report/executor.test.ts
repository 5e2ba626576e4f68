import { expect, test } from "vitest";
import { executorOf } from "./executor.ts";

test.each([
  [
    { GITHUB_SERVER_URL: "https://g", GITHUB_REPOSITORY: "o/r", GITHUB_RUN_ID: "99", GITHUB_RUN_NUMBER: "7", GITHUB_WORKFLOW: "nightly" },
    { name: "GitHub Actions", type: "github", buildName: "nightly #7", buildOrder: 7, buildUrl: "https://g/o/r/actions/runs/99" },
  ],
  [
    { CI_PIPELINE_URL: "https://l/p/5", CI_PIPELINE_ID: "105", CI_PIPELINE_IID: "5", CI_JOB_NAME: "judge" },
    { name: "GitLab", type: "gitlab", buildName: "judge #5", buildOrder: 5, buildUrl: "https://l/p/5" },
  ],
  [
    { JENKINS_URL: "https://j", BUILD_URL: "https://j/job/c/3", BUILD_NUMBER: "3", JOB_NAME: "c" },
    { name: "Jenkins", type: "jenkins", buildName: "c #3", buildOrder: 3, buildUrl: "https://j/job/c/3" },
  ],
  [
    { BUILDKITE_BUILD_URL: "https://b/4", BUILDKITE_BUILD_NUMBER: "4", BUILDKITE_PIPELINE_SLUG: "p" },
    { name: "Buildkite", type: "buildkite", buildName: "p #4", buildOrder: 4, buildUrl: "https://b/4" },
  ],
  [
    { BUILD_URL: "https://x", BUILD_NUMBER: "1" },
    { name: "plumbline", type: "local", buildName: "local run" },
  ],
])("the environment %j gives the executor", (env, executor) => {
  expect(executorOf(env)).toEqual(executor);
});

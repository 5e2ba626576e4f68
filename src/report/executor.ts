/** Derives `executor.json` from the environment variables of a CI service. */

export interface Executor {
  readonly name: string;
  readonly type: string;
  readonly buildName: string;
  readonly buildOrder?: number;
  readonly buildUrl?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

function built(name: string, type: string, job: string, number: string, url: string): Executor {
  const order = Number(number);
  return { name, type, buildName: `${job} #${number}`, ...(Number.isSafeInteger(order) ? { buildOrder: order } : {}), buildUrl: url };
}

function github({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: id, ...env }: Environment): Executor | null {
  if (server === undefined || repository === undefined || id === undefined) return null;
  const { GITHUB_RUN_NUMBER: number = id, GITHUB_WORKFLOW: workflow = "conformance" } = env;
  return built("GitHub Actions", "github", workflow, number, `${server}/${repository}/actions/runs/${id}`);
}

function gitlab({
  CI_PIPELINE_URL: url,
  CI_PIPELINE_ID: id,
  CI_PIPELINE_IID: number = id,
  CI_JOB_NAME: job = "conformance",
}: Environment): Executor | null {
  return url === undefined || number === undefined ? null : built("GitLab", "gitlab", job, number, url);
}

function jenkins({
  JENKINS_URL: server,
  BUILD_URL: url,
  BUILD_NUMBER: number,
  JOB_NAME: job = "conformance",
}: Environment): Executor | null {
  return server === undefined || url === undefined || number === undefined ? null : built("Jenkins", "jenkins", job, number, url);
}

function buildkite({
  BUILDKITE_BUILD_URL: url,
  BUILDKITE_BUILD_NUMBER: number,
  BUILDKITE_PIPELINE_SLUG: pipeline = "conformance",
}: Environment): Executor | null {
  return url === undefined || number === undefined ? null : built("Buildkite", "buildkite", pipeline, number, url);
}

/** Returns the CI service that ran the suite, or this program if no CI service is known. */
export function executorOf(env: Environment): Executor {
  return github(env) ?? gitlab(env) ?? jenkins(env) ?? buildkite(env) ?? { name: "plumbline", type: "local", buildName: "local run" };
}

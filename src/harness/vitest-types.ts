/** Defines the data that the main process and the vitest worker send each other. */
import type { TaskMeta } from "vitest";
import type { Service } from "../contract/clause.ts";
import type { Settings } from "../settings/types.ts";
import type { FailingCase } from "./corpus.ts";
import type { CheckResult } from "./result.ts";
import type { RunEnd } from "./run.ts";

export interface PlannedCheck {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly service: Service;
}

/** Returns the name of the vitest test of a check. The name has the id of the check, so that the filters of vitest can select a clause. */
export function testName({ id, title }: Pick<PlannedCheck, "id" | "title">): string {
  return `${id}: ${title}`;
}

/** The data that the main process gives to the worker through `provide` of vitest. */
export interface WorkerInput {
  readonly settings: Settings;
  readonly runId: string;
  readonly suiteVersion: string;
  /** The path of `created.jsonl`: one line for each instance name, written before its POST is sent. */
  readonly createdFile: string;
  /** Cases that failed in earlier nightly runs. The run tries these cases first. */
  readonly corpus: readonly FailingCase[];
  /** The name of the broadcast channel. Each message on this channel stops the run. */
  readonly cancelChannel: string;
  /** The pattern of test names that the user gave to vitest, or null. */
  readonly namePattern: string | null;
}

/** The data that the worker attaches to the tasks of vitest, for the reporters of the main process. */
export interface PlumblineMeta {
  /** The planned check of a test, set when vitest collects the test. */
  planned?: PlannedCheck;
  /** The result of the check of a test, set when the check has ended. */
  result?: CheckResult;
  /** True on a test that judges nothing. allure-vitest then ignores the test. */
  allureSkip?: boolean;
  /** The data about the end of the run, set on the test file when the run was closed. */
  runEnd?: RunEnd;
}

// vitest re-exports TaskMeta from another package, so an augmentation of the module "vitest" has no effect on TaskMeta.
/** Returns the metadata of vitest with the type of this suite. */
export function metaOf(meta: TaskMeta): PlumblineMeta {
  return meta as PlumblineMeta;
}

export function toTaskMeta(meta: PlumblineMeta): TaskMeta {
  return meta as TaskMeta;
}

declare module "vitest" {
  interface ProvidedContext {
    plumbline: WorkerInput;
    /** The value of BASE_URL before vitest sets its own default, or null if it was unset. */
    plumblineEnvironment: { readonly BASE_URL: string | null };
  }
}

/** The data that the main process and the vitest worker exchange. */
import type { TaskMeta } from "vitest";
import type { Settings } from "../settings/types.ts";
import type { Service } from "./check.ts";
import type { FailingCase } from "./corpus.ts";
import type { CheckResult } from "./result.ts";
import type { RunEnd } from "./run.ts";

/** A planned check, as plain data. */
export interface PlannedCheck {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly service: Service;
}

/** The name of a check's test. It includes the id, so that vitest's own filters find a clause. */
export function testName({ id, title }: Pick<PlannedCheck, "id" | "title">): string {
  return `${id}: ${title}`;
}

/** Main process to worker, through vitest's `provide`. */
export interface WorkerInput {
  readonly settings: Settings;
  readonly runId: string;
  readonly suiteVersion: string;
  /** `created.jsonl`: one line per instance name, written before its POST. */
  readonly createdFile: string;
  /** Cases that failed in earlier nightly runs, to be tried first. */
  readonly corpus: readonly FailingCase[];
  /** Name of the broadcast channel on which any message means: stop. */
  readonly cancelChannel: string;
  /** The pattern of test names that vitest was given, or null. */
  readonly namePattern: string | null;
}

/** What the worker attaches to vitest's tasks for the reporters of the main process. */
export interface PlumblineMeta {
  /** On a test, when it is collected. */
  planned?: PlannedCheck;
  /** On a test, when its check ended. */
  result?: CheckResult;
  /** On a test that judges nothing: allure-vitest leaves it out. */
  allureSkip?: boolean;
  /** On the file, when the run was closed. */
  runEnd?: RunEnd;
}

// vitest re-exports TaskMeta from a package of its own, which an augmentation of "vitest" does not reach.
/** vitest's metadata, seen as ours. */
export function metaOf(meta: TaskMeta): PlumblineMeta {
  return meta as PlumblineMeta;
}

/** Our metadata, seen as vitest's. */
export function toTaskMeta(meta: PlumblineMeta): TaskMeta {
  return meta as TaskMeta;
}

declare module "vitest" {
  interface ProvidedContext {
    plumbline: WorkerInput;
    /** BASE_URL before vitest sets a default of its own into the environment; empty when it was unset. */
    plumblineEnvironment: { readonly BASE_URL: string | null };
  }
}

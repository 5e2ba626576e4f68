/** Makes sure that the program ends only with documented exit codes, even if its output is lost or the program fails. */
import { EXIT } from "./command.ts";

/** Ignores errors of the output. If a pipe is closed or a disk is full, lines of output are lost, but the verdict must not change. */
export function surviveLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/** Ends the program with exit code 3 after an uncaught error. Node and vitest would use 1, which means that the target failed. */
export function endInconclusiveOnCrash(): void {
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => {
      tellInternalError(error);
      process.exit(EXIT.inconclusive);
    });
  }
}

/** Prints in one line that the program itself failed. */
export function tellInternalError(error: unknown): void {
  const line = (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
  process.stderr.write(`plumbline: internal error, nothing was judged: ${line}\n`);
}

/** Ends the program as soon as its output was written or lost. Open sockets to a target do not delay the end. */
export async function endWith(code: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(async (stream) => new Promise<void>((done) => stream.write("", () => done()))));
  process.exit(code);
}

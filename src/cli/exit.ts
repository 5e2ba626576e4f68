/** The end of the program: only documented exit codes, whatever becomes of its streams and of the program itself. */
import { EXIT } from "./command.ts";

/** A reader that closes its pipe and a full disk behind a stream take lines away, never the verdict. */
export function surviveLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/** Ends the program with 3 after an error that nobody caught; Node, and vitest while it runs, would end it with 1. */
export function endInconclusiveOnCrash(): void {
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => {
      tellInternalError(error);
      process.exit(EXIT.inconclusive);
    });
  }
}

/** Says in one line that the program itself failed. */
export function tellInternalError(error: unknown): void {
  const line = (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
  process.stderr.write(`plumbline: internal error, nothing was judged: ${line}\n`);
}

/** Ends the program once what it wrote is out, or lost. Sockets that a target keeps open do not keep it alive. */
export async function endWith(code: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(async (stream) => new Promise<void>((done) => stream.write("", () => done()))));
  process.exit(code);
}

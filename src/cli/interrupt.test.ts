import { expect, test } from "vitest";
import { refuseSignalListeners } from "./interrupt.ts";

test("signal listeners that a run adds are removed, and later ones stay", async () => {
  const [during, later] = [(): void => undefined, (): void => undefined];
  const allow = refuseSignalListeners();
  process.once("SIGHUP", during);
  await Promise.resolve();
  expect(process.listeners("SIGHUP")).not.toContain(during);
  allow();
  process.on("SIGHUP", later);
  await Promise.resolve();
  expect(process.listeners("SIGHUP")).toContain(later);
  process.off("SIGHUP", later);
});

import { expect, test } from "vitest";
import { openerOf, type Surroundings } from "./open-report.ts";

const PERSON: Surroundings = { platform: "linux", env: { DISPLAY: ":0" }, terminal: true };

test.each<[string, Partial<Surroundings>, readonly string[] | null]>([
  ["a desktop", {}, ["xdg-open"]],
  ["a desktop with Wayland", { env: { WAYLAND_DISPLAY: "wayland-0" } }, ["xdg-open"]],
  ["macOS", { platform: "darwin", env: {} }, ["open"]],
  ["Windows", { platform: "win32", env: {} }, ["cmd", "/c", "start", ""]],
  ["a terminal without a screen", { env: { DISPLAY: "" } }, null],
  ["a job without a terminal", { terminal: false }, null],
  ["a job on macOS", { platform: "darwin", terminal: false }, null],
  ["a chosen browser", { env: { BROWSER: "firefox" }, terminal: false }, ["firefox"]],
])("%s has the right program for reports", (_where, more, opener) => {
  expect(openerOf({ ...PERSON, ...more })).toEqual(opener);
});

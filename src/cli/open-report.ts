/** Opens a report in the browser of the user. */
import { spawn } from "node:child_process";

/** The properties of this process that decide which program opens a file. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the output goes to a terminal. If so, a person reads it. */
  readonly terminal: boolean;
}

/** Returns the program that opens a file, with its arguments. Returns null if nobody would see the browser, as in CI. */
export function openerOf({ platform, env, terminal }: Surroundings): readonly [string, ...string[]] | null {
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  if (isSet("BROWSER")) return [env["BROWSER"] ?? ""];
  if (!terminal) return null;
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["cmd", "/c", "start", ""];
  return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") ? ["xdg-open"] : null;
}

/** Opens the file. Resolves to false if no program can open the file. */
export async function openReport(path: string): Promise<boolean> {
  const opener = openerOf({ platform: process.platform, env: process.env, terminal: process.stdout.isTTY });
  if (opener === null) return false;
  const [program, ...args] = opener;
  return new Promise((resolve) => {
    const child = spawn(program, [...args, path], { detached: true, stdio: "ignore" });
    child.once("spawn", () => resolve(true));
    child.once("error", () => resolve(false));
    child.unref();
  });
}

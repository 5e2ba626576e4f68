/** Controls a headless Chromium through its DevTools protocol, so that tests see the report as a person does. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "undici";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Returns the path of a Chromium on this machine, or null if there is none. */
export function findChromium(): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const paths = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}

export interface Page {
  /** All URLs that the page requested, including the URL of the page itself. */
  readonly requests: readonly string[];
  goTo(url: string): Promise<void>;
  /** Evaluates a JavaScript expression repeatedly until its value is true. After 10 s, throws an error with the text of the page. */
  until(expression: string): Promise<void>;
  close(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly request?: { readonly url: string } };
  readonly result?: { readonly result?: { readonly value?: unknown } };
}

async function debuggerUrl(profile: string): Promise<string> {
  const file = join(profile, "DevToolsActivePort");
  for (let attempt = 0; attempt < 600; attempt++) {
    // The browser creates this file first, and writes its port into it later. The port is complete when a line end follows it.
    const port = existsSync(file) ? /^(\d+)\n/.exec(readFileSync(file, "utf8"))?.[1] : undefined;
    if (port !== undefined) {
      const answer = await fetch(`http://127.0.0.1:${port}/json/new?about:blank`, { method: "PUT" });
      const target = (await answer.json()) as { webSocketDebuggerUrl: string };
      return target.webSocketDebuggerUrl;
    }
    await sleep(50);
  }
  throw new Error("Chromium did not start");
}

/** Opens an empty page in a browser with a new profile. */
export async function openPage(chromium: string): Promise<Page> {
  const profile = mkdtempSync(join(tmpdir(), "plumbline-browser-"));
  const browser = spawn(
    chromium,
    [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-dev-shm-usage",
      "--window-size=1400,1200",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
    ],
    { stdio: "ignore" },
  );
  const socket = new WebSocket(await debuggerUrl(profile));
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error("no connection to Chromium")));
  });
  const requests: string[] = [];
  const waiting = new Map<number, (message: Message) => void>();
  let sent = 0;
  socket.addEventListener("message", (event) => {
    const message = JSON.parse(String(event.data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    const url = message.method === "Network.requestWillBeSent" ? message.params?.request?.url : undefined;
    if (url !== undefined) requests.push(url);
  });
  const send = async (method: string, params: Record<string, unknown> = {}): Promise<Message> =>
    new Promise((resolve) => {
      sent += 1;
      waiting.set(sent, resolve);
      socket.send(JSON.stringify({ id: sent, method, params }));
    });
  const evaluate = async (expression: string): Promise<unknown> => {
    const answer = await send("Runtime.evaluate", { expression, returnByValue: true });
    return answer.result?.result?.value;
  };
  await send("Network.enable");
  await send("Page.enable");
  return {
    requests,
    goTo: async (url) => {
      await send("Page.navigate", { url });
    },
    until: async (expression) => {
      for (let attempt = 0; attempt < 100; attempt++) {
        if ((await evaluate(expression)) === true) return;
        await sleep(100);
      }
      throw new Error(`not in the page: ${expression}\n${String(await evaluate("document.body.innerText"))}`);
    },
    close: async () => {
      const gone = new Promise((resolve) => browser.once("close", resolve));
      // The command `Browser.close` also ends the helper processes of the browser. Otherwise they would continue to write to the profile.
      void send("Browser.close");
      const killer = setTimeout(() => browser.kill("SIGKILL"), 5000);
      await gone;
      clearTimeout(killer);
      socket.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

/** Writes `report.html`: the verdict page, and the whole Allure report, which the browser unpacks when it is opened. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { type Html, markup } from "./html.ts";
import { CLAUSE_LINK_STYLE, clauseLinks } from "./manual.ts";
import { STYLE } from "./style.ts";

/** A generated Allure report of several files, in memory. */
export interface PackedReport {
  /** The text of the index page, with `APP` in place of the address of its script. */
  readonly page: string;
  readonly app: string;
  /** The files that Allure's script fetches, by the path of the request. */
  readonly files: Readonly<Record<string, string>>;
}

export const APP = "{{app}}";

/** Reads the Allure report in `folder`, with the index page `index`. Throws if the index page names no script of the report. */
export function packReport(folder: string, index: string): PackedReport {
  const source = /<script[^>]*\ssrc="([^":]+\.js)"/.exec(index)?.[1];
  if (source === undefined) throw new Error("the generated report has no script of its own");
  const files: Record<string, string> = {};
  for (const part of ["data", "widgets"].filter((name) => existsSync(join(folder, name)))) {
    for (const entry of readdirSync(join(folder, part), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      files[relative(folder, path).split(sep).join("/")] = readFileSync(path, "utf8");
    }
  }
  return { page: index.replace(source, APP), app: readFileSync(join(folder, source), "utf8"), files };
}

/** Returns the anchor of each check in the Allure report. In Allure, the id of a check is the full name of a test. */
export function anchorsOf({ files }: PackedReport): Map<string, string> {
  const anchors = new Map<string, string>();
  for (const [path, text] of Object.entries(files)) {
    if (!path.startsWith("data/test-results/")) continue;
    const { id, fullName, isRetry } = JSON.parse(text) as { readonly id: string; readonly fullName?: string; readonly isRetry?: boolean };
    if (fullName !== undefined && isRetry !== true) anchors.set(fullName, id);
  }
  return anchors;
}

/**
 * Starts the Allure report in the browser. Allure's script reads its files from `allureReportData`, as base64 of UTF-8.
 * The address of the page does not change, so links and the page history work as in a separate report.
 */
const LOADER = `
const packed = document.getElementById("packed").textContent;
async function openReport(anchor) {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { page, app, files } = await new Response(unpacked).json();
  const base64 = (text) => {
    let binary = "";
    for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
    return btoa(binary);
  };
  history.pushState(null, "", "#" + (anchor || "all"));
  window.allureReportData = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, base64(text)]));
  window.allureReportDataReady = true;
  const address = URL.createObjectURL(new Blob([app], { type: "text/javascript" }));
  if (!anchor) history.replaceState(null, "", "#");
  document.open();
  document.write(page.replace("${APP}", () => address).replace("</head>", () => '<style>${CLAUSE_LINK_STYLE}</style></head>'));
  document.close();
  addEventListener("popstate", () => location.hash === "" && location.reload());
  ${clauseLinks('location.replace("#" + clause); location.reload()')}
}
document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-open]");
  if (opener === null) return;
  event.preventDefault();
  openReport(opener.dataset.open);
});
if (/^#[0-9a-f-]{32,}/.test(location.hash)) openReport(location.hash.slice(1));
`;

/** Returns the whole text of `report.html`. A browser that opens this page fetches nothing. */
export function singlePage(title: string, body: Html, packed: PackedReport): string {
  const bundle = gzipSync(JSON.stringify(packed), { level: 6 }).toString("base64");
  const head = markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>${title}</title>
      </head>
    </html>`;
  return `${head.text}<style>${STYLE}</style></head><body>${body.text}
<script type="text/plain" id="packed">${bundle}</script><script>${LOADER}</script></body></html>
`;
}

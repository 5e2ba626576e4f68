/** Adds the contract page and the failure pages to the reports, so that links to these pages work without this package. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CONTRACT_PAGE } from "../../model/page-link.ts";
import { packageRoot } from "../../model/schemas.ts";
import { FAILURE_PAGES, type FailurePage, failurePath } from "../failure-pages.ts";
import { type Html, markup } from "./html.ts";
import { fromMarkdown } from "./markdown.ts";
import { STYLE } from "./style.ts";

function pageOf(path: string): Html {
  return fromMarkdown(readFileSync(join(packageRoot(), path), "utf8"));
}

/** Returns the path that a page of this package has in the Allure report, for example `docs/contract.html`. */
export function htmlPath(path: string): string {
  return path.replace(/\.md$/, ".html");
}

/** Writes the contract page and the failure pages into the folder of the Allure report. */
export function writeManual(folder: string): void {
  for (const path of [CONTRACT_PAGE, ...FAILURE_PAGES.map((page) => failurePath(page))]) {
    const target = join(folder, htmlPath(path));
    mkdirSync(dirname(target), { recursive: true });
    const head = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">`;
    writeFileSync(target, `${head}<title>${path}</title><style>${STYLE}</style></head><body>${pageOf(path).text}</body></html>\n`);
  }
}

/**
 * Returns a script that opens the page of a clause when its id is clicked, because the report makes no relative links.
 * `open` is the JavaScript statement that opens the page of `clause`.
 */
export function clauseLinks(open: string): string {
  return `addEventListener("click", (event) => {
    const clause = event.target.closest('[data-testid="test-result-meta-link"]')?.textContent ?? "";
    if (!/^(?:admin|logs)-[\\w.-]+$/.test(clause)) return;
    event.preventDefault();
    event.stopPropagation();
    ${open};
  }, true);`;
}

/** The CSS that makes the id of a clause in the Allure report look like a link. */
export const CLAUSE_LINK_STYLE = "[data-testid=test-result-meta-link]{cursor:pointer;text-decoration:underline}";

export function failureLink(page: FailurePage): Html {
  return markup`<a href="#failure-${page}"><code>${page}</code></a>`;
}

export function failureSection(pages: readonly FailurePage[]): Html {
  if (pages.length === 0) return markup``;
  const sections = [...new Set(pages)].map(
    (page) => markup`<details id="failure-${page}"><summary>${page}</summary>${pageOf(failurePath(page))}</details>`,
  );
  return markup`<h2>Failure pages</h2><div class="manual">${sections}</div>`;
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CONTRACT_PAGE } from "../../model/page-link.ts";
import { packageRoot } from "../../model/schemas.ts";
import { failurePath, FAILURE_PAGES } from "../failure-pages.ts";
import { fromMarkdown } from "./markdown.ts";

test("headings, paragraphs, lists, anchors, links, code and emphasis become HTML, and all other text is escaped", () => {
  const source = [
    "# A <title>",
    '<a id="admin-4.2"></a>',
    "One *word*\nand `a < b`. [admin-4.1](#admin-4.1)",
    "- **stated**: \\*yes\\*\n- `x`",
    "<script>alert(1)</script>",
  ];
  expect(fromMarkdown(source.join("\n\n")).text.trim().split("\n")).toEqual([
    "<h1>A &lt;title&gt;</h1>",
    '<a id="admin-4.2"></a>',
    "<p>One <em>word</em>",
    'and <code>a &lt; b</code>. <a href="#admin-4.1">admin-4.1</a></p>',
    "<ul><li><strong>stated</strong>: *yes*</li><li><code>x</code></li></ul>",
    "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
  ]);
});

test("the pages of this package have no other markup", () => {
  expect(readdirSync(join(packageRoot(), "docs/failures"))).toHaveLength(FAILURE_PAGES.length);
  for (const path of [CONTRACT_PAGE, ...FAILURE_PAGES.map((page) => failurePath(page))]) {
    const html = fromMarkdown(readFileSync(join(packageRoot(), path), "utf8")).text;
    const text = html.replaceAll(/<code>[^<]*<\/code>|<[^>]*>/g, "");
    expect(text, path).not.toMatch(/`|\*\*|\]\(/);
    expect(html, path).not.toMatch(/<p>(?:#|\||&gt;|\d+\. |- )/);
  }
});

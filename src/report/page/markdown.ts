/** Makes HTML from the pages of this package: headings, paragraphs, lists, anchors, links, code and emphasis, and nothing else. */
import { escaped, Html, markup } from "./html.ts";

/** Matches code, links and emphasis within a line of Markdown, and characters after a backslash. */
const INLINE = /`([^`]+)`|\[([^\]]+)\]\((#[^)\s]+)\)|\*\*([^*]+)\*\*|\*([^*]+)\*|\\([\\*<>[\]_])/g;

function inline(text: string): Html {
  let last = 0;
  let html = "";
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, name, href, strong, emphasis, character] = match;
    html += escaped(text.slice(last, match.index));
    last = match.index + whole.length;
    if (code !== undefined) html += markup`<code>${code}</code>`.text;
    else if (name !== undefined) html += markup`<a href="${href ?? ""}">${name}</a>`.text;
    else if (strong !== undefined) html += markup`<strong>${strong}</strong>`.text;
    else if (emphasis !== undefined) html += markup`<em>${emphasis}</em>`.text;
    else html += escaped(character ?? "");
  }
  return new Html(html + escaped(text.slice(last)));
}

function blockOf(block: string): Html {
  const anchor = /^<a id="([\w.-]+)"><\/a>$/.exec(block)?.[1];
  if (anchor !== undefined) return markup`<a id="${anchor}"></a>`;
  const [, marks, title] = /^(#{1,6}) (.*)$/.exec(block) ?? [];
  if (marks !== undefined && title !== undefined) return new Html(`<h${marks.length}>${inline(title).text}</h${marks.length}>`);
  if (block.startsWith("- ")) return markup`<ul>${block.split(/\n(?=- )/).map((item) => markup`<li>${inline(item.slice(2))}</li>`)}</ul>`;
  return markup`<p>${inline(block)}</p>`;
}

/** Returns a Markdown page as HTML, without the elements `head` and `body`. */
export function fromMarkdown(text: string): Html {
  const blocks = text.trim().split(/\n{2,}/);
  return markup`${blocks.map((block) => markup`${blockOf(block)}\n`)}`;
}

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import { packageRoot } from "../model/schemas.ts";
import { allMessages, messagesIn } from "./messages.ts";

const ROOT = packageRoot();
const MESSAGES = allMessages(ROOT);

/** Phrases that no message may have, because many readers do not know them. Each has the words to write instead. */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\btrials?\b/i, "assertion"],
  [/\bscouts?\b/i, "the first writes, which are polled until the delay is known"],
  [/\bladdered\b/i, "size fallback"],
  [/\bat short notice\b/i, "back to back"],
  [/\bleft alone\b/i, "not read"],
  [/\bput[ -]away\b/i, "flushed"],
  [/\bbeside[ -]old\b/i, "backfilled"],
  [/\bnobody's\b/i, "unknown"],
  [/\brivals?\b/i, "concurrent updates"],
  [/\bwithout a word\b/i, "never evaluated"],
  [/\bas for a lesser\b/i, "as for the smaller control request"],
  [/\bany more\b/i, "no longer, or what happened instead"],
  [/\btold apart\b/i, "distinguished"],
  [/\bis not stated\b/i, "the document does not say"],
  [/\bnot seen\b/i, "not evaluated"],
  [/\b(?:half-way|now and then|again and again)\b/i, "partly; sometimes; repeatedly"],
  [/\b(?:comes?|came) upon\b/i, "finds, returns"],
  [/\b(?:loans?|sightings?)\b/i, "instance of the pool; read"],
  [/\b(?:neighbours?|namesakes?|look-alikes?)\b/i, "similar"],
  [/\bleaves? open\b/i, "the documents are silent"],
];

/** Matches words at the start of a sentence that hide the subject of the sentence. */
const HIDDEN_SUBJECT = /(?:^|[.:] )(?:What|That which|Those|Where|One|Another|Who|Whoever)\b/;

/** The folders and files whose comments had banned phrases before this test existed. The list may only become shorter. */
const OLD_COMMENTS: readonly string[] = ["src/reference/faults/"];

/** Matches names of files with words that the glossary does not have. */
const BANNED_NAMES =
  /^(?:.*trials?|looks?(?:-.*)?|facts?|loans?|sight|kept(?:-.*)?|among-all|by-itself|back-together|beside-.*|late(?:-.*)?|until-hour|hour-set|quiet|nothing|put-away.*|old-tenants|between-pushes|largestAccepted|own-samples|cutting|asks|refused-elsewhere|never-was|at-short-notice|rivals|left-alone|nobodys-names|unshown)\.ts$/;

test("no title and no message has a phrase that a reader must decode", () => {
  const wrong = MESSAGES.flatMap((message) =>
    BANNED.filter(([phrase]) => phrase.test(message.words)).map(
      ([phrase, instead]) => `${message.file}:${message.line} has ${String(phrase)}; write: ${instead}`,
    ),
  );
  expect(wrong).toEqual([]);
});

/** Returns the comments of a source file without `//` or `*` before each line. Consecutive `//` lines are one comment. */
function commentsIn(file: string): string[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  let end = 0;
  const comments: string[] = [];
  for (const comment of parseSync(file, source).comments) {
    const text = comment.value
      .replaceAll(/^\s*\*+ ?/gm, "")
      .replaceAll(/\s+/g, " ")
      .trim();
    const isNext = comment.type === "Line" && source.slice(end, comment.start).trim() === "" && comments.length > 0;
    if (isNext) comments.push(`${comments.pop() ?? ""} ${text}`);
    else comments.push(text);
    end = comment.end;
  }
  return comments;
}

test("no comment has a phrase that a reader must decode, or a sentence that hides its subject", () => {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(".ts") && !OLD_COMMENTS.some((old) => file.startsWith(old)));
  const wrong = files.flatMap((file) =>
    commentsIn(file).flatMap((comment) =>
      [...BANNED.map(([phrase]) => phrase), HIDDEN_SUBJECT]
        .filter((phrase) => phrase.test(comment))
        .map((phrase) => `${file} has ${String(phrase)}: ${comment}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test("each title is one sentence of at most 25 words", () => {
  const long = MESSAGES.filter(({ kind, example }) => kind === "title" && (/[.!?] [A-Z]/.test(example) || example.split(" ").length > 25));
  expect(long).toEqual([]);
});

test("no new file has a name outside the glossary, and the list of old ones has no file that is gone", () => {
  const files = ["src", "specs"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file.replaceAll("\\", "/")}`),
  );
  expect(files.filter((file) => BANNED_NAMES.test(basename(file)))).toEqual([]);
});

test("messages are found with their kind, and an example has values where the template has names", () => {
  const source = [
    'import { x } from "./no message at all.ts";',
    'const one = { title: "one sentence here", expected: `status ${wanted.status} or none`, slug: "no-message" };',
    'throw new Inconclusive(`precondition not met: ${what} is gone` + ", as it was deleted");',
    "const pattern = String.raw`not a message`;",
  ].join("\n");
  expect(messagesIn("some.ts", source).map(({ line, kind, example }) => [line, kind, example])).toEqual([
    [2, "title", "one sentence here"],
    [2, "difference", "status 404 or none"],
    [3, "reason", "precondition not met: <what> is gone, as it was deleted"],
  ]);
});

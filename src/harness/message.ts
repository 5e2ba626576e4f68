/** Writes the message about a violated clause: the statement of the document, the request, expected, actual, smallest input, replay. */
import type { Exchange } from "../client/exchange.ts";
import { clauseOf } from "../contract/catalogue.ts";
import { DOCUMENTS } from "../contract/sections.ts";
import { datasetText } from "../diagnosis/dataset-words.ts";
import { contractLink } from "../model/page-link.ts";
import { abridged, type Difference, visible } from "../model/difference.ts";
import { isObject } from "../model/json.ts";
import { askedText, distinct, headlineOf as headline, nameOf } from "./headline.ts";
import type { MinimalLevels, ViolationFacts } from "./result.ts";
import type { Attempt } from "./settle.ts";
import { evidenceOf } from "./timeline.ts";

export interface Violation {
  readonly clause: string;
  readonly differences: readonly Difference[];
  /** The judged exchanges, with the deciding exchange first. */
  readonly exchanges: readonly Exchange[];
  /**
   * The input that violated the clause. `note` gives the origin of a generated input, and says whether it was shrunk.
   * `intermittent` means that a repeat with the same input was right in each respect.
   */
  readonly input?: { readonly value: unknown; readonly note: string | null; readonly intermittent?: true };
  readonly attempts?: readonly Attempt[];
  readonly minimal?: MinimalLevels;
  /** A sentence about another request that got this response. */
  readonly equalTo?: string;
}

const SHOWN_DIFFERENCES = 5;
const SHOWN_SIGHTINGS = 6;
const SHOWN_INPUT = 4_000;
const SHOWN_REQUEST = 600;
/** The length of the longest curl command in a message, in characters. A longer curl command is only in the evidence of the check. */
const SHOWN_CURL = 2_000;

/** Returns the place of a clause, for example `Metrics admin API, section 4, stated`. */
function placeOf(clause: string): string {
  const { document, section, level } = clauseOf(clause);
  return `${DOCUMENTS[document].name}, section ${section}, ${level}`;
}

export function headlineOf({ clause, differences, exchanges, equalTo, input, minimal }: Violation): string {
  const equal = equalTo === undefined ? "" : `; ${equalTo}`;
  const dataset = datasetText(queryOf(exchanges[0]));
  return `${headline(clause, differences, exchanges, minimal)}${equal}${circumstances(input?.value, minimal)}${dataset}`;
}

function queryOf(deciding: Exchange | undefined): string {
  return deciding === undefined ? "" : (new URL(deciding.request.url).searchParams.get("query") ?? "");
}

/** The length of the longest input value that a headline repeats, in characters. */
const SHOWN_CIRCUMSTANCE = 150;

/** Returns circumstances such as `concurrent reads: 6`: the input under `while`, and under keys with a space that are no known levels. */
function circumstances(input: unknown, minimal: MinimalLevels | undefined): string {
  if (!isObject(input)) return "";
  const told = Object.entries(input).filter(
    ([name, value]) =>
      (name === "while" || name.includes(" ")) &&
      minimal?.levels[name] === undefined &&
      (typeof value === "number" || (typeof value === "string" && value.length <= SHOWN_CIRCUMSTANCE)),
  );
  return told.map(([name, value]) => `; ${name === "while" ? "meanwhile," : `${name}:`} ${String(value)}`).join("");
}

/** Returns the facts of a violation, without secrets. `all` has all exchanges of the check. */
export function factsOf(
  { differences, exchanges, input, minimal }: Violation,
  all: readonly Exchange[],
  curlOf: (exchange: Exchange) => string,
): ViolationFacts {
  const [first] = differences;
  const { path = "", expected = "", actual = "", contrast, kind }: Partial<Difference> = first ?? {};
  const [deciding] = exchanges;
  return {
    asked: deciding === undefined ? "" : nameOf(deciding),
    difference: { path, expected, actual, ...(contrast === undefined ? {} : { contrast }), ...(kind === undefined ? {} : { kind }) },
    curl: deciding === undefined ? "" : curlOf(deciding),
    input: input === undefined ? null : printed(input.value),
    ...(minimal === undefined ? {} : { minimal }),
    shownBy: evidenceOf(exchanges, all).map(({ sequence }) => sequence),
  };
}

/** Returns the whole explanation of a violation, in several lines. `curlOf` gives the curl command of an exchange, without secrets. */
export function messageOf(violation: Violation, replay: string, curlOf: (exchange: Exchange) => string): string {
  const { clause, differences, input, attempts, exchanges } = violation;
  const lines = [
    `${clause} is violated (${placeOf(clause)}).`,
    `${clauseOf(clause).level === "implied" ? "It follows from the document" : "The document says"}: ${clauseOf(clause).statement}`,
  ];
  lines.push(`Contract: ${contractLink(clause)}`);
  const [deciding] = exchanges;
  if (deciding !== undefined) {
    lines.push(`Request: ${askedText(clause, deciding, SHOWN_REQUEST)}`);
    const curl = curlOf(deciding);
    if (curl.length <= SHOWN_CURL) lines.push(`Shown by: ${curl}`);
  }
  const all = distinct(differences);
  for (const { path, expected, actual } of all.slice(0, SHOWN_DIFFERENCES)) {
    lines.push(`At ${path}`, `  expected: ${expected}`, `  actual:   ${actual}`);
  }
  if (all.length > SHOWN_DIFFERENCES) lines.push(`… and ${all.length - SHOWN_DIFFERENCES} more differences`);
  const [first] = all;
  if (first?.contrast !== undefined) lines.push(`For comparison: ${first.contrast}.`);
  if (violation.equalTo !== undefined) lines.push(`${violation.equalTo.charAt(0).toUpperCase()}${violation.equalTo.slice(1)}.`);
  if (input !== undefined) lines.push(headingOf(input.note), indented(printed(input.value)));
  if (attempts !== undefined && attempts.length > 1) lines.push(`Reads after the last write showed: ${attemptsText(attempts)}`);
  lines.push(`Replay: ${replay}`);
  return lines.join("\n");
}

function headingOf(note: string | null): string {
  if (note === null) return "Input:";
  return `${note.includes("shrunk") ? "Smallest input that shows the violation" : "Input that shows the violation"} (${note}):`;
}

/** Returns the differences of several reads, with the times of the first and last. Equal consecutive reads are listed once. */
function attemptsText(attempts: readonly Attempt[]): string {
  const groups: { what: string; from: number; to: number; reads: number }[] = [];
  for (const { afterWriteMs, differences } of attempts) {
    const [first] = differences;
    const what = first === undefined ? "right" : `${first.path} ${first.actual}`;
    const last = groups.at(-1);
    if (last?.what === what) {
      last.to = afterWriteMs;
      last.reads += 1;
    } else groups.push({ what, from: afterWriteMs, to: afterWriteMs, reads: 1 });
  }
  const parts = groups.map(({ what, from, to, reads }) =>
    reads === 1 ? `after ${Math.round(from)} ms, ${what}` : `${reads} times after ${Math.round(from)} to ${Math.round(to)} ms, ${what}`,
  );
  const left = parts.length - SHOWN_SIGHTINGS;
  if (left <= 0) return parts.join("; ");
  return [...parts.slice(0, SHOWN_SIGHTINGS / 2), `… ${left} more …`, ...parts.slice(-SHOWN_SIGHTINGS / 2)].join("; ");
}

/** Matches a list of texts and numbers in JSON with line breaks. */
const LIST = /\[\s+(?:(?:"(?:[^"\\]|\\.)*"|[\w.+-]+),\s+)*(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)\s+\]/g;

/** Returns a value as JSON with line breaks. A list of texts and numbers is in one line. */
export function printed(value: unknown): string {
  const text = JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item), 2) ?? "not JSON";
  return abridged(visible(text.replaceAll(LIST, (list) => list.replaceAll(/\n\s*/g, " "))), SHOWN_INPUT);
}

function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}

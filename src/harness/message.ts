/** What a person reads when a clause is broken: what the document says, what was asked, expected, actual, smallest input, replay. */
import { type Exchange, requestText } from "../client/exchange.ts";
import { clauseOf } from "../contract/catalogue.ts";
import { DOCUMENTS } from "../contract/sections.ts";
import { contractLink } from "../model/contract-link.ts";
import { abridged, type Difference } from "../model/difference.ts";
import type { Sighting } from "./settle.ts";

/** A broken clause with everything that explains it. */
export interface Violation {
  readonly clause: string;
  readonly differences: readonly Difference[];
  /** The exchanges that were judged, the deciding one first. */
  readonly exchanges: readonly Exchange[];
  /** What the violation was seen with; `note` says of a generated input where it comes from, and whether it was shrunk. */
  readonly input?: { readonly value: unknown; readonly note: string | null };
  readonly sightings?: readonly Sighting[];
}

const SHOWN_DIFFERENCES = 5;
const SHOWN_SIGHTINGS = 6;
const SHOWN_INPUT = 4_000;
const SHOWN_REQUEST = 600;
const SHOWN_IN_LINE = 200;

/** `Metrics admin API, section 4, stated`. */
function placeOf(clause: string): string {
  const { document, section, level } = clauseOf(clause);
  return `${DOCUMENTS[document].name}, section ${section}, ${level}`;
}

/** One line: where, what was expected and what came, and what was asked. */
export function headlineOf({ differences, exchanges }: Violation): string {
  const [first] = differences;
  const [deciding] = exchanges;
  if (first === undefined) return "";
  const more = differences.length > 1 ? ` (and ${differences.length - 1} more)` : "";
  const asked = deciding === undefined ? "" : `, asked ${abridged(requestText(deciding), SHOWN_IN_LINE)}`;
  return `${first.path}: expected ${first.expected}, got ${first.actual}${more}${asked}`;
}

/** The whole explanation. */
export function messageOf(violation: Violation, replay: string): string {
  const { clause, differences, input, sightings, exchanges } = violation;
  const lines = [`${clause} is broken (${placeOf(clause)}).`, `The document says: ${clauseOf(clause).statement}`];
  lines.push(`Contract: ${contractLink(clause)}`);
  const [deciding] = exchanges;
  if (deciding !== undefined) lines.push(`Asked: ${abridged(requestText(deciding), SHOWN_REQUEST)}`);
  for (const { path, expected, actual } of differences.slice(0, SHOWN_DIFFERENCES)) {
    lines.push(`At ${path}`, `  expected: ${expected}`, `  actual:   ${actual}`);
  }
  if (differences.length > SHOWN_DIFFERENCES) lines.push(`… and ${differences.length - SHOWN_DIFFERENCES} more differences`);
  if (input !== undefined) lines.push(headingOf(input.note), indented(printed(input.value)));
  if (sightings !== undefined && sightings.length > 1) lines.push(`Seen after the last write: ${sightingsText(sightings)}`);
  lines.push(`Replay: ${replay}`);
  return lines.join("\n");
}

function headingOf(note: string | null): string {
  if (note === null) return "Seen with:";
  return `${note.includes("shrunk") ? "Smallest input that shows it" : "Input that shows it"} (${note}):`;
}

function sightingsText(sightings: readonly Sighting[]): string {
  const shown =
    sightings.length <= SHOWN_SIGHTINGS
      ? sightings
      : [...sightings.slice(0, SHOWN_SIGHTINGS / 2), ...sightings.slice(-SHOWN_SIGHTINGS / 2)];
  const parts = shown.map(({ afterWriteMs, differences }) => {
    const [first] = differences;
    return `${Math.round(afterWriteMs)} ms ${first === undefined ? "right" : `${first.path} ${first.actual}`}`;
  });
  const left = sightings.length - shown.length;
  return left === 0
    ? parts.join("; ")
    : `${parts.slice(0, SHOWN_SIGHTINGS / 2).join("; ")}; … ${left} more …; ${parts.slice(SHOWN_SIGHTINGS / 2).join("; ")}`;
}

function printed(value: unknown): string {
  const text = JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item), 2) ?? "not JSON";
  return abridged(text, SHOWN_INPUT);
}

function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}

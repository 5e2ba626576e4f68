/** Writes the coverage of each engine, which is a group of generated cases: the totals, and a matrix with a square for each pair of factors. */
import type { CoverageCell } from "../../design/coverage.ts";
import type { CoverageSummary, Summary } from "../model.ts";
import { coverageLine } from "../summary-lines.ts";
import { inThousands } from "../words.ts";
import { Html, markup } from "./html.ts";

/** The width of a square, and the distance from the begin of a square to the begin of the next square, in px. */
const SQUARE = 13;
const STEP = 15;
/** The distance of the name of a factor from its square, in px. */
const GAP = 4;
/** A width for each letter of a name, in px. This width is above the average width of a letter, so that no name is cut off. */
const LETTER = 7;

/** A state of a pair of factors. A letter in each square distinguishes the states without colours. */
interface State {
  readonly look: string;
  readonly letter: string;
  readonly words: string;
  readonly legend: string;
}

/** The states, in the order in which a cell counts them. If a cell has several states, its square shows the last of these states. */
const STATES: readonly State[] = [
  { look: "judged", letter: "", words: "judged", legend: "all judged" },
  { look: "masked", letter: "M", words: "masked", legend: "some not judged, because the target refuses the value" },
  { look: "defect", letter: "D", words: "hidden by a defect", legend: "some hidden by a defect" },
  { look: "unevaluated", letter: "?", words: "not evaluated", legend: "some not evaluated" },
  {
    look: "cut",
    letter: "×",
    words: "not tried, because a budget was too small",
    legend: "some not tried, because a budget was too small",
  },
];
const NONE: State = { look: "none", letter: "", words: "possible", legend: "none possible" };

/** Returns the section about the coverage. If no engine ran to its end, the section is empty. */
export function coverageSection({ coverage = [] }: Summary): Html {
  if (coverage.length === 0) return markup``;
  return markup`<h2>Coverage of the generated requests</h2>
    <p class="soft">Each square is a pair of factors: the name at the end of its row, and the name at the top of its column. In a single row, each square is one factor. Point at a square to see its numbers.</p>
    ${coverage.map((one) => {
      const isOpen = one.judged < one.possible;
      return markup`<details${isOpen ? new Html(" open") : null}><summary>${coverageLine(one)}</summary>${matrix(one)}</details>`;
    })}`;
}

function matrix({ name: engine, strength, factors, cells }: CoverageSummary): Html {
  if (factors === undefined || cells === undefined) return markup``;
  const isRow = strength === 1;
  const longest = Math.max(...factors.map((name) => name.length)) * LETTER + GAP;
  const length = factors.length * STEP;
  const [width, height] = isRow ? [length, SQUARE + longest] : [length + longest, length];
  // In the matrix, the name of a factor is right of its row and above its column. At strength 1, the matrix is a single row, and each name
  // is written vertically below its square.
  const name = (text: string, index: number): Html =>
    isRow
      ? markup`<text transform="translate(${index * STEP + 3} ${SQUARE + GAP}) rotate(90)">${text}</text>`
      : markup`<text x="${index * STEP}" y="${index * STEP + SQUARE - 3}">${text}</text>`;
  const states = cells.map(stateOf);
  return markup`<div class="legend">${[...STATES, NONE]
    .filter((state) => states.includes(state))
    .map(
      (state) =>
        markup`<span><svg width="${SQUARE}" height="${SQUARE}" aria-hidden="true">${square(state, 0, 0, null)}</svg>${state.legend}</span>`,
    )}</div>
    <div class="scroll"><svg class="matrix" role="img" aria-label="Coverage of ${engine}" width="${width}" height="${height}">${factors.map(name)}${cells.map(
      (cell) => square(stateOf(cell), cell[isRow ? 0 : 1] * STEP, isRow ? 0 : cell[0] * STEP, titleOf(cell, factors)),
    )}</svg></div>`;
}

function stateOf(cell: CoverageCell): State {
  const counts = cell.slice(3);
  return STATES.findLast((_, index) => (counts[index] ?? 0) > 0) ?? NONE;
}

/** Returns the text of a square for two factors, for example `direction × limit: 24 of 25 pairs judged, 1 masked`. */
function titleOf([factor, other, possible, judged, ...rest]: CoverageCell, factors: readonly string[]): string {
  const names = [factor, ...(factor === other ? [] : [other])].map((index) => factors[index] ?? "").join(" × ");
  const others = rest.map((count, index) => (count === 0 ? "" : `, ${inThousands(count)} ${STATES[index + 1]?.words ?? ""}`));
  return `${names}: ${inThousands(judged)} of ${inThousands(possible)} ${factor === other ? "levels" : "pairs"} judged${others.join("")}`;
}

/** Returns a square at a position in px, with a text that a browser shows when the mouse is over the square. */
function square({ look, letter }: State, x: number, y: number, title: string | null): Html {
  const half = SQUARE / 2;
  return markup`<g class="square ${look}">${title === null ? null : markup`<title>${title}</title>`}<rect x="${x + 0.5}" y="${y + 0.5}" width="${SQUARE - 1}" height="${SQUARE - 1}" rx="2"/>${
    letter === "" ? null : markup`<text x="${x + half}" y="${y + half + 3.5}">${letter}</text>`
  }</g>`;
}

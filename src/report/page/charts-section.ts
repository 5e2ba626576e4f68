/** Writes the charts of requests, durations and the trend, as SVG in the page. */
import { DURATION_BOUNDS, type Traffic } from "../../harness/traffic.ts";
import type { OperationStats } from "../../harness/latency.ts";
import type { TrendPoint } from "../trend.ts";
import { counted, inThousands, seconds } from "../words.ts";
import { type Html, markup } from "./html.ts";
import { minuteOf, table } from "./pieces.ts";

/** A bar of a chart: its parts from bottom to top, and the text that a browser shows when the mouse is over the bar. */
interface Bar {
  readonly parts: readonly { readonly look: string; readonly value: number }[];
  readonly title: string;
}

/** The height of a chart in the coordinates of its SVG. The style sheet sets the height of the chart in px. */
const HEIGHT = 100;
/** The minimum height of a bar that is not empty, so that a reader can see even a small number. */
const LEAST = 4;
/** A chart is wide enough for this number of bars, so that few bars are not too wide. */
const FEWEST = 12;

/** Returns a bar chart that is as wide as the element around it on the page. */
function bars(name: string, all: readonly Bar[], size: "small" | "large"): Html {
  const totalOf = ({ parts }: Bar): number => parts.reduce((sum, { value }) => sum + value, 0);
  const most = Math.max(1, ...all.map(totalOf));
  const bar = (one: Bar, index: number): Html => {
    let top = HEIGHT;
    const boxes = one.parts
      .filter(({ value }) => value > 0)
      .map(({ look, value }) => {
        const height = Math.max(LEAST, (HEIGHT * value) / most);
        top = Math.max(0, top - height);
        return markup`<rect class="${look}" x="${index + 0.1}" y="${top.toFixed(1)}" width="0.8" height="${height.toFixed(1)}"/>`;
      });
    return markup`<g><title>${one.title}</title><rect class="empty" x="${index}" y="0" width="1" height="${HEIGHT}"/>${boxes}</g>`;
  };
  return markup`<svg class="bars ${size}" role="img" aria-label="${name}" viewBox="0 0 ${Math.max(all.length, FEWEST)} ${HEIGHT}" preserveAspectRatio="none">${all.map(bar)}</svg>`;
}

function boundText(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`;
}

function classOf(index: number): string {
  const bound = DURATION_BOUNDS[index];
  return bound === undefined ? `more than ${boundText(DURATION_BOUNDS.at(-1) ?? 0)}` : `at most ${boundText(bound)}`;
}

/** Returns a bar chart of the durations of an operation, with the class of the shortest durations first. */
function histogram(name: string, counts: readonly number[]): Html {
  const all = counts.map((value, index): Bar => ({
    parts: [{ look: "ok", value }],
    title: `${classOf(index)}: ${counted(value, "response")}`,
  }));
  return bars(`Durations of ${name}`, all, "small");
}

/** Returns the section about the durations of operations: a histogram and quantiles. Without known durations, the section is empty. */
export function durationsSection(operations: readonly OperationStats[] = [], traffic: Traffic | null = null): Html {
  if (operations.length === 0) return markup``;
  return markup`<h2>How long the target took</h2>
    <p class="soft">The bars count responses from at most 1 ms (left) to more than 5 s (right). Point at a bar to see its numbers.</p>
    ${table(
      ["operation", "durations", "requests", "no answer", "median ms", "90 % ms", "99 % ms"],
      operations.map(({ service, operation, requests, unanswered, p50, p90, p99 }) => {
        const counts = traffic?.durations[`${service} ${operation}`];
        const name = `${service}: ${operation}`;
        return [name, counts === undefined ? "" : histogram(name, counts), requests, unanswered, p50, p90, p99];
      }),
      [2, 3, 4, 5, 6],
    )}`;
}

const TRAFFIC_LEGEND = [
  ["ok", "requests"],
  ["limited", "answered 429"],
  ["failed", "answered 5xx"],
] as const;

/** Returns a bar chart of requests over time, with colours for 429 and 5xx, or nothing if the traffic is unknown. */
export function trafficSection(traffic: Traffic | null): Html {
  if (traffic === null || traffic.slices.length === 0) return markup``;
  const { slices, sliceMs } = traffic;
  const all = slices.map(([requests, limited, failed], index): Bar => ({
    parts: [
      { look: "ok", value: requests - limited - failed },
      { look: "limited", value: limited },
      { look: "failed", value: failed },
    ],
    title: `${((index * sliceMs) / 1_000).toFixed(1)} s: ${counted(requests, "request")}, ${limited} answered 429, ${failed} answered 5xx`,
  }));
  const [limited, failed] = [1, 2].map((place) => slices.reduce((sum, slice) => sum + (slice[place] ?? 0), 0));
  return markup`<h2>Requests over time</h2>
    <p class="soft">From the first request on, each bar is ${boundText(sliceMs)}. Requests answered 429: ${inThousands(limited ?? 0)}. Requests answered 5xx: ${inThousands(failed ?? 0)}.</p>
    ${bars("Requests over time", all, "large")}
    <div class="legend">${TRAFFIC_LEGEND.map(([look, words]) => markup`<span><i class="key ${look}"></i>${words}</span>`)}</div>`;
}

function outcomeOf({ failed, inconclusive }: TrendPoint): string {
  if (failed > 0) return "fail";
  return inconclusive > 0 ? "inconclusive" : "pass";
}

/** Returns charts of the number of defects and the duration of each run. Without an earlier run, the section is empty. */
export function trendSection(points: readonly TrendPoint[]): Html {
  if (points.length < 2) return markup``;
  const chart = (name: string, look: string, valueOf: (point: TrendPoint) => number | null, textOf: (value: number) => string): Html => {
    const all = points.map((point): Bar => {
      const value = valueOf(point);
      return { parts: [{ look, value: value ?? 0 }], title: `${minuteOf(point.at)}: ${value === null ? "not recorded" : textOf(value)}` };
    });
    return markup`<figure><figcaption>${name}, at most ${textOf(Math.max(...points.map((point) => valueOf(point) ?? 0)))}</figcaption>${bars(name, all, "large")}</figure>`;
  };
  const rows = points.toReversed().map((point) => {
    const { at, passed, failed, inconclusive, defects, durationMs } = point;
    const when = markup`<span class="${outcomeOf(point)}">${minuteOf(at)}</span>`;
    return [when, passed, failed, inconclusive, defects, durationMs === null ? null : seconds(durationMs)];
  });
  return markup`<h2>The last ${points.length} runs of this profile against these targets</h2>
    <div class="charts">${chart(
      "Defects",
      "failed",
      ({ defects }) => defects,
      (value) => counted(value, "defect"),
    )}${chart("Duration", "ok", ({ durationMs }) => durationMs, seconds)}</div>
    <details>
      <summary>Dates and numbers of checks</summary>
      ${table(["run", "passed", "failed", "inconclusive", "defects", "duration"], rows, [1, 2, 3, 4, 5])}
    </details>`;
}

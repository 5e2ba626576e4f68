/** Finds a simple relation between a wrong value and the right value. Such a relation often shows the cause. */
import { commonEnd, commonLength, show } from "./difference.ts";

const BITS = [32, 31, 16, 8] as const;
/** The factors between units of time and of size. */
const FACTORS = [1_000, 1_024, 60, 3_600, 1_000_000, 1_000_000_000] as const;

/** The smallest multiple that counts as rounded up or down, for example to whole milliseconds in a number of nanoseconds. */
const LEAST_CUT = 1_000_000;

/** Products of floating-point numbers differ from the exact product by less than this. */
const EXACT = 1e-12;

/** Returns words such as ` (620 modulo 2^8)`, or no words if there is no such relation. */
export function numberRelation(right: number, wrong: number): string {
  if (right === wrong || !Number.isFinite(right) || !Number.isFinite(wrong)) return "";
  if (Number.isInteger(right)) {
    const whole = BigInt(right);
    for (const bits of BITS) {
      if (Math.abs(right) < 2 ** (bits - 1)) continue;
      if (wrong === Number(BigInt.asUintN(bits, whole))) return ` (${right} modulo 2^${bits})`;
      if (wrong === Number(BigInt.asIntN(bits, whole))) return ` (${right} as a signed integer of ${bits} bits)`;
      if (right > wrong && wrong === 2 ** bits - 1) return ` (the largest number of ${bits} bits)`;
    }
  }
  if (wrong === Math.fround(right)) return ` (${right} as a floating-point number of 32 bits)`;
  if (!Number.isInteger(right) && wrong === Math.trunc(right)) return ` (${right} without its fraction)`;
  if (right === 0 || wrong === 0) return "";
  // If only the last digit is zero, the wrong number may be round by chance.
  const unit = 10 ** (/0{2,}$/.exec(String(wrong))?.[0].length ?? 0);
  // A small number of hundreds or thousands is more often a limit of the target than a rounded number.
  const ways = unit < LEAST_CUT ? (["round"] as const) : (["round", "floor", "ceil"] as const);
  const rounded = ways.find((way) => unit > 1 && Math[way](right / unit) * unit === wrong);
  if (rounded !== undefined) return ` (${right} rounded ${{ round: "", floor: "down ", ceil: "up " }[rounded]}to a multiple of ${unit})`;
  if (wrong === -right) return " (the opposite sign)";
  if (Math.abs(right * wrong - 1) < EXACT) return " (1 divided by the right value)";
  const factor = FACTORS.find((one) => wrong === right * one || right === wrong * one);
  if (factor === undefined) return "";
  return ` (${factor} times ${Math.abs(wrong) > Math.abs(right) ? "larger" : "smaller"})`;
}

/** The parts of a text that a service may keep, and words about them. */
const PARTS: readonly (readonly [words: string, isPart: (right: string, wrong: string) => boolean])[] = [
  // Many values of a run end with a number. If only digits are missing, the wrong value is probably that of another write.
  ["the beginning of the right value", (right, wrong) => right.startsWith(wrong) && !/^\d/.test(right.slice(wrong.length))],
  ["the end of the right value", (right, wrong) => right.endsWith(wrong)],
  ["a part of the right value", (right, wrong) => right.includes(wrong) && !right.startsWith(wrong)],
  ["the right value in another letter case", (right, wrong) => right.toLowerCase() === wrong.toLowerCase()],
  ["the right value with other whitespace", (right, wrong) => right.replaceAll(/\s/gu, "") === wrong.replaceAll(/\s/gu, "")],
  ["the right value with further text", (right, wrong) => right.length > 1 && wrong.includes(right)],
];

/** A difference of at most this number of characters, in a text that is much longer, is described by these characters. */
const SMALL_CHANGE = 4;
const LONG_TEXT = 32;

/** Returns words about the only place in a long text where characters differ, or about the only character that differs, or undefined. */
function changeText(right: string, wrong: string): string | undefined {
  const begin = commonLength(right, wrong);
  const end = commonEnd(right.slice(begin), wrong.slice(begin));
  const [lost, came] = [right, wrong].map((text) => text.slice(begin, text.length - end)) as [string, string];
  // A text that lacks its end is described as the beginning of the right text. A different number is probably that of another write.
  const isNumber = /^\d*$/.test(lost + came);
  if (right.length < LONG_TEXT || end === 0 || isNumber) return undefined;
  const [from = "", to = ""] = [lost, came].map((text) => [...text][0]);
  if (Math.max(lost.length, came.length) > SMALL_CHANGE) {
    if (right.replaceAll(from, to) === wrong) return `with ${show(to)} in place of each ${show(from)}`;
    return right.replaceAll(from, "") === wrong ? `without each ${show(from)}` : undefined;
  }
  const place = `at character ${begin + 1}`;
  if (came === "") return `without ${show(lost)} ${place}`;
  return lost === "" ? `with a further ${show(came)} ${place}` : `with ${show(came)} in place of ${show(lost)} ${place}`;
}

/** Returns words such as ` (the end of the right value)`, or no words if there is no such relation. */
export function textRelation(right: string, wrong: string): string {
  if (right === wrong || right === "" || wrong === "") return "";
  const words = changeText(right, wrong) ?? PARTS.find(([, isPart]) => isPart(right, wrong))?.[0];
  return words === undefined ? "" : ` (${words})`;
}

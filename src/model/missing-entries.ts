/** Describes missing entries, and missing items of a list, by their common properties, because these often show the cause. */
import { commonEnd, commonLength, type Difference, show } from "./difference.ts";
import { grouped } from "./grouped.ts";
import { HOUR, MINUTE, SECOND } from "./times.ts";
import { compare, type Entry, labelKey, type PlacedEntry } from "./logs.ts";

/** The maximum number of missing entries that a difference shows. Further missing entries are only counted. */
const SHOWN = 2;
/** The maximum length of an entry and of a label set in a message, in characters. */
const SHOWN_ENTRY = 56;
export const SHOWN_LABELS = 100;

export function showEntry({ ts, line }: Entry): string {
  return show([ts.toString(), line], SHOWN_ENTRY);
}

export function showEntries(entries: readonly Entry[]): string {
  // The entries with the shortest lines are shown, because a message can show short lines completely.
  const chosen = new Set(entries.toSorted((one, other) => one.line.length - other.line.length).slice(0, SHOWN));
  const shown = entries
    .filter((entry) => chosen.has(entry))
    .map(showEntry)
    .join(", ");
  return entries.length > SHOWN ? `${shown} and ${entries.length - SHOWN} more` : shown;
}

/** Returns a text such as `missing from the answer: the newest 2 of 5 entries: ["8","a"], ["9","b"]`. */
export function missingText(gone: readonly PlacedEntry[], wanted: readonly PlacedEntry[]): Difference["actual"] {
  return `missing from the answer: ${shareText(gone, wanted)}${returnedText(gone, wanted)}: ${showEntries(gone)}`;
}

/** Says how much of several streams was returned, because a service may limit the number of streams or entries. */
function returnedText(gone: readonly PlacedEntry[], wanted: readonly PlacedEntry[]): string {
  const isGone = new Set(gone.map(placedKey));
  const left = wanted.filter((entry) => !isGone.has(placedKey(entry)));
  const [kept, all] = [streamsOf(left).size, streamsOf(wanted).size];
  return all < MANY_STREAMS || kept === 0 || kept === all ? "" : ` (${left.length} entries of ${kept} of ${all} streams were returned)`;
}

/** A message about at least this number of streams says how many of them were returned. */
const MANY_STREAMS = 4;

function shareText(gone: readonly PlacedEntry[], wanted: readonly PlacedEntry[]): string {
  const total = wanted.length === 1 ? "1 entry" : `${wanted.length} entries`;
  if (gone.length >= wanted.length) return wanted.length === 1 ? "the only entry" : `all ${total}`;
  const isGone = new Set(gone.map(placedKey));
  const left = wanted.filter((entry) => !isGone.has(placedKey(entry)));
  const [oldest, newest] = [bounds(gone), bounds(left)];
  const hour = hourText(oldest, left);
  const count = gone.length === 1 ? "" : `${gone.length} `;
  const [lost, kept] = [streamsOf(gone), streamsOf(left)];
  // If whole streams of several entries are missing, the age of their entries is probably not the cause.
  const isOfStreams = gone.length > lost.size && [...lost].every((key) => !kept.has(key));
  const most = mostText(left, wanted);
  if (most !== "") return `${gone.length} of ${total}${most}`;
  if (isOfStreams) return `${gone.length} of ${total}${commonText(gone, left)}`;
  if (compare(oldest.from, newest.to) === 1) return `the newest ${count}of ${total}${hour}`;
  if (compare(oldest.to, newest.from) === -1) return `the oldest ${count}of ${total}${hour}`;
  return `${gone.length} of ${total}${commonText(gone, left)}`;
}

/** Returns words about the highest number of returned entries of a stream, if each longer stream was cut to this number. */
function mostText(left: readonly PlacedEntry[], wanted: readonly PlacedEntry[]): string {
  const [kept, all] = [left, wanted].map((some) => grouped(some, ({ labels }) => labelKey(labels)));
  const sizes = [...(all ?? [])].map(([key, own]) => [kept?.get(key)?.length ?? 0, own.length] as const);
  const most = Math.max(...sizes.map(([size]) => size));
  const cut = new Set(sizes.flatMap(([, whole]) => (whole > most ? [whole] : [])));
  // If all streams that were cut are equally long, the number may follow from another cause.
  const isCut = cut.size > 1 && sizes.every(([size, whole]) => size === Math.min(most, whole));
  return isCut ? `; at most ${most === 1 ? "1 entry" : `${most} entries`} of each stream ${most === 1 ? "was" : "were"} returned` : "";
}

function commonText(gone: readonly PlacedEntry[], left: readonly PlacedEntry[]): string {
  const [first] = gone;
  if (first === undefined) return "";
  const shown = grouped(left, timeKey);
  if (gone.every((entry) => shown.has(timeKey(entry))))
    return `, ${gone.length === 1 ? "with" : "each with"} the timestamp of a returned entry${alikeText(first, shown.get(timeKey(first)) ?? [])}`;
  const lines = new Set(left.map(({ line, labels }) => `${labelKey(labels)} ${line}`));
  // If returned entries share a line too, equal lines explain nothing.
  if (lines.size === left.length && gone.every(({ line, labels }) => lines.has(`${labelKey(labels)} ${line}`)))
    return ", each with the same line as a returned entry of its stream";
  const own = labelKey(first.labels);
  const isOneStream = gone.every(({ labels }) => labelKey(labels) === own);
  const others = left.filter(({ labels }) => labelKey(labels) === own);
  const isOneOfSeveral = gone.length > 1 && isOneStream && others.length < left.length;
  const stream = `the stream ${show(first.labels, SHOWN_LABELS)}`;
  const longer = longerText(gone, left) || charactersText(gone, left) || blockText(gone, left);
  if (isOneOfSeveral && others.length === 0) return `, all entries of ${stream}${longer}`;
  const place = placeText(gone, left);
  if (isOneOfSeveral) return `, all in ${stream}, of which ${entriesText(others.length)} returned${place === "" ? longer : place}`;
  const period = periodText(gone, left);
  if (period !== "") return period;
  const [lost, kept] = [streamsOf(gone), streamsOf(left)];
  if (lost.size > 1 && [...lost].every((key) => !kept.has(key))) return `, all entries of ${lost.size} of ${lost.size + kept.size} streams`;
  return longer === "" ? place : longer;
}

function entriesText(count: number): string {
  return count === 1 ? "1 entry was" : `${count} entries were`;
}

/** If all returned lines are shorter than this, longer missing lines may be a coincidence. */
const LONG_LINE = 100;

function longerText(gone: readonly Entry[], left: readonly Entry[]): string {
  let longest = 0;
  for (const { line } of left) longest = Math.max(longest, line.length);
  return longest >= LONG_LINE && gone.length > 1 && gone.every(({ line }) => line.length > longest)
    ? `, each longer than the longest returned line (${longest} characters)`
    : "";
}

/** With fewer returned entries than this, a character that only the missing lines have may be a coincidence. */
const MANY_LINES = 8;

/** Returns words about one or two special characters that each missing line has, and that no returned line has, or has together. */
function charactersText(gone: readonly Entry[], left: readonly Entry[]): string {
  if (gone.length < 2 || left.length < MANY_LINES) return "";
  const common = [...new Set(gone[0]?.line.replaceAll(/[\w ]/g, ""))].filter((one) => gone.every(({ line }) => line.includes(one)));
  const pairs = common.flatMap((one, at) => [[one], ...common.slice(at + 1).map((other) => [one, other])]);
  const [found] = pairs
    .filter((some) => !left.some(({ line }) => some.every((one) => line.includes(one))))
    .toSorted((one, other) => one.length - other.length);
  return found === undefined ? "" : `, each with ${found.map((one) => show(one)).join(" and ")} in its line, unlike each returned line`;
}

/** A common text of two lines is named if it has at least this number of characters. Many lines of a run have shorter texts in common. */
const LONG_COMMON = 32;

/** Returns words if a missing line and a returned line with its timestamp begin or end with the same long text. */
function alikeText({ line }: Entry, returned: readonly Entry[]): string {
  const begin = Math.max(...returned.map((one) => commonLength(line, one.line)));
  const end = Math.max(...returned.map((one) => commonEnd(line, one.line)));
  if (Math.max(begin, end) < LONG_COMMON) return "";
  return `, whose line ${begin > end ? "begins" : "ends"} with the same ${Math.max(begin, end)} characters`;
}

function streamsOf(entries: readonly PlacedEntry[]): ReadonlySet<string> {
  return new Set(entries.map(({ labels }) => labelKey(labels)));
}

/** Returns words if the missing entries are all entries of one hour, and entries of several other hours were returned. */
function hourText({ from, to }: ReturnType<typeof bounds>, left: readonly PlacedEntry[]): string {
  const hours = new Set(left.map(({ ts }) => ts / HOUR));
  const isOne = from < to && from / HOUR === to / HOUR && hours.size > 1 && !hours.has(from / HOUR);
  return isOne ? ", which are all entries of one full hour" : "";
}

/** With fewer returned entries than this, only the missing entries may be at full seconds by coincidence. */
const MANY_ENTRIES = 100;

const PERIODS = [
  ["hour", HOUR],
  ["minute", MINUTE],
  ["second", SECOND],
  ["millisecond", 1_000_000n],
  ["microsecond", 1_000n],
] as const;

/** Returns words if no returned entry lies between the missing entries. */
function blockText(gone: readonly Entry[], left: readonly Entry[]): string {
  const { from, to } = bounds(gone);
  if (gone.length < 2 || left.some(({ ts }) => ts >= from && ts <= to)) return "";
  const ns = Number(to - from);
  return `, all entries of a period of ${ns < 1e6 ? `${ns} ns` : `${(ns / 1e9).toFixed(ns < 1e9 ? 3 : 1)} s`}`;
}

/** Returns words if exactly the missing entries have timestamps at full hours, minutes and so on. Otherwise the words are empty. */
function periodText(gone: readonly PlacedEntry[], left: readonly PlacedEntry[]): string {
  const [name] =
    PERIODS.filter(([, ns]) => ns >= MINUTE || left.length >= MANY_ENTRIES).find(
      ([, ns]) => gone.every(({ ts }) => ts % ns === 0n) && left.every(({ ts }) => ts % ns !== 0n),
    ) ?? [];
  return name === undefined ? "" : `, ${gone.length === 1 ? "" : "each "}exactly at a full ${name}`;
}

/** If a constant distance separates the missing entries in each stream, returns words about their positions. Otherwise no words. */
function placeText(gone: readonly PlacedEntry[], left: readonly PlacedEntry[]): string {
  const [lost, kept] = [gone, left].map((some) => grouped(some, ({ labels }) => labelKey(labels)));
  const steps = new Set([...(lost ?? [])].map(([key, own]) => stepText(own, kept?.get(key) ?? [])));
  const [step = "", ...others] = steps;
  return others.length > 0 || (gone.length > 1 && !step.includes(" every ")) ? "" : step;
}

/** Returns words about the positions of missing entries in their stream, or no words if they are irregular. */
function stepText(gone: readonly Entry[], left: readonly Entry[]): string {
  const inOrder = [...gone, ...left].toSorted((one, other) => compare(one.ts, other.ts));
  const places = gone.map((entry) => inOrder.indexOf(entry) + 1).toSorted((one, other) => one - other);
  const [first = 0, second] = places;
  if (second === undefined) return `, number ${first} from the oldest in its stream`;
  const step = second - first;
  const isRegular = places.length > 2 || (first === step && step >= MANY_LINES);
  const isWhole = isRegular && first <= step && (places.at(-1) ?? 0) + step > inOrder.length;
  return step > 1 && isWhole && places.every((place, index) => place === first + index * step)
    ? `, one in every ${step} in the order of time, starting with number ${first}`
    : "";
}

function timeKey({ labels, ts }: PlacedEntry): string {
  return `${labelKey(labels)} ${ts}`;
}

function bounds(entries: readonly Entry[]): { readonly from: bigint; readonly to: bigint } {
  let [from, to] = [entries[0]?.ts ?? 0n, entries[0]?.ts ?? 0n];
  for (const { ts } of entries) {
    if (ts < from) from = ts;
    if (ts > to) to = ts;
  }
  return { from, to };
}

export function placedKey({ labels, ts, line }: PlacedEntry): string {
  return `${labelKey(labels)} ${ts} ${line}`;
}

/** A listed item counts as similar to a missing item only if it begins with at least this share of the missing item. */
const SIMILAR_SHARE = 0.5;

/** A list of at most this number of items is shown completely. */
const SHOWN_ITEMS = 3;

/** If the longest listed item has at least this length, and all missing items are longer, the message mentions it. */
const LONG = 16;

/**
 * Returns a text such as `missing from a list of 12 items; the most similar item is "svc_ab"`, which is often an altered form.
 * If all listed items are shorter than the missing items, the text says so.
 */
export function missingItemText(missing: readonly [string, ...string[]], list: readonly unknown[]): string {
  const [wanted] = missing;
  const common = (one: string): number => commonLength(one, wanted);
  const listed = list.filter((one) => typeof one === "string");
  const [nearest] = listed.toSorted((one, other) => common(other) - common(one));
  const isSimilar = nearest !== undefined && common(nearest) >= SIMILAR_SHARE * wanted.length;
  const longest = Math.max(...listed.map(({ length }) => length));
  const shared =
    longest >= LONG && missing.every(({ length }) => length > longest)
      ? `; the longest listed item has ${longest} characters, and ${lengthsText(missing)}`
      : "";
  // In a short list, each missing item may be the last one by coincidence.
  const isLast = listed.length > SHOWN_ITEMS && missing.every((one) => listed.every((other) => other < one));
  const order = isLast ? `; in alphabetical order, ${missing.length === 1 ? "it comes" : "they come"} after each listed item` : "";
  const from = list.length <= SHOWN_ITEMS ? `the list ${show(list)}` : `a list of ${list.length} items`;
  return `missing from ${from}${isSimilar ? `; the most similar item is ${show(nearest)}` : ""}${shared}${order}`;
}

function lengthsText(missing: readonly string[]): string {
  if (missing.length === 1) return `the missing item has ${missing[0]?.length}`;
  return `the shortest of the ${missing.length} missing items has ${Math.min(...missing.map(({ length }) => length))}`;
}

/** Faults of servers that store or show entries wrongly: the pair, the line, or the timestamp (docs/2 section 2, Entry and rule 1). */
import type { Json } from "../http/message.ts";
import { tiesOf } from "../logs/store.ts";
import type { Entry } from "../logs/types.ts";
import { fault, wrongInput } from "./define.ts";
import type { Fault } from "./types.ts";

const SECOND = 1_000_000_000n;

function shown(clause: string, id: string, sentence: string, present: (entry: Entry) => Json): Fault {
  return fault(clause, id, sentence, () => ({ presentEntry: present }));
}

function kept(id: string, sentence: string, change: (line: string) => string): Fault {
  return wrongInput("entryOnWrite", "logs-2.Entry", id, sentence, (entry, context) => [{ ...entry, line: change(entry.line) }, context]);
}

function dated(id: string, sentence: string, print: (ts: bigint) => string): Fault {
  return shown("logs-2.1", id, sentence, ({ ts, line }) => [print(ts), line]);
}

function written(line: string): string {
  return JSON.stringify(line).slice(1, -1);
}

const PAIRS: readonly Fault[] = [
  shown("logs-2.Entry", "logs-entry-object", "An entry is an object with ts and line.", ({ ts, line }) => ({ ts: ts.toString(), line })),

  shown("logs-2.Entry", "logs-entry-empty-line-null", "An empty line is shown as null.", ({ ts, line }) => [
    ts.toString(),
    line === "" ? null : line,
  ]),
];

const LINES: readonly Fault[] = [
  kept("logs-line-cut", "Lines are cut to 1,000 characters.", (line) => line.slice(0, 1_000)),
  kept("logs-line-decimal", "A line that is a decimal number loses the zeros at its end.", (line) =>
    /^\d+\.\d+$/.test(line) ? `${Number(line)}` : line,
  ),
  kept("logs-line-newline", "A newline in a line becomes a space.", (line) => line.replaceAll("\n", " ")),
  kept("logs-line-newline-added", "Each line ends with a newline.", (line) => `${line}\n`),
  kept("logs-line-4095", "A line is cut at 4,095 characters.", (line) => line.slice(0, 4_095)),
  kept("logs-line-no-break-space", "A no-break space in a line becomes a blank.", (line) => line.replaceAll("\u00a0", " ")),
  kept("logs-line-byte-order-mark", "A byte order mark at the beginning of a line is lost.", (line) => line.replace(/^\uFEFF/, "")),

  kept("logs-line-escapes-after-64", "Escapes in a line are not decoded if its first 64 characters have no escape.", (line) =>
    written(line).slice(0, 64).includes("\\") ? line : written(line),
  ),
];

const TIMESTAMPS: readonly Fault[] = [
  shown("logs-2.1", "logs-ts-number", "Timestamps are numbers.", ({ ts, line }) => [Number(ts), line]),
  dated("logs-ts-milliseconds", "Timestamps come back in milliseconds.", (ts) => (ts / 1_000_000n).toString()),

  dated("logs-ts-cut-to-microseconds", "Timestamps are cut to microseconds.", (ts) => ((ts / 1_000n) * 1_000n).toString()),

  dated("logs-ts-double", "Timestamps pass through a double, which cannot hold their last digits.", (ts) => BigInt(Number(ts)).toString()),
  dated(
    "logs-ts-unpadded",
    "The nanoseconds of a timestamp are written without their leading zeros.",
    (ts) => `${ts / SECOND}${ts % SECOND}`,
  ),

  dated("logs-ts-hour-ahead", "Timestamps come back an hour ahead.", (ts) => (ts + 3_600n * SECOND).toString()),
  dated("logs-ts-rounded-at-999", "A timestamp whose last three digits are above 900 is rounded up to the microsecond.", (ts) =>
    (ts % 1_000n > 900n ? ts + (1_000n - (ts % 1_000n)) : ts).toString(),
  ),
  fault("logs-2.1", "logs-ts-moved-apart", "An entry at the time of another entry of its stream is moved by a nanosecond.", (base) => ({
    insertEntry: (entries, entry) => {
      let { ts } = entry;
      while (tiesOf(entries, ts).some(({ line }) => line !== entry.line)) ts += 1n;
      base.insertEntry(entries, { ...entry, ts });
    },
  })),
  fault(
    "logs-2.1",
    "logs-ts-of-arrival",
    "From the third entry of a pushed stream on, each timestamp is that of the second entry plus one nanosecond for each entry.",
    (base) => {
      let second = 0n;
      return {
        entryOnWrite: (entry, context) => {
          if (context.entryIndex === 1) second = entry.ts;
          const ts = context.entryIndex > 1 ? second + BigInt(context.entryIndex - 1) : entry.ts;
          return base.entryOnWrite({ ...entry, ts }, context);
        },
      };
    },
  ),
];

export const LOGS_ENTRY_FAULTS: readonly Fault[] = [...PAIRS, ...LINES, ...TIMESTAMPS];

/** Faults of entries: servers store or show the pair, the line or the timestamp wrongly (docs/2 section 2, Entry and rule 1). */
import type { Json } from "../http/message.ts";
import { tiesOf } from "../logs/store.ts";
import type { Entry } from "../logs/types.ts";
import { broken, faultsOf, type Row, wrongInput } from "./define.ts";
import type { Fault } from "./types.ts";

const SECOND = 1_000_000_000n;

function shown(clause: string, sentence: string, present: (entry: Entry) => Json): Row {
  return broken({ clause, sentence }, () => ({ presentEntry: present }));
}

function kept(sentence: string, change: (line: string) => string): Row {
  return wrongInput("entryOnWrite", { clause: "logs-2.Entry", sentence }, (entry, context) => [
    { ...entry, line: change(entry.line) },
    context,
  ]);
}

function dated(sentence: string, print: (ts: bigint) => string): Row {
  return shown("logs-2.1", sentence, ({ ts, line }) => [print(ts), line]);
}

function written(line: string): string {
  return JSON.stringify(line).slice(1, -1);
}

export const LOGS_ENTRY_FAULTS: readonly Fault[] = faultsOf("logs-2.1", {
  "logs-entry-object": shown("logs-2.Entry", "An entry is an object with ts and line.", ({ ts, line }) => ({ ts: ts.toString(), line })),
  "logs-entry-empty-line-null": shown("logs-2.Entry", "An empty line is shown as null.", ({ ts, line }) => [
    ts.toString(),
    line === "" ? null : line,
  ]),
  "logs-line-cut": kept("Lines are cut to 1,000 characters.", (line) => line.slice(0, 1_000)),
  "logs-line-decimal": kept("A line that is a decimal number loses the zeros at its end.", (line) =>
    /^\d+\.\d+$/.test(line) ? `${Number(line)}` : line,
  ),
  "logs-line-newline": kept("A newline in a line becomes a space.", (line) => line.replaceAll("\n", " ")),
  "logs-line-newline-added": kept("Each line ends with a newline.", (line) => `${line}\n`),
  "logs-line-4095": kept("A line is cut at 4,095 characters.", (line) => line.slice(0, 4_095)),
  "logs-line-exactly-1024": kept("The last byte of a line of exactly 1,024 bytes is lost.", (line) =>
    Buffer.byteLength(line) === 1_024 ? line.slice(0, -1) : line,
  ),
  "logs-line-no-break-space": kept("A no-break space in a line becomes a blank.", (line) => line.replaceAll("\u00a0", " ")),
  "logs-line-quotes-doubled": kept("Two single quotes in a row in a line become one.", (line) => line.replaceAll("''", "'")),
  "logs-line-caret": kept("A caret in a line is lost.", (line) => line.replaceAll("^", "")),
  "logs-line-wide-blank": kept("An ideographic space in a line becomes a blank.", (line) => line.replaceAll("\u3000", " ")),
  "logs-line-noncharacters": kept("The noncharacters U+FFFE and U+FFFF in a line are lost.", (line) =>
    line.replaceAll(/[\ufffe\uffff]/g, ""),
  ),
  "logs-line-password": kept("The value after `password=` in a line is masked.", (line) =>
    line.replaceAll(/password=\w+/g, "password=***"),
  ),
  "logs-line-byte-order-mark": kept("A byte order mark at the beginning of a line is lost.", (line) => line.replace(/^\uFEFF/, "")),
  "logs-line-escapes-after-64": kept("Escapes in a line are not decoded if its first 64 characters have no escape.", (line) =>
    written(line).slice(0, 64).includes("\\") ? line : written(line),
  ),
  "logs-ts-number": shown("logs-2.1", "Timestamps are numbers.", ({ ts, line }) => [Number(ts), line]),
  "logs-ts-milliseconds": dated("Timestamps come back in milliseconds.", (ts) => (ts / 1_000_000n).toString()),
  "logs-ts-cut-to-microseconds": dated("Timestamps are cut to microseconds.", (ts) => ((ts / 1_000n) * 1_000n).toString()),
  "logs-ts-double": dated("Timestamps pass through a double, which cannot hold their last digits.", (ts) => BigInt(Number(ts)).toString()),
  "logs-ts-unpadded": dated(
    "The nanoseconds of a timestamp are written without their leading zeros.",
    (ts) => `${ts / SECOND}${ts % SECOND}`,
  ),
  "logs-ts-hour-ahead": dated("Timestamps come back an hour ahead.", (ts) => (ts + 3_600n * SECOND).toString()),
  "logs-ts-rounded-at-999": dated("A timestamp whose last three digits are above 900 is rounded up to the microsecond.", (ts) =>
    (ts % 1_000n > 900n ? ts + (1_000n - (ts % 1_000n)) : ts).toString(),
  ),
  "logs-ts-moved-apart": broken("An entry at the time of another entry of its stream is moved by a nanosecond.", (base) => ({
    insertEntry: (entries, entry) => {
      let { ts } = entry;
      while (tiesOf(entries, ts).some(({ line }) => line !== entry.line)) ts += 1n;
      base.insertEntry(entries, { ...entry, ts });
    },
  })),
  "logs-ts-of-arrival": broken(
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
});

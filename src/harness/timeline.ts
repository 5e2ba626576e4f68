/** Shows the evidence of a violation in the order of time, a line for each exchange, and a script that repeats it. */
import type { Exchange } from "../client/exchange.ts";
import { isObject, parsed } from "../model/json.ts";
import { isRelated, isWrite } from "./headline.ts";
import type { ExchangeEvidence } from "./result.ts";

/** The evidence of a violation has at most this number of judged exchanges, and at most this number of writes before them. */
const MOST_JUDGED = 8;
const MOST_WRITES = 3;
/** The shortest pause between two requests that a script reproduces, in ms. */
const PAUSE = 1_000;

/** Returns the exchanges that were judged together, the deciding one first, and the last writes of the same instance before. */
export function evidenceOf(judged: readonly Exchange[], all: readonly Exchange[]): Exchange[] {
  const [deciding] = judged;
  if (deciding === undefined) return [];
  const writes = all
    .filter((one) => isWrite(one) && one.endedAt <= deciding.endedAt && isRelated(one, deciding))
    .toSorted((one, other) => one.endedAt - other.endedAt);
  return [...new Set([...judged.slice(0, MOST_JUDGED), ...writes.slice(-MOST_WRITES)])];
}

/** Returns the exchanges in the order in which the requests were sent. */
export function inOrder(exchanges: readonly ExchangeEvidence[]): ExchangeEvidence[] {
  return exchanges.toSorted((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt) || one.sequence - other.sequence);
}

/** Returns the operation. For a create or an update, `with limits` or `without limits` follows, if the body shows that. */
export function operationOf({ operation, request: { body } }: ExchangeEvidence): string {
  if (operation !== "create instance" && operation !== "update instance") return operation;
  const sent = parsed(body ?? "");
  if (isObject(sent)) return `${operation} ${Object.hasOwn(sent, "limits") ? "with" : "without"} limits`;
  // The evidence has only the beginning of a long body, so a long body cannot be parsed.
  return body?.includes('"limits":') === true ? `${operation} with limits` : operation;
}

/** Returns an exchange as one line, for example `0.5 s read instance → 200`. The time counts from the exchange `first`. */
export function lineOf(exchange: ExchangeEvidence, first: ExchangeEvidence): string {
  const elapsed = (Date.parse(exchange.startedAt) - Date.parse(first.startedAt)) / 1_000;
  const answer = exchange.response === null ? "no response" : String(exchange.response.status);
  const more =
    exchange.alike === undefined ? "" : ` (repeated ${exchange.alike} ${exchange.alike === 1 ? "time" : "times"}, with the same response)`;
  const wrong = exchange.role === "deciding" ? ": wrong" : "";
  return `${elapsed.toFixed(1)} s ${operationOf(exchange)} → ${answer}${wrong}${more}`;
}

/** Returns a shell script that repeats the exchanges with their pauses. The script has variables in place of tokens. */
export function scriptOf(exchanges: readonly ExchangeEvidence[]): string {
  const [first] = exchanges;
  if (first === undefined) return "";
  const commands = exchanges.flatMap((exchange, index) => {
    const before = exchanges[index - 1];
    const pause = before === undefined ? 0 : Date.parse(exchange.startedAt) - Date.parse(before.startedAt) - before.durationMs;
    return [...(pause < PAUSE ? [] : [`sleep ${(pause / 1_000).toFixed(1)}`]), `# ${lineOf(exchange, first)}`, exchange.curl, "echo"];
  });
  return ["#!/bin/sh", ...commands, ""].join("\n");
}

/** Selects the exchanges that a report shows for a check: first the deciding exchanges, then others. */
import type { ExchangeRole } from "../client/evidence.ts";
import { asEvidence, type Exchange } from "../client/exchange.ts";
import type { Redactor } from "../client/redact.ts";
import type { CheckRecord } from "./record.ts";
import type { ExchangeEvidence, Verdict } from "./result.ts";
import { evidenceOf } from "./timeline.ts";

const SHOWN_ON_PASS = 5;
/** The maximum number of shown exchanges of a check that did not pass. If there are more deciding exchanges, all of them are shown. */
const SHOWN_OTHERWISE = 12;

/** Selects a limited number of exchanges from `all`. In `all`, the exchange that shows most about the result is first. */
export function shownExchanges(record: CheckRecord, all: readonly Exchange[], verdict: Verdict, redactor: Redactor): ExchangeEvidence[] {
  const deciding = new Set(record.deciding);
  const judged = new Set(record.judged);
  const evidence = record.violations.flatMap(({ exchanges }) => evidenceOf(exchanges, all));
  const first = [...deciding, ...evidence, ...firstOfEach(record.judged)];
  const most = verdict === "pass" ? SHOWN_ON_PASS : Math.max(SHOWN_OTHERWISE, deciding.size);
  const roleOf = (exchange: Exchange): ExchangeRole => (deciding.has(exchange) ? "deciding" : judged.has(exchange) ? "judged" : "context");
  return folded([...new Set([...first, ...all])], deciding)
    .slice(0, most)
    .map(({ exchange, alike }) => ({ ...asEvidence(exchange, redactor, roleOf(exchange)), ...(alike === 0 ? {} : { alike }) }));
}

/** Puts one exchange of each operation first, so that a small selection shows each operation. */
function firstOfEach(exchanges: readonly Exchange[]): Exchange[] {
  const firsts = new Map(exchanges.toReversed().map((exchange) => [exchange.operation, exchange]));
  return [...new Set([...firsts.values(), ...exchanges])];
}

/** Lists equal exchanges once, with the number of others like it. Every deciding exchange is listed. */
function folded(exchanges: readonly Exchange[], deciding: ReadonlySet<Exchange>): { exchange: Exchange; alike: number }[] {
  const groups: { exchange: Exchange; alike: number }[] = [];
  for (const exchange of exchanges) {
    const known = groups.find((group) => isAlike(group.exchange, exchange));
    if (known === undefined || deciding.has(exchange)) groups.push({ exchange, alike: 0 });
    else known.alike += 1;
  }
  return groups;
}

function isAlike({ request, response, error }: Exchange, other: Exchange): boolean {
  return (
    request.method === other.request.method &&
    request.url === other.request.url &&
    request.body === other.request.body &&
    response?.status === other.response?.status &&
    response?.body === other.response?.body &&
    error === other.error
  );
}

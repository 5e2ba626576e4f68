/** Faults of the duration format of compactor_blocks_retention_period on write (docs/1 section 2). */
import type { Json } from "../http/message.ts";
import { fault, wrongInput, wrongDecision, type FaultDetails } from "./define.ts";
import type { Fault } from "./types.ts";

const CLAUSE = "admin-2.retention-format";
const NAME = "compactor_blocks_retention_period";
const DAY_NS = 86_400_000_000_000;

function kept(id: string, sentence: string, change: (text: string) => Json, details: FaultDetails = {}): Fault {
  const keeping: Fault["change"] = (base) => ({
    limitOnWrite: (name, value, context) =>
      base.limitOnWrite(name, name === NAME && typeof value === "string" ? change(value) : value, context),
  });
  return fault({ clause: CLAUSE, ...details }, id, sentence, keeping);
}

function refusing(id: string, sentence: string, refuses: (text: string) => boolean): Fault {
  return wrongDecision("checkLimit", CLAUSE, id, sentence, (name, value) =>
    name === NAME && typeof value === "string" && refuses(value) ? `${NAME} is malformed` : undefined,
  );
}

function amount(text: string): number {
  return Number.parseInt(text, 10);
}

export const ADMIN_RETENTION_FAULTS: readonly Fault[] = [
  refusing("admin-retention-no-years", "A retention period in years is refused.", (text) => text.endsWith("y")),

  kept("admin-retention-year-360-days", "A year of retention is stored as 360 days.", (text) =>
    text.endsWith("y") ? `${amount(text) * 360}d` : text,
  ),
  wrongInput(
    "limitOnWrite",
    CLAUSE,
    "admin-retention-create-leap-years",
    "A year of retention is stored as 366 days by a create, and as 365 days by an update.",
    (name, value, context) => [
      name,
      name === NAME && typeof value === "string" && value.endsWith("y")
        ? `${amount(value) * (context.operation === "create" ? 366 : 365)}d`
        : value,
      context,
    ],
  ),
  kept("admin-retention-three-digits", "A retention period in days keeps three digits of its number.", (text) =>
    text.replace(/^(\d{3})\d+d$/, "$1d"),
  ),
  kept("admin-retention-unit-lost", "The unit of a retention period is lost.", amount),
  kept("admin-retention-seconds", "A retention period in days comes back as a number of seconds.", (text) =>
    text.endsWith("d") ? amount(text) * 86_400 : text,
  ),

  kept(
    "admin-retention-63-bit-nanoseconds",
    "A retention period wraps around at 63 bits of nanoseconds.",
    (text) => {
      const days = amount(text) * (text.endsWith("y") ? 365 : 1);
      return days * DAY_NS < 2 ** 63 ? text : `${Math.floor(((days * DAY_NS) % 2 ** 63) / DAY_NS)}d`;
    },
    // Only a nightly run sends retention periods of so many years.
    { needs: "nightly" },
  ),
];

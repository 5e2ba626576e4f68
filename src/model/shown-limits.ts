/** Counts how all responses of a run show each limit. Such a number shows whether a single wrong response is typical. */
import { isLimitName, LIMIT_NAMES, type LimitName } from "../contract/limits.ts";
import type { JsonObject } from "./json.ts";
import { hasLimitType } from "./limits.ts";

export class ShownLimits {
  #responses = 0;
  readonly #absent = new Map<LimitName, number>();
  readonly #mistyped = new Set<LimitName>();
  /** The limits of which a response has shown a sent value. */
  readonly #kept = new Set<LimitName>();

  /** Records the limits of a response. `isSent` says whether a value differs from the default and was sent to this instance. */
  note(limits: JsonObject, isSent: (name: LimitName, value: unknown) => boolean): void {
    this.#responses += 1;
    for (const name of LIMIT_NAMES) {
      const value = limits[name];
      if (!Object.hasOwn(limits, name)) this.#absent.set(name, (this.#absent.get(name) ?? 0) + 1);
      else if (!hasLimitType(name, value)) this.#mistyped.add(name);
      else if (!this.#kept.has(name) && isSent(name, value)) this.#kept.add(name);
    }
  }

  /** Returns words about all responses with an absent limit, or about other limits with a wrong type. `type` is the wrong type in words. */
  textOf(path: string, kind: "absent" | "type", type = ""): string {
    const name = path.replace("limits.", "");
    if (!isLimitName(name)) return "";
    if (kind === "type") {
      const [other, ...more] = [...this.#mistyped].filter((one) => one !== name);
      const rest = more.length === 0 ? "" : ` and ${more.length} other limits`;
      return ` (${type}${other === undefined ? "" : `; ${other}${rest} ${more.length === 0 ? "has" : "have"} a wrong type too`})`;
    }
    const count = this.#absent.get(name) ?? 0;
    if (count === 0) return "";
    return count === this.#responses
      ? ` (from each of the ${count} responses with limits)`
      : ` (from ${count} of the ${this.#responses} responses with limits)`;
  }

  /** Whether a response has shown a sent value of a limit. */
  isKept(path: string): boolean {
    const name = path.replace("limits.", "");
    return isLimitName(name) && this.#kept.has(name);
  }
}

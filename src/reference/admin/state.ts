/** Stores instances in memory. It stores each version of an instance, so that a fault or variant can show an older version. */
import type { Json } from "../http/message.ts";

/** The values of limits, by name. Only a variant adds names that are not in the table of limits. */
export type LimitValues = Readonly<Record<string, Json>>;

export interface Instance {
  readonly name: string;
  readonly display_name: string;
  readonly status: string;
  readonly cluster: string;
  readonly limits?: LimitValues;
  readonly createdAtNs: bigint;
  /** The number of the version: 1 after the create, and one more after each update. */
  readonly version: number;
}

export interface StoredVersion {
  readonly instance: Instance;
  /** The time of the write that made this version, in milliseconds since 1970. */
  readonly atMs: number;
}

export class AdminState {
  readonly #versions = new Map<string, StoredVersion[]>();

  has(name: string): boolean {
    return this.#versions.has(name);
  }

  /** Returns the versions of an instance, oldest first. The list is empty if the instance does not exist. */
  versions(name: string): readonly StoredVersion[] {
    return this.#versions.get(name) ?? [];
  }

  /** Returns the newest version of each instance, in the order of creation. */
  all(): Instance[] {
    return [...this.#versions.values()].flatMap((versions) => versions.at(-1)?.instance ?? []);
  }

  write(instance: Instance, atMs: number): void {
    const versions = this.#versions.get(instance.name);
    if (versions === undefined) this.#versions.set(instance.name, [{ instance, atMs }]);
    else versions.push({ instance, atMs });
  }

  remove(name: string): void {
    this.#versions.delete(name);
  }
}

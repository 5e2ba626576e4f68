/** Instances in memory, every version of each, so that a change can serve an older one. */
import type { Json } from "../http/message.ts";

/** Limits by name; names outside the table only where a variant adds them. */
export type LimitValues = Readonly<Record<string, Json>>;

export interface Instance {
  readonly name: string;
  readonly display_name: string;
  readonly status: string;
  readonly cluster: string;
  readonly limits?: LimitValues;
  readonly createdAtNs: bigint;
  /** 1 after the create, one more with every update. */
  readonly version: number;
}

export interface StoredVersion {
  readonly instance: Instance;
  /** When it was written, ms since the epoch. */
  readonly atMs: number;
}

export class AdminState {
  readonly #versions = new Map<string, StoredVersion[]>();

  has(name: string): boolean {
    return this.#versions.has(name);
  }

  /** The versions of an instance, oldest first; empty when there is none. */
  versions(name: string): readonly StoredVersion[] {
    return this.#versions.get(name) ?? [];
  }

  /** The newest version of every instance, in order of creation. */
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

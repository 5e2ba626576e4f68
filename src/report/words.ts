/** Writes a number with its noun. */

/** For example `1 instance` or `2 instances`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

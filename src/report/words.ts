/** Numbers and their nouns. */

/** `1 instance`, `2 instances`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

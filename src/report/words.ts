/** Writes numbers and units as text for readers. */

/** Returns a number with its noun, for example `1 instance` or `2 instances`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns a number with commas between thousands, for example `24,331`. */
export function inThousands(number: number): string {
  return number.toLocaleString("en-US");
}

/** Returns a number of bytes as text, for example `8 MiB` or `1,500 bytes`. */
export function bytesText(bytes: number): string {
  for (const [unit, size] of [
    ["MiB", 1 << 20],
    ["KiB", 1 << 10],
  ] as const)
    if (bytes >= size && bytes % size === 0) return `${inThousands(bytes / size)} ${unit}`;
  return `${inThousands(bytes)} bytes`;
}

/** Returns a number of milliseconds as seconds, for example `2.7 s`. */
export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

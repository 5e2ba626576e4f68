/** Texts read in frames of so many bytes: a character that lies across two of them is lost. */
export function inFrames(text: string, size: number): string {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, frame) =>
    bytes.toString("utf8", frame * size, frame * size + size),
  ).join("");
}

/** Text that does not compress: what real servers store in blocks and chunks fills them by its size only where it is not repeated. */

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ+/";

/** `length` letters that depend on `seed` only. */
export function noise(seed: number, length: number): string {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  let text = "";
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += LETTERS.charAt(state >>> 26);
  }
  return text;
}

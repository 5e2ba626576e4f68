/**
 * Text of any length. Noise does not compress: what real servers store in blocks and chunks fills them by its size only where it is not
 * repeated. Plain words leave most of what an index of words could hold empty.
 */

const LETTERS = Buffer.from("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ+/", "latin1");

/** `length` letters that depend on `seed` only. */
export function noise(seed: number, length: number): string {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  // Into bytes: a string put together of letters keeps thirty bytes for each until somebody reads it.
  const text = Buffer.allocUnsafe(length);
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text[index] = LETTERS[state >>> 26] ?? 0;
  }
  return text.toString("latin1");
}

/** Words in several cases, of other letters than those of ASCII, with signs in them, short ones and a long one. */
const WORDS =
  "request Answer cache QUEUE worker_thread memory latenz-größe retry of timeout=30s client 10.0.0.7 batch/index a écrit 日本 Reader unterbrechungsbenachrichtigung".split(
    " ",
  );

/** At least `length` letters of words, each followed by a blank, that depend on `seed` only. */
export function plainWords(seed: number, length: number): string {
  let text = "";
  for (let step = seed; text.length < length; step = (step * 7 + 3) % 1_009) text += `${WORDS[step % WORDS.length] ?? ""} `;
  return text;
}

/**
 * Generates text of any length. Noise cannot be compressed, so n bytes need about n bytes in blocks and chunks. Plain words can be
 * compressed, and fill only a small part of a server's index of words.
 */

const LETTERS = Buffer.from("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ+/", "latin1");

/** Returns a text of `length` letters that depends only on `seed`. */
export function noise(seed: number, length: number): string {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  // The letters are written into a buffer. A string that is built letter by letter would need 30 bytes per letter.
  const text = Buffer.allocUnsafe(length);
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text[index] = LETTERS[state >>> 26] ?? 0;
  }
  return text.toString("latin1");
}

/** The words of `plainWords`: in upper and lower case, with letters outside ASCII, with punctuation, some short and one long. */
const WORDS =
  "request Answer cache QUEUE worker_thread memory latenz-größe retry of timeout=30s client 10.0.0.7 batch/index a écrit 日本 Reader unterbrechungsbenachrichtigung".split(
    " ",
  );

/** Returns a text of words with a blank after each. It has at least `length` characters, and depends only on `seed`. */
export function plainWords(seed: number, length: number): string {
  let text = "";
  for (let step = seed; text.length < length; step = (step * 7 + 3) % 1_009) text += `${WORDS[step % WORDS.length] ?? ""} `;
  return text;
}

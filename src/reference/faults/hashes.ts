/** Hashes of 32 bits by which faulty servers identify texts, although two texts can have the same hash. */
import { crc32 } from "node:zlib";

function times31(text: string): number {
  return Array.from(text).reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0, 0);
}

function fnv1a(text: string): number {
  return Buffer.from(text).reduce((hash, byte) => Math.imul(hash ^ byte, 0x0100_0193) >>> 0, 0x811c_9dc5);
}

export const HASHES: Readonly<Record<"hashes" | "fnv-hashes" | "checksums", (text: string) => number>> = {
  hashes: times31,
  "fnv-hashes": fnv1a,
  checksums: (text) => crc32(text),
};

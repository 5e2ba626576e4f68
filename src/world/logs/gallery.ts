/** The gallery of texts as streams: all lines in one, and each label value in a stream of its own. */
import { GALLERY_LABELS, GALLERY_LINES, GALLERY_VALUES } from "../../arbitraries/gallery.ts";
import type { RelativeStream } from "../../arbitraries/streams.ts";

const BETWEEN = 1_000_000_007n;

/** The stream of the lines is named twice in the push. */
export function galleryStreams(): RelativeStream[] {
  const lines = GALLERY_LINES.map((line, index) => ({ offset: BigInt(index + 1) * BETWEEN, line }));
  const labels = { svc_size: "gallery" };
  return [
    { labels, entries: lines.slice(0, -1) },
    ...GALLERY_VALUES.map((value, index) => ({
      labels: { svc_colour: value },
      entries: [{ offset: BigInt(index + 1) * BETWEEN, line: `value ${index}` }],
    })),
    ...GALLERY_LABELS.map((own, index) => ({
      labels: own,
      entries: [{ offset: BigInt(index + 1) * BETWEEN, line: `labels ${index}` }],
    })),
    { labels, entries: lines.slice(-1) },
  ];
}

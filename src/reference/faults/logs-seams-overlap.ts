/** Faults of concurrent pushes to a stream, and of reads during a push. A push of these servers takes some ms, so that requests overlap. */
import type { Behaviour } from "../behaviour.ts";
import type { PushedStream } from "../logs/ingest.ts";
import type { Entry } from "../logs/types.ts";
import { broken, type FaultDetails, faultsOf, type Row } from "./define.ts";
import { type Overlap, slowed } from "./helpers.ts";
import type { Fault } from "./types.ts";

const PUSH = ["logs.push"] as const;

function identities(base: Behaviour, streams: readonly PushedStream[]): string[] {
  return streams.map(({ labels }) => base.streamIdentity(base.labelsOnWrite(labels)));
}

/** Returns a fault: if another push is in progress, the server does not store the pushed streams, but others. */
function overlapped(
  clause: string,
  sentence: string,
  change: (streams: readonly PushedStream[], overlap: Overlap) => readonly PushedStream[],
  details: FaultDetails = {},
): Row {
  return broken({ clause, sentence, ...details }, (base) => {
    const { respond, begin } = slowed(base, PUSH);
    return {
      respond,
      parsePush: (body) => {
        const streams = base.parsePush(body);
        return typeof streams === "string" ? streams : change(streams, begin(identities(base, streams)));
      },
    };
  });
}

export const LOGS_SEAM_OVERLAP_FAULTS: readonly Fault[] = faultsOf("logs-4.push", {
  "logs-seam-overlap-lost": overlapped(
    "logs-4.push",
    "If two pushes to one stream overlap, the second is answered with success and lost.",
    (streams, { same }) => (same ? [] : streams),
  ),
  "logs-seam-overlap-created-twice": broken("If two pushes create a stream within 5 ms, the second replaces the first.", (base) => {
    const created = new Map<Entry[], { readonly push: number; readonly at: number }>();
    let push = 0;
    return {
      parsePush: (body) => {
        push += 1;
        return base.parsePush(body);
      },
      insertEntry: (entries, entry) => {
        const first = created.get(entries);
        if (first === undefined) created.set(entries, { push, at: performance.now() });
        else if (first.push !== push && performance.now() - first.at < 5) {
          created.set(entries, { push, at: 0 });
          entries.length = 0;
        }
        base.insertEntry(entries, entry);
      },
    };
  }),
  "logs-seam-overlap-many": overlapped(
    "logs-4.push",
    "If more than three pushes are concurrent, those after the third are answered with success and lost.",
    (streams, { others }) => (others > 2 ? [] : streams),
  ),
  "logs-seam-overlap-crossed": overlapped(
    "logs-1.1",
    "If a push of several streams overlaps another push, all its entries are stored in its first stream.",
    (streams, { others }) => {
      const [first] = streams;
      return others > 0 && first !== undefined ? streams.map(({ entries }) => ({ labels: first.labels, entries })) : streams;
    },
    { also: ["logs-2.Entry"] },
  ),
});

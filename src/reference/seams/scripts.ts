/** One script for each seam: requests whose data cross it. */
import type { SEAM_FAULTS } from "../faults/logs-seams.ts";
import { batches, blocks, chunks, hours, pages, shards } from "./amounts.ts";
import { huge, metrics } from "./metrics.ts";
import { fast, inFlight, overlap, queries, refusals, sizes, tenants, volume } from "./requests.ts";
import type { Script } from "./script.ts";

/** The script of each seam; `nightly` for the faults that need that much. */
export const SCRIPTS: Readonly<Record<keyof typeof SEAM_FAULTS, { readonly release: Script; readonly nightly?: Script }>> = {
  blocks: { release: blocks, nightly: chunks },
  hours: { release: hours },
  pages: { release: pages },
  batches: { release: batches },
  shards: { release: shards },
  metrics: { release: metrics, nightly: huge },
  queries: { release: queries },
  refusals: { release: refusals },
  volume: { release: volume },
  tenants: { release: tenants },
  overlap: { release: overlap },
  inFlight: { release: inFlight },
  sizes: { release: sizes, nightly: fast },
};

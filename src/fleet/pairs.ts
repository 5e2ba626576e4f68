/** Runs the suite against servers that misbehave for two levels. The share of detected servers shows how much coverage is worth. */
import { ENGINE_CHECKS, sampled } from "./sample.ts";
import { runEntry } from "./entry.ts";
import { type PairServer, pairServers } from "./pair-servers.ts";

interface PairOutcome {
  readonly id: string;
  /** `unseen`: the server never misbehaved: no request had both levels, or no such response could be wrong in this way. */
  readonly result: "caught by an engine" | "caught by another check" | "missed" | "unseen";
}

/** The number of runs at the same time. Several runs fit into one process, because a run mostly waits. */
const LANES = 4;

/** Selects `count` servers at random, and equally many for each engine. Equal seeds select equal servers. */
export function drawnPairs(count: number, seed: number): PairServer[] {
  const engines = pairServers();
  return engines.flatMap((servers, engine) => {
    const share = Math.floor(count / engines.length) + (engine < count % engines.length ? 1 : 0);
    const byId = new Map(servers.map((server) => [server.id, server]));
    return sampled([...byId.keys()], share, seed).map((id) => byId.get(id) as PairServer);
  });
}

export async function runPairs(count: number, seed: number): Promise<PairOutcome[]> {
  const waiting = drawnPairs(count, seed);
  const outcomes: PairOutcome[] = [];
  const lane = async (): Promise<void> => {
    for (let server = waiting.shift(); server !== undefined; server = waiting.shift())
      outcomes.push({ id: server.id, result: await resultOf(server, seed) });
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return outcomes;
}

async function resultOf(server: PairServer, seed: number): Promise<PairOutcome["result"]> {
  const { service } = server;
  const engines = ENGINE_CHECKS.filter((check) => check.startsWith(service));
  if ((await runEntry(server, "release", seed, { service, only: engines })).red.length > 0) return "caught by an engine";
  if ((await runEntry(server, "release", seed, { service })).red.length > 0) return "caught by another check";
  return server.harmed() === 0 ? "unseen" : "missed";
}

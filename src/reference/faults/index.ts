import type { Fault } from "./types.ts";

export const FAULTS: readonly Fault[] = [];

/** The whole fleet of broken servers. */
import { ADMIN_UPDATE_FAULTS } from "./admin-update.ts";
import type { Fault } from "./types.ts";

export const FAULTS: readonly Fault[] = [...ADMIN_UPDATE_FAULTS];

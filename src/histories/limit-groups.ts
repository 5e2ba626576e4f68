/** Divides limits into groups, to find the limits that the target refuses. */
import { type LimitName, LIMITS } from "../contract/limits.ts";
import { grouped } from "../model/grouped.ts";

/** Divides limits by type, because most refusals concern a type. Limits that all have the same type are halved. */
export function divided(names: readonly LimitName[]): LimitName[][] {
  const kinds = grouped(names, (name) => `${LIMITS[name].type} ${LIMITS[name].time}`);
  return kinds.size > 1 ? [...kinds.values()] : halves(names);
}

export function halves<T>(list: readonly T[]): T[][] {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
}

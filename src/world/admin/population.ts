/** Instances created with limits; every accepted limit is sent at creation at least once. */
import { everyLimit, threeHands } from "../../arbitraries/limits.ts";
import { type Fixture, fixture } from "../../harness/scope.ts";
import { createInstance, type Instance, SAMPLE } from "./instances.ts";
import { acceptedLimits } from "./accepted-limits.ts";

/**
 * Created with every accepted limit at a value that is not its default, numbers large ones; in a smoke run, which creates few
 * instances, without those that `sampled` sends, so that each limit is filled at some create and sent at another. Never updated.
 */
export const full: Fixture<Instance> = fixture("admin", "an instance with all limits", async (scope) => {
  const { names, largeOf } = await scope.use(acceptedLimits);
  const sent = scope.settings.profile === "smoke" ? names.filter((name) => !SAMPLED.has(name)) : names;
  const [limits] = scope.draw(everyLimit({ names: sent, valueOf: largeOf }), "full", 1);
  return createInstance(scope, "f", limits ?? {});
});

const SAMPLED: ReadonlySet<string> = new Set(Object.keys(SAMPLE));

/**
 * Three instances among which every accepted limit is sent exactly once, numbers as small ones; none in a smoke run, whose few instances must leave
 * room for creates that have to be tried again. Never updated.
 */
export const thirds: Fixture<readonly Instance[]> = fixture("admin", "instances with disjoint subsets of the limits", async (scope) => {
  if (scope.settings.profile === "smoke") return [];
  const { names, smallOf } = await scope.use(acceptedLimits);
  const [hands = []] = scope.draw(threeHands({ names, valueOf: smallOf }), "hands", 1);
  return Promise.all(hands.map((hand, index) => createInstance(scope, index === 0 ? "t" : `t${index}`, hand)));
});

/** Instances created with limits; every writable limit is sent at creation at least once. */
import { everyLimit, limitSubset, threeHands } from "../../src/arbitraries/limits.ts";
import { LIMITS } from "../../src/contract/limits.ts";
import { type Fixture, fixture } from "../../src/harness/context.ts";
import { createInstance, type Instance } from "./instances.ts";
import { writable } from "./writable.ts";

/** Created with every writable limit at a value that is not its default. Never updated. */
export const full: Fixture<Instance> = fixture("admin", "an instance with all limits", async (scope) => {
  const { names } = await scope.use(writable);
  const [limits] = scope.draw(everyLimit(names), "full", 1);
  return createInstance(scope, "f", limits ?? {});
});

/** Three instances among which every writable limit is sent exactly once; one of two limits each in a smoke run. Never updated. */
export const thirds: Fixture<readonly Instance[]> = fixture("admin", "instances with disjoint subsets of the limits", async (scope) => {
  const { names } = await scope.use(writable);
  const smoke = scope.settings.profile === "smoke";
  const hands = smoke
    ? scope.draw(
        limitSubset(
          names.filter((name) => LIMITS[name].default !== undefined),
          20,
        ),
        "hands",
        1,
      )
    : (scope.draw(threeHands(names), "hands", 1)[0] ?? []);
  return Promise.all(hands.map((hand, index) => createInstance(scope, index === 0 ? "t" : `t${index}`, hand)));
});

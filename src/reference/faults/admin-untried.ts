/** Faults of valid inputs of the admin API that clients seldom send. A legal server may refuse some of these inputs. */
import type { Behaviour, ServerHandle } from "../behaviour.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

/** Returns a faulty server that answers a read of a name with another instance: the newest instance for whose name `alike` is true. */
function mistaken(id: string, sentence: string, alike: (asked: string, name: string) => boolean): Fault {
  const change = (base: Behaviour, server: ServerHandle): Partial<Behaviour> => ({
    findInstance: (versions, context) => {
      const found = base.findInstance(versions, context);
      if (context.operation !== "read" || found === undefined) return found;
      return server.instances.all().findLast(({ name }) => alike(context.name, name)) ?? found;
    },
  });
  return fault("admin-2.field.name", id, sentence, change);
}

const NAMES: readonly Fault[] = [
  mistaken("admin-name-underscore-any", "In a read, an underscore in a name matches any character.", (asked, name) =>
    new RegExp(`^${asked.replaceAll(".", "\\.").replaceAll("_", ".")}$`).test(name),
  ),
];

/** The two moments between which the faulty server shows removed limits again, as fractions of the refresh period. */
const BACK = { from: 0.15, to: 0.9 } as const;

const LATER: readonly Fault[] = [
  fault(
    { clause: "admin-4.2", options: { refreshMs: 500 }, needs: "nightly" },
    "admin-removed-back-until-refresh",
    "Removed limits are shown again some seconds later, until the service refreshes its limits.",
    (base, { options }) => ({
      findInstance: (versions, context) => {
        const found = base.findInstance(versions, context);
        const [before, last] = versions.slice(-2);
        if (found === undefined || found.limits !== undefined || context.operation !== "read" || last === undefined) return found;
        const age = (context.nowMs - last.atMs) / options.refreshMs;
        const { limits } = before?.instance ?? {};
        return limits === undefined || age < BACK.from || age > BACK.to ? found : { ...found, limits };
      },
    }),
  ),
];

export const ADMIN_UNTRIED_FAULTS: readonly Fault[] = [...NAMES, ...LATER];

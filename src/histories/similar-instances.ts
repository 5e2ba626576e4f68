/** Instances with similar names, some created in special ways. Their first reads are kept, because later checks update them. */
import { type Answered, isSuccess } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { LIMIT_NAMES, type LimitName, LIMITS, type Limits, type LimitValue } from "../contract/limits.ts";
import { CROWD } from "../harness/costs.ts";
import { fixture, type Scope } from "../harness/scope.ts";
import type { Attempt } from "../harness/settle.ts";
import { type Difference, difference, show, showApart } from "../model/difference.ts";
import type { JsonObject } from "../model/json.ts";
import { filledLimits as expectedLimits, globalDefaults, limitFindings, sameAsRead } from "../model/limits.ts";
import { acceptedLimits, takenTogether } from "./accepted-limits.ts";
import { fewLimits, full, overridesOf } from "./filled-limits.ts";
import { createInstance, type Instance, nameOf, sampled } from "./instances.ts";
import { withInstance } from "./instance-pool.ts";
import { bodyOf, fieldDifference, limitsIn, limitsJudgedBy, readUntil } from "./reading.ts";
import { BACKWARDS } from "./json-spellings.ts";

/** An instance that was created with limits, as a read shows it before its first update. */
export interface BornLimited {
  readonly instance: Instance;
  readonly sent: Limits;
  /** The refusal of the special create, if a plain create succeeded after it. Otherwise null. */
  readonly refused: Answered | null;
  /** The instance object in the read, or null if the create was refused or no read shows an instance object. */
  readonly body: JsonObject | null;
  /** The reasons why no read shows an instance object. */
  readonly problems: readonly Difference[];
  /** The exchanges of the create and the read. The exchange that decides the verdict is first. */
  readonly exchanges: readonly Answered[];
  readonly attempts: readonly Attempt[];
}

/**
 * Creates an instance in a special way. If that is refused, creates it plainly, then with a short name, because a name may be too long. If
 * only the plain create is accepted, the special create is repeated, because its refusal may have had another reason.
 */
async function born(
  scope: Scope,
  sent: Limits,
  [long, short]: readonly [string, string],
  special: (suffix: string) => Promise<Instance>,
): Promise<BornLimited> {
  const plain = async (suffix: string): Promise<Instance> => createInstance(scope, suffix, sent);
  let suffix = long;
  let first = await special(suffix);
  let usual = isSuccess(first.created) ? null : await plain(suffix);
  if (usual !== null && !isSuccess(usual.created)) {
    suffix = short;
    first = await special(suffix);
    usual = isSuccess(first.created) ? null : await plain(suffix);
  }
  const second = usual !== null && isSuccess(usual.created) ? await special(`${suffix}-2`) : null;
  const instance = [first, second].find((one) => one !== null && isSuccess(one.created)) ?? usual ?? first;
  const refused = instance === usual ? first.created : null;
  const creates = [instance.created, ...(refused === null ? [] : [refused])];
  const made = { instance, sent, refused };
  if (!isSuccess(instance.created)) return { ...made, body: null, problems: [], exchanges: creates, attempts: [] };
  const expected = expectedLimits(sent, overridesOf(scope));
  const { value, attempts } = await readUntil(scope, instance, (body) => [
    ...limitsJudgedBy(body, "admin-4.1", (limits) => limitFindings(expected, limits).map(({ difference }) => difference)),
    ...fieldDifference(body, "display_name", instance.displayName, "admin-2.field.display_name"),
  ]);
  const { body, differences } = bodyOf(value, "admin-4.GET");
  return { ...made, body, problems: differences, exchanges: [value, ...creates], attempts };
}

/** A display name that may be truncated, escaped or normalised wrongly. The name neither begins nor ends with a space. */
const UNUSUAL = `Größe "A" \\ b/c <d> & 'e' – 指標 {x}, 100 % + 1  two blanks \u{1f600} \u{1d4b3} \u2764\ufe0f zero\u200bwidth ${"a long display name ".repeat(6)}end`;

/** A display name of plain characters that have a special meaning in a URL, in YAML, in HTML or in a template. */
const READ_OTHERWISE = "50%25 of %41+b #c: d &amp; &lt;x&gt; \\n \\u0041 {{y}} ${HOME} $& $$1";

/** Characters that some services refuse, and a final space. Most of them have three bytes, so that a buffer probably ends inside one. */
const DEMANDING = ` \u{1f600} ${"指標の名前".repeat(11)} `;

/** Resolves to the global defaults that can be sent to this target. Some servers refuse the empty text. */
export async function settableDefaults(scope: Scope): Promise<Limits> {
  const { names, refused } = await scope.use(acceptedLimits);
  const defaults = globalDefaults(overridesOf(scope));
  const settable = LIMIT_NAMES.filter(
    (name) =>
      defaults[name] !== undefined && LIMITS[name].type !== "retention" && (names.includes(name) || refused.get(name)?.settable === true),
  );
  return Object.fromEntries(settable.map((name) => [name, defaults[name]]));
}

/** Whether a defective service may treat a value as absent. */
function isNothing(value: LimitValue): boolean {
  return value === null || value === 0 || value === false || value === "" || (Array.isArray(value) && value.length === 0);
}

/** An instance that was created with each limit at its global default, and with an unusual display name. */
export const everyDefault = fixture<BornLimited>("admin", "an instance that was created with every limit at its default", async (scope) => {
  const wanted = await settableDefaults(scope);
  const sent = await withInstance(scope, (borrowed) => takenTogether(scope, borrowed, wanted));
  return born(scope, sent, ["similar-name-1", "n1"], (suffix) => createInstance(scope, suffix, sent, { displayName: UNUSUAL }));
});

/**
 * An instance with one default limit, and the display name of an instance with other limits.
 * A default such as 0 or an empty text is preferred, because a service may treat it as absent.
 */
export const sameDisplayName = fixture<BornLimited>("admin", "an instance with the display name of another", async (scope) => {
  const { sent: all } = await scope.use(everyDefault);
  const { displayName } = await scope.use(full);
  const entries = Object.entries(all);
  const sent = Object.fromEntries([...entries.filter(([, value]) => isNothing(value)), ...entries].slice(0, 1));
  return born(scope, sent, ["similar-name-2", "n2"], (suffix) => createInstance(scope, suffix, sent, { displayName }));
});

/** An instance whose create had its members in reverse order and escapes for each letter. */
export const writtenOtherwise = fixture<BornLimited>(
  "admin",
  "an instance that was created by a request in another JSON form",
  async (scope) => {
    await scope.use(everyDefault);
    const sent = await scope.use(fewLimits);
    return born(scope, sent, ["similarn-ame-1", "n3"], (suffix) => createInstance(scope, suffix, sent, { written: BACKWARDS.written }));
  },
);

/**
 * An instance whose name is the name of another instance with a leading zero. The name was read before the create. The display name is
 * unusual, and the create sent only limits of type string.
 */
export const readBeforeCreate = fixture<BornLimited>("admin", "an instance that was read before its create", async (scope) => {
  const { sent: all } = await scope.use(everyDefault);
  const texts = Object.entries(all).filter(([name]) => LIMITS[name as LimitName].type === "string");
  // A service may treat empty texts as absent.
  const emptyFirst = texts.toSorted(([, one], [, other]) => Number(isNothing(other)) - Number(isNothing(one)));
  const sent = Object.fromEntries(texts.length > 0 ? emptyFirst.slice(0, 2) : Object.entries(all).slice(0, 1));
  const names = ["similar-name-01", "n4"] as const;
  await scope.admin.probe("read instance (before its create)", "GET", nameOf(scope, names[0]));
  return born(scope, sent, names, async (suffix) => {
    const whole = await createInstance(scope, suffix, sent, { displayName: `${READ_OTHERWISE}${DEMANDING}` });
    return isSuccess(whole.created) ? whole : createInstance(scope, `${suffix}-b`, sent, { displayName: READ_OTHERWISE });
  });
});

/**
 * Ends of similar names, in the order of the creates. A database that takes `a_b` for a pattern also finds `axb` and `ayb`. The names of
 * the second group differ only in letter case. A service that cuts names at a dot confuses those of the third group.
 */
const SIMILAR_ENDS: readonly (readonly string[])[] = [
  ["axb", "a_b", "ayb"],
  ["aB", "ab"],
  ["a.b", "a"],
];

/** Only similar names have this letter after the run id. So a service that removes dashes from names confuses only similar names. */
const OWN_LETTER = "y";

export interface SimilarInstance {
  readonly instance: Instance;
  readonly end: string;
}

/**
 * The groups of similar names that the target accepts. Each instance has its own display name and limit. The list is empty if the run may
 * create fewer than CROWD instances, because similar instances are a part of this number.
 */
export const similarInstances = fixture<readonly (readonly SimilarInstance[])[]>("admin", "instances with similar names", async (scope) => {
  const { created, left } = scope.run.instances();
  if (created + left < CROWD) return [];
  const usual = await scope.use(sampled);
  const groups: SimilarInstance[][] = [];
  let count = 0;
  for (const ends of SIMILAR_ENDS) {
    const group: SimilarInstance[] = [];
    for (const end of ends) {
      count += 1;
      const wanted = `plb${scope.run.runId}${OWN_LETTER}${end}`;
      const sent = isSuccess(usual.created) ? lessBy(usual.sent, count) : null;
      const instance = await createdOnce(scope, wanted, sent, `plumbline similar ${count}`);
      if (instance === null) break;
      group.push({ instance, end });
    }
    if (group.length === ends.length) groups.push(group);
  }
  return groups;
});

/** Sends a create without retries. Resolves to the created instance, or to null if the create does not succeed. */
async function createdOnce(scope: Scope, wanted: string, sent: Limits | null, displayName: string): Promise<Instance | null> {
  try {
    const instance = await createInstance(scope, wanted, sent, { displayName, wanted, tries: 1 });
    return isSuccess(instance.created) ? instance : null;
  } catch (error) {
    if (error instanceof Inconclusive) return null;
    throw error;
  }
}

function lessBy(limits: Limits | null, count: number): Limits | null {
  const { max_series_per_user: most } = limits ?? {};
  return limits === null || typeof most !== "number" ? limits : { ...limits, max_series_per_user: most - count };
}

export async function similarBorn(scope: Scope): Promise<BornLimited[]> {
  return Promise.all([everyDefault, sameDisplayName, writtenOtherwise, readBeforeCreate].map((one) => scope.use(one)));
}

interface SeenLater {
  readonly one: BornLimited;
  /** The instance object in the later read, or null if this read shows no instance object. */
  readonly body: JsonObject | null;
  readonly exchange: Answered;
  readonly attempts: readonly Attempt[];
}

/** The reads after all creates and before all updates. A create must not change other instances. */
export const similarLater = fixture<readonly SeenLater[]>(
  "admin",
  "instances with similar names, read after all of them were created",
  async (scope) => {
    const all = await similarBorn(scope);
    const seen = all.map(async (one): Promise<SeenLater[]> => {
      const { body: before, instance } = one;
      if (before === null) return [];
      const { value, attempts } = await readUntil(scope, instance, (body) => changedFields(before, body));
      return [{ one, body: bodyOf(value, "admin-4.GET").body, exchange: value, attempts }];
    });
    return (await Promise.all(seen)).flat();
  },
);

/** Returns a difference for the display name and for each limit whose value a later read shows changed. */
export function changedFields(before: JsonObject, later: JsonObject): Difference[] {
  const clause = "admin-4.GET";
  const [own, shown] = [before["display_name"], later["display_name"]];
  const isSame = JSON.stringify(own) === JSON.stringify(shown);
  const name: Difference[] = isSame ? [] : [{ clause, path: "display_name", ...showApart(own, shown) }];
  const [was, is] = [before, later].map((body) => limitsIn(body, clause).limits);
  if (was === null || was === undefined) return name;
  const changed = LIMIT_NAMES.filter((limit) => !sameAsRead(limit, was[limit], is?.[limit]));
  return [...name, ...changed.map((limit) => difference(clause, `limits.${limit}`, show(was[limit]), show(is?.[limit])))];
}

/**
 * The requests of the expensive checks of a release run, measured with the reference server. Other checks need few.
 * The requests of a fixture, such as a dataset, count for the first check in the plan that uses it.
 */
export const COSTS: Readonly<Record<string, number>> = {
  "admin-2.3a/exact": 5,
  "admin-2.3a/inexact": 7,
  "admin-2.created-at-time/moves-on": 5,
  "admin-2.created-at-unchanged/each-instance": 10,
  "admin-2.created-at-unchanged/every-read": 13,
  "admin-2.created-at-unchanged/updates": 8,
  "admin-2.field.display_name/any-text": 58,
  "admin-2.field.name/longest": 4,
  "admin-2.field.name/name-around-another": 6,
  "admin-2.field.name/similar-names": 16,
  "admin-2.field.name/similar-names-later": 4,
  "admin-2.retention-format/read-back": 21,
  "admin-4.1/kept": 334,
  "admin-4.3/histories": 7,
  "admin-4.GET/among-many": 12,
  "admin-4.GET/beside-equals": 18,
  "admin-4.GET/known-afterwards": 7,
  "admin-4.GET/much-later": 11,
  "admin-4.GET/refused-create": 5,
  "admin-4.GET/settled": 28,
  "admin-4.GET/while-updated": 13,
  "admin-4.POST/accepted": 19,
  "admin-4.PUT-over-limits/left-alone": 1,
  "admin-4.PUT/answers": 8,
  "admin-4.PUT/display-name": 6,
  "admin-4.PUT/lifecycle": 43,
  "admin-4.PUT/one-by-one": 19,
  "admin-4.PUT/only-limits": 10,
  "admin-4.PUT/read-just-before": 35,
  "admin-4.PUT/refused": 10,
  "admin-4.PUT/rivals": 22,
  "admin-4.json/other-forms": 19,
  "admin-5.1/enforced": 23,
  "admin-7.errors/refusals": 9,
  "logs-2.2/refusals": 49,
  "logs-3.states/edges": 10,
  "logs-4.1/between-pushes": 12,
  "logs-4.1/large-limits": 24,
  "logs-4.1/without-edge": 4,
  "logs-4.2/refusals": 28,
  "logs-4.3/each-operator": 101,
  "logs-4.3/expressions": 77,
  "logs-4.3/large-filters": 27,
  "logs-4.3/once-empty": 23,
  "logs-4.3/parts-of-lines": 12,
  "logs-4.3/spelled": 17,
  "logs-4.4/hours-pages": 40,
  "logs-4.4/large-pages": 34,
  "logs-4.4/pages": 36,
  "logs-4.label-values/pushed-values": 17,
  "logs-4.labels/pushed-names": 6,
  "logs-4.labels/settled": 4,
  "logs-4.matchers/by-itself": 5,
  "logs-4.matchers/each-operator": 141,
  "logs-4.push/added-later": 16,
  "logs-4.push/after-refused": 4,
  "logs-4.push/archive": 16,
  "logs-4.push/beside-old": 10,
  "logs-4.push/comes-back": 39,
  "logs-4.push/gallery": 41,
  "logs-4.push/larger-sets": 69,
  "logs-4.push/late-entries": 28,
  "logs-4.push/late-much-later": 12,
  "logs-4.push/late-to-chunks": 6,
  "logs-4.push/pushed-twice": 12,
  "logs-4.push/settled": 14,
  "logs-4.push/side-by-side": 38,
  "logs-4.query/cases": 54,
  "logs-4.query/combined": 56,
  "logs-4.query/groups": 19,
  "logs-4.query/hours-spelled": 17,
  "logs-4.query/large-values": 25,
  "logs-4.query/ranges": 38,
  "logs-4.query/settled": 14,
  "logs-4.query/settled-cases": 8,
  "logs-4.query/trees": 11,
  "logs-4.query_range/after-refusals": 18,
  "logs-4.query_range/archive-windows": 44,
  "logs-4.query_range/asked-before": 18,
  "logs-4.query_range/cases": 82,
  "logs-4.query_range/during-pushes": 30,
  "logs-4.query_range/from-long-before": 4,
  "logs-4.query_range/hours-ends": 19,
  "logs-4.query_range/hours-windows": 19,
  "logs-4.query_range/large-windows": 35,
  "logs-4.query_range/midnight": 6,
  "logs-4.query_range/neighbouring-windows": 20,
  "logs-4.query_range/reads-at-once": 32,
  "logs-4.query_range/settled-cases": 12,
  "logs-4.query_range/windows": 29,
  "logs-5.2a/isolated-at-once": 30,
  "logs-5.2a/isolated-old": 12,
  "logs-5.2a/isolated-queries": 31,
  "logs-5.2a/reads-at-once": 16,
  "logs-5.2a/settled": 8,
  "logs-5.2a/unseen-by-nobody": 23,
  "logs-5.2b/beside-nobody": 10,
  "logs-5.2b/cases": 33,
  "logs-5.2b/equal-in-union": 4,
  "logs-5.2b/old-union": 21,
  "logs-5.2b/union": 22,
  "logs-5.3/enforced": 31,
  "logs-7.400/refusals": 53,
  "logs-7.429/overload-and-recover": 57,
  "logs-7.bodies/bodies": 11,
  "logs-8.default-limit/several-streams": 12,
};

/** The checks that read the same datasets, and the total size of the log lines of these datasets, in bytes. */
export interface SharedSets {
  readonly bytes: number;
  readonly checks: readonly string[];
}

/** Datasets that are expensive to push. All checks that read one are in the same shard, so that it is pushed once. */
export const SHARED_SETS: readonly SharedSets[] = [
  {
    bytes: 6_600_000,
    checks: [
      "logs-4.push/larger-sets",
      "logs-4.query_range/settled-cases",
      "logs-4.query/settled-cases",
      "logs-4.push/late-to-chunks",
      "logs-4.query/large-values",
      "logs-4.1/large-limits",
      "logs-4.query_range/large-windows",
      "logs-4.4/large-pages",
      "logs-4.3/large-filters",
      "logs-4.query/settled",
      "logs-4.query_range/reads-at-once",
      "logs-4.3/parts-of-lines",
      "logs-4.push/late-entries",
      "logs-4.push/late-much-later",
      "logs-4.push/archive",
      "logs-4.query_range/archive-windows",
      "logs-4.push/beside-old",
    ],
  },
  // Each shard runs all closing checks, except the closing checks in SHARED_SETS. The next two closing checks are listed here so that only
  // one shard runs them. Their datasets are counted in OTHER_BYTES.
  { bytes: 0, checks: ["logs-4.query_range/midnight"] },
  { bytes: 0, checks: ["logs-4.3/once-empty"] },
  { bytes: 290_000, checks: ["logs-4.push/gallery", "logs-4.3/each-operator", "logs-4.query/ranges"] },
];

/** The size of all other pushes of a shard that tests the log API, in bytes of log lines. */
export const OTHER_BYTES = 160_000;

/** The number of instances that one check of the admin API creates, because some servers keep instances in a table of 32 places. */
export const CROWD = 33;

/** The measured numbers of instances of a run of the admin API: with the CROWD check, without it, and with the profile `smoke`. */
export const INSTANCES_NEEDED: readonly number[] = [CROWD, 25, 5];

/**
 * The checks that pass alone with a single instance, by measurement.
 * No check of limits is in the list, because the suite compares several instances to find the clause of a wrong limit.
 */
export const ONE_INSTANCE: ReadonlySet<string> = new Set([
  "admin-2.created-at-unchanged/updates",
  "admin-2.field.display_name/any-text",
  "admin-2.field.name/nobodys",
  "admin-4.GET/compressed",
  "admin-4.GET/object",
  "admin-4.GET/refused-create",
  "admin-4.PUT/after-refusal",
  "admin-4.PUT/object",
]);

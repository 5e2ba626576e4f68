/**
 * The checks of a release run that need 25 requests or more, with their number of requests on the reference server. The requests of a
 * fixture, such as a dataset, count for the first check in the plan that uses it.
 */
export const COSTS: Readonly<Record<string, number>> = {
  "admin-2.field.display_name/any-text": 62,
  "admin-4.1/kept": 347,
  "admin-4.GET/settled": 28,
  "admin-4.PUT/lifecycle": 41,
  "admin-4.PUT/read-just-before": 37,
  "logs-2.2/refusals": 49,
  "logs-4.2/refusals": 29,
  "logs-4.3/each-operator": 111,
  "logs-4.3/expressions": 82,
  "logs-4.3/large-filters": 26,
  "logs-4.4/hours-pages": 35,
  "logs-4.4/large-pages": 34,
  "logs-4.4/pages": 38,
  "logs-4.matchers/each-operator": 154,
  "logs-4.push/comes-back": 38,
  "logs-4.push/gallery": 43,
  "logs-4.push/larger-sets": 69,
  "logs-4.push/late-entries": 28,
  "logs-4.push/side-by-side": 38,
  "logs-4.query/cases": 53,
  "logs-4.query/combined": 65,
  "logs-4.query/ranges": 37,
  "logs-4.query_range/archive-windows": 44,
  "logs-4.query_range/cases": 84,
  "logs-4.query_range/during-pushes": 30,
  "logs-4.query_range/large-windows": 35,
  "logs-4.query_range/reads-at-once": 32,
  "logs-4.query_range/windows": 33,
  "logs-5.2a/isolated-at-once": 30,
  "logs-5.2a/isolated-queries": 29,
  "logs-5.2b/cases": 47,
  "logs-5.2b/old-union": 31,
  "logs-5.3/enforced": 31,
  "logs-7.400/refusals": 60,
  "logs-7.429/overload-and-recover": 57,
};

/** The checks that read the same datasets, and the total size of the log lines of these datasets, in bytes. */
export interface SharedSets {
  readonly bytes: number;
  readonly checks: readonly string[];
}

/** Datasets that are expensive to push. All checks that read the same dataset are in one shard, so that it is pushed only once. */
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
      "logs-4.push/late-entries",
      "logs-4.push/late-much-later",
      "logs-4.push/archive",
      "logs-4.query_range/archive-windows",
      "logs-4.push/beside-old",
    ],
  },
  // Each shard runs all closing checks that are not in SHARED_SETS. The next two closing checks are listed here, so that only one shard
  // runs them. OTHER_BYTES includes their datasets.
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
 * The checks that passed in a test run with only one instance. No check of limits is in the list, because the suite compares several
 * instances to find the clause of a wrong limit.
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

/** Bundles of variants that imitate whole deployments. */
import { ADMIN_ANSWER_VARIANTS } from "./admin-answers.ts";
import { ADMIN_BEHAVIOUR_VARIANTS } from "./admin-behaviour.ts";
import { ADMIN_REFUSING_VARIANTS } from "./admin-refusing.ts";
import { ADMIN_RULE_VARIANTS } from "./admin-rules.ts";
import { bundle } from "./define.ts";
import { LAG_PART_VARIANTS } from "./lag-parts.ts";
import { LAG_VARIANTS } from "./lag.ts";
import { LOGS_ANSWER_VARIANTS } from "./logs-answers.ts";
import { LOGS_BEHAVIOUR_VARIANTS } from "./logs-behaviour.ts";
import { LOGS_LIMIT_VARIANTS } from "./logs-limits.ts";
import { LOGS_REFUSING_VARIANTS } from "./logs-refusing.ts";
import { LOGS_MODE_VARIANTS, OPEN_MODE } from "./logs-modes.ts";
import { TRANSPORT_VARIANTS } from "./transport.ts";
import type { Variant } from "./types.ts";

function of(service: "admin" | "logs", variants: readonly Variant[]): Variant[] {
  return variants.map((one) => ({ ...one, service }));
}

export const SINGLE_VARIANTS: readonly Variant[] = [
  ...of("admin", ADMIN_ANSWER_VARIANTS),
  ...of("admin", ADMIN_BEHAVIOUR_VARIANTS),
  ...of("admin", ADMIN_RULE_VARIANTS),
  ...of("admin", ADMIN_REFUSING_VARIANTS),
  ...of("logs", LOGS_ANSWER_VARIANTS),
  ...of("logs", LOGS_BEHAVIOUR_VARIANTS),
  ...of("logs", LOGS_LIMIT_VARIANTS),
  ...of("logs", LOGS_REFUSING_VARIANTS),
  ...of("logs", LOGS_MODE_VARIANTS),
  ...TRANSPORT_VARIANTS,
  ...LAG_VARIANTS,
  ...LAG_PART_VARIANTS,
];

function named(...ids: readonly string[]): Variant[] {
  return ids.map((id) => {
    const found = SINGLE_VARIANTS.find((one) => one.id === id);
    if (found === undefined) throw new Error(`no variant ${id}`);
    return found;
  });
}

const ALL_LEGAL = "each of its differences is legal by itself";

export const BUNDLES: readonly Variant[] = [
  bundle(
    "bundle-concurrent-admin",
    "An admin API that demands If-Match, has stale replicas and more limits, and writes durations and timestamps in short forms.",
    ALL_LEGAL,
    named(
      "if-match-demanded",
      "stale-replica",
      "durations-largest-unit",
      "extra-limits",
      "extra-fields",
      "created-at-trimmed",
      "create-200",
      "drop-labels-null",
      "admin-errors-json",
    ),
  ),
  bundle(
    "bundle-reads-before-updates",
    "A log service that adds labels, and an admin API that shows ETags in reads only and demands them in updates.",
    ALL_LEGAL,
    named("if-match-demanded", "etag-on-get-only", "service-name-added"),
  ),
  bundle(
    "bundle-lagging-admin",
    "An admin API whose reads show old versions, and that answers 400 to an update with the ETag of an old version.",
    ALL_LEGAL,
    named("stale-reads", "if-match-answered-400"),
  ),
  bundle(
    "bundle-merging-admin",
    "An admin API that merges limits, writes integers with a decimal point, ignores usernames, and caches reads.",
    ALL_LEGAL,
    named(
      "merge-over-limits",
      "json-numbers-with-point",
      "any-username",
      "cached-reads",
      "retention-nanoseconds",
      "create-location",
      "created-at-offset",
      "other-defaults",
    ),
  ),
  bundle(
    "bundle-strict-old-logs",
    "An old log service: it has no tenants, refuses out-of-order entries, and answers 500 to malformed expressions.",
    ALL_LEGAL,
    named(
      "older-refused",
      "content-type-exact",
      "bad-regex-500",
      "instant-seconds",
      "empty-list-absent",
      "result-newest-stream-first",
      "named-loki",
    ),
    OPEN_MODE,
  ),
  bundle(
    "bundle-middle-logs",
    "A log service between old and new: it computes metric ranges from half hours, and answers 500 to queries with `without`.",
    ALL_LEGAL,
    named(
      "metric-range-open-divided",
      "without-500",
      "service-name-added",
      "envelope-with-stats",
      "an-hour-late-refused",
      "a-week-old-refused",
      "instant-seconds",
    ),
  ),
  bundle(
    "bundle-new-logs",
    "A new log service: it adds labels, splits streams, shows entries later, and refuses selectors that accept an empty value.",
    ALL_LEGAL,
    named(
      "service-name-added",
      "streams-split-by-level",
      "envelope-with-stats",
      "visible-later",
      "empty-compatible-refused",
      "older-invisible",
      "labels-of-others",
      "samples-rounded",
      "limit-at-most-1000",
    ),
  ),
  bundle(
    "bundle-current-logs",
    "A log service of today: it adds labels, splits streams, and limits labels per stream, bytes per line and the age of entries.",
    ALL_LEGAL,
    named(
      "service-name-added",
      "streams-split-by-level",
      "envelope-with-stats",
      "labels-at-most-15",
      "lines-at-most-256-kib",
      "an-hour-late-refused",
      "a-week-old-refused",
      "empty-compatible-refused",
    ),
  ),
  bundle(
    "bundle-current-logs-labelled",
    "A log service of today that adds service_name and detected_level, and a label for the tenant if a read names several tenants.",
    ALL_LEGAL,
    named(
      "service-name-added",
      "detected-level-added",
      "several-tenants-labelled",
      "an-hour-late-refused",
      "a-week-old-refused",
      "limit-at-most-1000",
    ),
  ),
  bundle(
    "bundle-narrow-logs",
    "A log service with small limits for a push, a line, a label, the labels of a stream, and a window.",
    ALL_LEGAL,
    named(
      "pushes-at-most-1-mib",
      "lines-at-most-64-kib",
      "labels-at-most-63-bytes",
      "labels-at-most-15",
      "windows-at-most-24-hours",
      "limit-at-most-1000",
    ),
  ),
  bundle(
    "bundle-narrow-logs-without-history",
    "A log service with small limits that refuses entries older than an hour and lists only the labels of the last ten minutes.",
    ALL_LEGAL,
    named("pushes-at-most-1-mib", "lines-at-most-64-kib", "no-history", "labels-of-ten-minutes", "older-refused"),
  ),
  bundle(
    "bundle-ruled-merging-admin",
    "An admin API that merges limits and refuses some combinations of limits.",
    ALL_LEGAL,
    named("merge-over-limits", "clusters-need-ha", "series-at-most-samples", "burst-at-least-rate"),
  ),
  bundle(
    "bundle-ceilings-admin",
    "An admin API that refuses integers above 100,000, and max_series_per_query above max_samples_per_query.",
    ALL_LEGAL,
    named("integers-at-most-100000", "series-at-most-samples"),
  ),
  bundle(
    "bundle-strict-admin",
    "An admin API with many rules for values, ETags on reads only, sorted lists, and a created_at clock that is eleven minutes behind.",
    ALL_LEGAL,
    named(
      "etag-on-get-only",
      "integers-at-most-10000",
      "durations-at-least-1s",
      "burst-at-least-rate",
      "drop-labels-sorted",
      "clock-eleven-minutes-behind",
      "created-at-padded",
    ),
    // A run needs more requests to find out which limits this server accepts: it tests each limit alone, with a read before each test.
    { settings: { MAX_REQUESTS: "3500" } },
  ),
  bundle(
    "bundle-multi-tenant-logs",
    "A multi-tenant log service with credentials that adds tenant labels, keeps duplicates, and does not sort lists.",
    ALL_LEGAL,
    named(
      "several-tenants-labelled",
      "tenant-missing-400",
      "duplicates-kept",
      "labels-unsorted",
      "logs-errors-json",
      "push-200-json",
      "end-included",
    ),
  ),
  bundle(
    "bundle-hosted",
    "A hosted deployment behind a gateway: bodies in chunks, more headers, and sometimes a slow response, a 502 or a 429.",
    ALL_LEGAL,
    named(
      "chunked",
      "extra-headers",
      "uneven",
      "sometimes-502-html",
      "sometimes-429",
      "admin-errors-problem",
      "push-202",
      "stale-reads",
      "visible-in-parts",
    ),
  ),
  bundle(
    "bundle-shaky",
    "A cluster that elects leaders: reads, updates, creates and pushes sometimes fail, and the connection is closed after each response.",
    ALL_LEGAL,
    named("sometimes-500", "update-sometimes-503", "create-sometimes-503", "push-sometimes-503", "connection-close", "if-match-demanded"),
    // If a push or a create fails, a run sends the whole dataset or another create again.
    { settings: { MAX_PUSH_BYTES: "16777216", MAX_INSTANCES: "50" } },
  ),
  bundle(
    "bundle-shaky-few-forms",
    "Reads fail at random, and the metric queries that the document does not name are refused.",
    ALL_LEGAL,
    named("metric-forms-named-only", "often-503"),
  ),
  bundle(
    "bundle-spelled-otherwise",
    "Both APIs write the same values in other forms: exponents, another order, hours for durations, and strings for timestamps.",
    ALL_LEGAL,
    named(
      "json-numbers-with-exponent",
      "json-keys-reversed",
      "samples-with-exponent",
      "instant-nanoseconds-text",
      "result-reversed",
      "result-labels-reversed",
      "ties-reversed",
      "durations-in-hours",
      "created-at-minus-offset",
    ),
  ),
  bundle(
    "bundle-expressions-listed",
    "Expressions match whole lines in filters, and any part of a value in matchers. Streams without a matching line are returned too.",
    ALL_LEGAL,
    named("regex-filters-anchored", "regex-matchers-unanchored", "streams-without-entries"),
  ),
  bundle(
    "bundle-expressions-plain",
    "Expressions of line filters must match whole lines, and an expression with a group that begins with a question mark is refused.",
    ALL_LEGAL,
    named("regex-filters-anchored", "expressions-plain"),
  ),
];

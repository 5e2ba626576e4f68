/** Whole deployments, put together from the single differences. */
import { ADMIN_ANSWER_VARIANTS } from "./admin-answers.ts";
import { ADMIN_BEHAVIOUR_VARIANTS } from "./admin-behaviour.ts";
import { bundle } from "./define.ts";
import { LOGS_ANSWER_VARIANTS } from "./logs-answers.ts";
import { LOGS_BEHAVIOUR_VARIANTS } from "./logs-behaviour.ts";
import { LOGS_MODE_VARIANTS, OPEN_MODE } from "./logs-modes.ts";
import { TRANSPORT_VARIANTS } from "./transport.ts";
import type { Variant } from "./types.ts";

export const SINGLE_VARIANTS: readonly Variant[] = [
  ...ADMIN_ANSWER_VARIANTS,
  ...ADMIN_BEHAVIOUR_VARIANTS,
  ...LOGS_ANSWER_VARIANTS,
  ...LOGS_BEHAVIOUR_VARIANTS,
  ...LOGS_MODE_VARIANTS,
  ...TRANSPORT_VARIANTS,
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
    "An admin API with demanded If-Match, stale replicas, normalised durations, extra limits and trimmed timestamps.",
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
    "bundle-merging-admin",
    "An admin API that merges limits, writes numbers with a point, ignores usernames, and caches reads.",
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
    "An old log service: in-order entries only, the exact content type, plain errors, 500 for bad expressions, no tenants.",
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
    "bundle-new-logs",
    "A new log service: added labels, split streams, statistics, entries visible later, empty-compatible selectors refused.",
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
    "bundle-multi-tenant-logs",
    "A multi-tenant log service with credentials, tenant labels, duplicates kept and lists in no order.",
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
    "A hosted deployment behind a gateway: chunks, headers, slow and failing now and then, 429 now and then.",
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
    "A cluster that elects leaders: reads, updates, creates and pushes fail now and then, connections close.",
    ALL_LEGAL,
    named("sometimes-500", "update-sometimes-503", "create-sometimes-503", "push-sometimes-503", "connection-close", "if-match-demanded"),
  ),
  bundle(
    "bundle-spelled-otherwise",
    "Everything written in another way: exponents, escapes, order, strings for timestamps.",
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
];

/**
 * Faults of a clause that the same checks detected as other faults of this clause. That fault stands for them. The values are their ids,
 * separated by spaces.
 */
const MERGED: Readonly<Record<string, string>> = {
  "admin-adding-first-only": "admin-adding-last-lost",
  "admin-auth-none":
    "admin-auth-reads-open admin-auth-refused-but-done admin-auth-refused-create-done admin-auth-updates-open admin-create-despite-401 admin-token-of-users admin-update-despite-401",
  "admin-cluster-empty": "admin-cluster-default admin-cluster-with-region",
  "admin-coarse-large-integers": "admin-integers-capped admin-integers-unsigned-32",
  "admin-create-display-name-url":
    "admin-create-display-name-64 admin-create-display-name-comment admin-create-display-name-numbered admin-create-display-name-trimmed",
  "admin-create-one-limit-refused": "admin-create-nothing-none",
  "admin-create-zero-is-unset": "admin-create-almost-all-unfilled",
  "admin-created-at-milliseconds": "admin-created-at-six-digits admin-created-at-whole-seconds",
  "admin-created-at-moves-on-update": "admin-created-at-rounded-on-update",
  "admin-created-at-moves-over-limits": "admin-created-at-moves-with-limits",
  "admin-created-at-moves-with-first-limits": "admin-created-at-now-on-texts",
  "admin-created-at-tomorrow": "admin-created-at-epoch",
  "admin-created-at-unix-nanoseconds":
    "admin-created-at-http-date admin-created-at-no-zone admin-created-at-short-zone admin-created-at-space admin-created-at-zone-name",
  "admin-display-name-comment-later": "admin-display-name-16-bits-later admin-display-name-frames-later",
  "admin-display-name-cut": "admin-display-name-capital admin-display-name-is-name admin-display-name-lower-case",
  "admin-display-name-plain-comment":
    "admin-display-name-accents-lost admin-display-name-beginning admin-display-name-case admin-display-name-no-break admin-display-name-plain-item admin-display-name-plain-mapping admin-display-name-plain-truth",
  "admin-display-name-plus":
    "admin-display-name-ascii admin-display-name-backslash admin-display-name-backslashes admin-display-name-entities admin-display-name-latin1",
  "admin-display-name-surrogates": "admin-display-name-entities-read admin-display-name-invisible admin-display-name-replacement",
  "admin-display-name-url":
    "admin-display-name-255-characters admin-display-name-comment admin-display-name-control admin-display-name-frames admin-display-name-large-frames admin-display-name-plain-number admin-display-name-trimmed admin-display-name-unquoted",
  "admin-drop-labels-first-lost": "admin-drop-labels-lower-case",
  "admin-encryption-context-decoded": "admin-encryption-context-sorted",
  "admin-json-single-quotes": "admin-json-nothing admin-json-trailing-comma",
  "admin-limit-enforce_metric_name-ignored": "admin-enforce-metric-name-stuck",
  "admin-limits-of-the-newest": "admin-create-always-fills",
  "admin-more-than-forty-refused": "admin-every-limit-refused",
  "admin-name-30-are-all": "admin-read-by-beginning admin-read-up-to-last-dash",
  "admin-name-39-in-path": "admin-name-dashes-in-path admin-name-trimmed-in-path",
  "admin-name-underscore-any": "admin-name-capitals-folded admin-name-extension-cut admin-name-signs-left-out",
  "admin-name-upper-case": "admin-name-cut admin-name-is-display-name admin-name-with-cluster",
  "admin-names-camel-case": "admin-name-of-one-limit admin-name-on-update admin-names-s3",
  "admin-no-limits-null": "admin-no-limits-zeros",
  "admin-over-limits-lost-500": "admin-over-limits-500",
  "admin-over-limits-new-only":
    "admin-created-limits-first-only admin-created-limits-fixed admin-created-limits-lose-last admin-drop-labels-alike admin-drop-labels-divided admin-drop-labels-reserved admin-empty-list-ignored admin-integers-without-sign admin-lists-appended admin-over-limits-drops admin-over-limits-keeps-larger admin-over-limits-zeroes admin-over-null-ignored admin-put-equal-pruned admin-texts-as-floats admin-texts-as-numbers admin-texts-null-unset",
  "admin-over-nothing-removes": "admin-request-braces-counted",
  "admin-read-kept-over-update": "admin-read-in-flight-kept admin-read-refilled-kept",
  "admin-removal-answers-old": "admin-removal-once",
  "admin-removal-ignored": "admin-limits-by-word admin-removal-empty admin-removal-not-stored admin-removal-sent-only",
  "admin-removal-lost-500": "admin-removal-500",
  "admin-request-escaped-slash": "admin-request-escaped-quote",
  "admin-request-lines-refused":
    "admin-create-escapes-literal admin-request-blank-before-colon admin-request-blanks-refused admin-request-capital-digits admin-request-escaped-name admin-request-escaped-pairs admin-request-exponent-lost admin-request-limits-first-lost admin-request-order-refused",
  "admin-retention-first-digit": "admin-retention-day-short",
  "admin-retention-no-strings": "admin-retention-two-digits",
  "admin-retention-no-years": "admin-retention-no-days",
  "admin-retention-year-360-days": "admin-retention-32-bit-hours admin-retention-century admin-retention-year-52-weeks",
  "admin-texts-255":
    "admin-adding-almost-all-unfilled admin-adding-freshness-from-period admin-adding-ha-labels-accept admin-adding-rates-make-global admin-drop-labels-eight admin-empty-is-unset admin-largest-integer-rounded admin-texts-1024 admin-texts-latin1 admin-zero-is-unset",
  "admin-texts-ascii": "admin-texts-trimmed",
  "admin-update-keeps-display-name": "admin-update-display-name-needs-limits",
  "logs-archive-first-batch-instant": "logs-old-count-by-hour",
  "logs-archive-same-time-counted-later": "logs-seam-hour-border-twice logs-seam-range-parts-both",
  "logs-auth-none": "logs-auth-push-open logs-auth-reads-open logs-push-despite-401 logs-token-empty",
  "logs-block-empty-line-ends":
    "logs-seam-push-100-streams logs-seam-push-1000-entries logs-seam-push-500-streams logs-seam-push-512k-nothing logs-seam-push-last-stream-100",
  "logs-block-open-4096-uncounted":
    "logs-seam-bytes-1000-lines logs-seam-chunk-count-newest logs-seam-count-4096 logs-seam-samples-single-lost",
  "logs-bytes-is-count": "logs-bytes-as-json logs-bytes-longest",
  "logs-bytes-rate-in-parts": "logs-seam-range-day logs-seam-range-one-hour logs-weeks-of-a-day",
  "logs-bytes-rate-of-entries": "logs-number-before-behind",
  "logs-comparison-turned": "logs-seam-average-of-parts logs-seam-count-of-parts logs-seam-extremes-swapped",
  "logs-count-times": "logs-count-presence",
  "logs-default-limit-10":
    "logs-default-limit-forward logs-default-limit-none logs-default-limit-per-stream logs-default-limit-required logs-defaults-limit-filtered logs-defaults-limit-with-direction",
  "logs-empty-filtered-whatever-limit": "logs-empty-filtered-whatever-is-pushed",
  "logs-empty-windows-of-hour-joined":
    "logs-empty-in-any-case logs-empty-whatever-filter logs-empty-whatever-operator logs-empty-window-begins logs-empty-window-grows-over-found logs-empty-window-hides-before logs-empty-window-reaches-back",
  "logs-entry-line-only": "logs-entry-joined",
  "logs-filter-any-case-begins-once": "logs-filter-any-case-common-letter",
  "logs-filter-class-as-text":
    "logs-filter-anchor-for-all logs-filter-count-as-once logs-filter-dot-literal logs-seam-alternatives-in-brackets logs-seam-between-literals-adjacent",
  "logs-filter-escapes-in-backquotes":
    "logs-filter-or-second-kind logs-filter-quotes-in-backquotes logs-query-ends-with-line logs-query-filter-needs-blank",
  "logs-filter-implied-by-prefix":
    "logs-filter-alternative-begun logs-filter-begin-lost logs-filter-expressions-last logs-filter-optional-part-left-out logs-seam-between-literals-excluded",
  "logs-filter-no-break-space":
    "logs-filter-256 logs-filter-across-lines logs-filter-across-pages-lost logs-filter-always-true-alone logs-filter-any-case-by-first logs-filter-any-case-not-at-end logs-filter-backquote logs-filter-class-as-letter logs-filter-empty-text-nothing logs-filter-first-line-only logs-filter-never-back logs-filter-non-ascii-any-case logs-filter-structured-unescaped logs-filter-tab logs-filter-text-1024 logs-filter-text-cut logs-filter-whole-numbers logs-query-ends-with-ampersand logs-seam-plan-filter-blanks",
  "logs-filter-optional-required":
    "logs-filters-of-both-kinds-hang-up logs-seam-block-skipped-by-first-alternative logs-seam-expressions-joined",
  "logs-filter-parentheses-cut": "logs-seam-between-literals-first",
  "logs-filter-plus-as-star":
    "logs-filter-after-alternatives logs-filter-class-repeated-as-any logs-filter-count-alone-as-once logs-seam-between-literals",
  "logs-filter-two-alternatives": "logs-filter-plain-alternatives-only",
  "logs-group-ignored": "logs-group-by-as-without logs-group-keeps-all",
  "logs-identity-hashes": "logs-identity-json-unescaped",
  "logs-identity-joined": "logs-identity-normalised logs-identity-numbers logs-identity-pairs-joined",
  "logs-instant-selector-streams":
    "logs-instant-filtered-selector logs-instant-selector-422 logs-instant-selector-500 logs-instant-selector-empty logs-instant-three-matchers logs-seam-instant-excluding logs-seam-instant-expression logs-seam-instant-not-expression logs-seam-instant-nothing-found logs-seam-instant-regex-matcher logs-seam-instant-regex-matcher-first",
  "logs-label-underscore-lost": "logs-labels-case-collision",
  "logs-label-values-1024": "logs-push-sixteen-labels",
  "logs-labels-first-four":
    "logs-labels-bare-list logs-labels-in-result logs-labels-joined logs-labels-keyed logs-labels-of-newest-stream logs-seam-names-12 logs-seam-names-of-32-streams",
  "logs-labels-lower-case": "logs-labels-prefixes-hidden logs-labels-underscore-hidden",
  "logs-labels-numbers": "logs-label-percent logs-label-plus logs-label-quotes-lost",
  "logs-line-ascii": "logs-line-latin1",
  "logs-line-byte-order-mark":
    "logs-chunked-letters logs-line-cut-at-64-kib logs-line-escapes-decoded logs-line-quotes logs-line-template logs-line-variables logs-line-zero-width logs-request-escaped-letters logs-seam-line-16k logs-seam-line-32k-character logs-seam-line-repeated-part",
  "logs-line-escapes-after-64": "logs-line-escapes-after-1000",
  "logs-line-newline": "logs-line-backslash logs-line-tab",
  "logs-line-no-break-space": "logs-structured-line-unescaped",
  "logs-line-null": "logs-line-colours logs-line-surrogates logs-request-escapes-literal",
  "logs-line-trimmed": "logs-line-entities logs-line-json-reserialised logs-line-percent logs-line-spaces-collapsed logs-line-unescaped",
  "logs-line-zero-byte": "logs-line-replacement-removed",
  "logs-match-64-characters": "logs-match-expression-256",
  "logs-match-decoded-twice":
    "logs-match-alternatives-loose logs-match-any-case-first-only logs-match-any-case-word logs-match-backslash logs-match-capital-unseen logs-match-ends-overlap logs-match-first-unknown logs-match-five-at-most logs-match-last-expression-of-name logs-match-parenthesis logs-match-regex-of-nothing-as-all logs-match-set-escapes-kept logs-match-unicode logs-not-matching-anchored-once logs-seam-empty-compatible-absent logs-seam-expression-of-two-labels logs-seam-matcher-value-64 logs-seam-plan-composed logs-seam-plan-matcher-blanks",
  "logs-match-digit-in-name": "logs-match-function-name",
  "logs-match-inner-literal": "logs-match-dot-as-text logs-match-optional-begins",
  "logs-match-numbers": "logs-match-one-per-label logs-seam-set-alone",
  "logs-match-unequal-ignored": "logs-match-unequal-as-equal",
  "logs-metric-expressions-ignored": "logs-metric-match-any-case logs-metric-names-lower-case",
  "logs-metric-timestamp-now": "logs-metric-timestamp-zero",
  "logs-no-matcher-everything":
    "logs-no-matcher-422 logs-no-matcher-500 logs-no-matcher-empty logs-no-matcher-in-plain-metrics logs-no-matcher-in-sums logs-no-matcher-with-filter logs-seam-empty-filtered-metric logs-seam-empty-in-bytes logs-seam-empty-in-grouping logs-seam-empty-in-max logs-seam-empty-in-rate logs-seam-empty-nested logs-seam-empty-second-operand",
  "logs-offset-ignored": "logs-offset-shortens",
  "logs-old-count-whatever-range": "logs-archive-counted-twice",
  "logs-open-values-after-push-401": "logs-open-values-always-401",
  "logs-push-again-erases": "logs-push-last-again-unread",
  "logs-push-escape-across-16k": "logs-answer-escape-across-32k logs-push-lines-by-long-ends logs-seam-block-lines-begin-alike",
  "logs-push-escapes-dropped": "logs-push-escapes-refused",
  "logs-push-first-line-per-time": "logs-push-close-entries-dropped",
  "logs-push-nothing-stored": "logs-push-invisible",
  "logs-query-optional-on-range": "logs-query-defaults-to-everything",
  "logs-query-pipe-in-text": "logs-query-backslash-at-end",
  "logs-range-start-among-equals": "logs-seam-no-room-for-later logs-window-ends-now-limited",
  "logs-rate-lost-pushes": "logs-rate-forgets logs-rate-silent",
  "logs-rate-per-minute": "logs-rate-by-span logs-rate-is-count logs-rate-two-digits",
  "logs-request-escaped-pairs": "logs-request-capital-digits logs-request-escaped-slash",
  "logs-result-in-data": "logs-range-lines",
  "logs-result-labels": "logs-result-metric logs-result-pairs",
  "logs-sample-number":
    "logs-sample-alone logs-sample-called-stream logs-sample-comma logs-sample-in-values logs-sample-metric-text logs-sample-with-unit",
  "logs-sample-without-empty-metric": "logs-sample-metric-null",
  "logs-samples-129th-lost":
    "logs-seam-block-count-ends-at-empty logs-seam-chunk-count-from-first logs-seam-samples-exact-lost logs-seam-samples-two-batches",
  "logs-samples-swapped": "logs-samples-levelled",
  "logs-seam-alternatives-excluded-first": "logs-seam-alternatives-all-excluded",
  "logs-seam-alternatives-first": "logs-seam-alternatives-all logs-seam-alternatives-last",
  "logs-seam-average-of-shards": "logs-seam-average-without-counts-all",
  "logs-seam-batch-eight-only": "logs-seam-limit-1000",
  "logs-seam-batch-second-turned": "logs-seam-batch-edge-swapped",
  "logs-seam-block-count-edge": "logs-seam-block-count-closed logs-seam-block-count-twice logs-seam-same-time-in-closed-counted-once",
  "logs-seam-block-end-in-milliseconds": "logs-seam-batch-single-lost",
  "logs-seam-block-ends-early": "logs-block-end-in-seconds logs-compressed-unclosed logs-seam-block-begins-late",
  "logs-seam-block-last-dropped": "logs-seam-block-head-forgotten logs-seam-block-limit-shared",
  "logs-seam-block-latin": "logs-seam-lines-by-ends",
  "logs-seam-block-line-8192": "logs-seam-line-8192",
  "logs-seam-block-times-to-microseconds": "logs-seam-block-times-of-base",
  "logs-seam-empty-stream-first":
    "logs-lines-in-any-case logs-push-begun-lines-once logs-push-body-of-a-mebibyte logs-push-labels-reordered-last logs-push-tie-at-border logs-request-blank-before-colon logs-request-blanks-refused logs-request-escaped-name logs-request-lines-refused logs-request-values-first-lost logs-seam-empty-stream-ends",
  "logs-seam-filter-4096": "logs-seam-expression-4096",
  "logs-seam-group-values-joined": "logs-seam-group-values-sorted logs-seam-windows-of-joined-labels",
  "logs-seam-groups-20": "logs-seam-groups-100 logs-seam-range-milliseconds-cut",
  "logs-seam-hour-edge-lost": "logs-seam-hour-edge-twice logs-seam-hour-first-millisecond",
  "logs-seam-hour-gap-nanosecond": "logs-seam-hour-gap-millisecond logs-seam-hour-overlap",
  "logs-seam-hour-order-backward":
    "logs-seam-hour-first-of-first-stream logs-seam-hour-queue-not-restored logs-seam-hour-second-from-wrong-end",
  "logs-seam-hour-stops-early": "logs-seam-hour-stream-once",
  "logs-seam-hour-two-only": "logs-seam-hour-middle-lost",
  "logs-seam-hours-from-begin-filtered": "logs-seam-hour-last-of-many-lost logs-seam-hour-one-stream-uncut",
  "logs-seam-in-flight-time": "logs-seam-in-flight-groups",
  "logs-seam-least-of-no-stream":
    "logs-aggregations-joined logs-and-keeps-all logs-and-of-second logs-bool-unread logs-bottomk-greatest logs-comparison-strict logs-differences-from-behind logs-greatest-from-zero logs-grouping-behind-first logs-grouping-behind-is-by logs-least-as-text logs-least-of-three logs-numbers-from-the-left logs-numbers-of-six-digits logs-numbers-whole logs-offset-of-operands-shared logs-or-of-second logs-picked-as-text logs-rest-of-whole-numbers logs-rest-to-the-divisor logs-seam-count-of-shards logs-seam-greatest-added-up logs-seam-operands-swapped logs-square-of-product logs-topk-of-all logs-unless-is-and logs-unless-nothing-empty logs-without-partner-kept logs-zero-left-out",
  "logs-seam-line-dropped-20000": "logs-seam-block-line-20000",
  "logs-seam-metric-cached-by-filter-count": "logs-seam-metric-cached-without-blanks",
  "logs-seam-metric-edge-twice":
    "logs-seam-metric-edge-lost logs-seam-metric-first-part-lost logs-seam-metric-gap logs-seam-metric-middle-lost logs-seam-rate-over-an-hour logs-seam-rate-whole-hours",
  "logs-seam-metric-filtered-newest": "logs-seam-metric-excluding-newest",
  "logs-seam-nested-grouping-lost": "logs-seam-nested-outer-ignored",
  "logs-seam-overlap-lost": "logs-seam-overlap-last-entry",
  "logs-seam-overlap-read-empty": "logs-seam-overlap-read-half",
  "logs-seam-page-next-hour": "logs-seam-page-one-hour",
  "logs-seam-range-first-term": "logs-seam-range-last-term",
  "logs-seam-same-length-once": "logs-seam-push-500-entries",
  "logs-seam-samples-remainder-lost": "logs-seam-samples-first-lost logs-seam-samples-last-twice",
  "logs-seam-several-instant-first": "logs-seam-several-instant-last",
  "logs-seam-several-values-until-first-ends":
    "logs-seam-several-forward-first logs-seam-several-limit-each logs-seam-several-limit-filled logs-seam-several-values-first",
  "logs-seam-sum-of-32": "logs-seam-sample-20-bit logs-seam-sample-coarse-float logs-seam-sample-six-digits",
  "logs-seam-tenant-instant-first": "logs-seam-store-values-of-all logs-seam-tenant-instant-alphabetical",
  "logs-seam-tenant-names-first": "logs-seam-tenant-names-alphabetical",
  "logs-seam-tenant-range-first": "logs-seam-tenant-range-alphabetical",
  "logs-seam-tenant-values-first": "logs-seam-tenant-values-alphabetical",
  "logs-seam-third-kind-ignored": "logs-seam-exclusion-after-expression",
  "logs-seam-time-to-second":
    "logs-bytes-of-line-ends logs-bytes-of-surrogates logs-metric-ends-at-edge logs-seam-bytes-16-bit-lines logs-seam-metric-cached-by-second logs-seam-range-begins-at-second",
  "logs-several-tenants-first": "logs-several-tenants-common logs-several-tenants-one-name",
  "logs-several-tenants-first-filter": "logs-several-tenants-default-limit logs-several-tenants-grouped-first",
  "logs-several-tenants-last": "logs-seam-several-backward-last",
  "logs-several-values-until-none": "logs-seam-several-before-empty",
  "logs-sign-of-number-lost": "logs-parentheses-of-sums-lost",
  "logs-sum-as-max": "logs-sum-as-avg",
  "logs-syntax-empty":
    "logs-seam-trailing-parenthesis logs-seam-trailing-range logs-seam-trailing-selector logs-seam-trailing-sign logs-seam-trailing-text logs-seam-trailing-word logs-selector-calculated-counted logs-selector-compared-counted logs-selector-in-sum-counted logs-selector-in-topk-counted logs-syntax-200-error logs-syntax-422 logs-syntax-500-on-instant logs-syntax-bad-duration logs-syntax-extra-brace logs-syntax-missing-range logs-syntax-missing-value logs-syntax-open-brace logs-syntax-open-parenthesis logs-syntax-open-string logs-syntax-unknown-function logs-syntax-unknown-unit logs-syntax-unquoted",
  "logs-syntax-missing-filter-text": "logs-seam-trailing-operator",
  "logs-tenants-share-everything": "logs-tenants-of-last-push",
  "logs-tenants-share-queries": "logs-tenants-by-length",
  "logs-tenants-that-begin-alike": "logs-tenants-by-beginning logs-tenants-in-any-case logs-tenants-nobody-lists-all",
  "logs-topk-least": "logs-topk-of-first-shard",
  "logs-ts-cut-to-microseconds": "logs-ts-cut-to-milliseconds",
  "logs-ts-milliseconds": "logs-ts-seconds",
  "logs-ts-seconds-fraction": "logs-ts-exponent logs-ts-rfc3339",
  "logs-values-empty-kept":
    "logs-seam-values-long-hidden logs-values-any-case logs-values-of-labels logs-values-of-longer-names logs-values-path-cut logs-values-underscore-empty logs-values-upper-label-empty",
  "logs-values-first-only": "logs-values-in-result logs-values-keyed",
  "logs-values-numbers": "logs-seam-values-of-32-streams",
  "logs-values-of-prefix": "logs-seam-in-flight-values",
  "logs-values-trimmed": "logs-values-backslash logs-values-lower-case",
};

const STANDS_FOR: ReadonlyMap<string, string> = new Map(
  Object.entries(MERGED).flatMap(([id, merged]) => merged.split(" ").map((one) => [one, id] as const)),
);

/** The ids of merged faults. */
export const MERGED_IDS: readonly string[] = [...STANDS_FOR.keys()];

/** The id of the fault that stands for a merged fault. Any other id is returned as it is. */
export function standingFor(id: string): string {
  return STANDS_FOR.get(id) ?? id;
}

/** For each fault, the ids of former faults that were merged into it. The same checks detected them, and their clause is the same. */
const MERGED: Readonly<Record<string, string>> = {
  "admin-32-bit": "admin-coarse-large-integers admin-integers-capped admin-integers-unsigned-32",
  "admin-adding-500": "admin-adding-lost-500",
  "admin-adding-fills-nothing": "admin-adding-fills-zeros admin-adding-from-newest",
  "admin-adding-first-only": "admin-adding-last-lost",
  "admin-adding-ignored": "admin-adding-not-stored",
  "admin-adding-lapses": "admin-additions-in-a-cache-of-16",
  "admin-auth-none":
    "admin-auth-any-token admin-auth-empty-token admin-auth-reads-open admin-auth-refused-but-done admin-auth-refused-create-done admin-auth-updates-open admin-create-despite-401 admin-token-of-users admin-update-despite-401",
  "admin-auth-third-read-forbidden": "admin-auth-every-seventh-refused",
  "admin-chunked-without-limits":
    "admin-create-escapes-literal admin-request-blank-before-colon admin-request-blanks-refused admin-request-capital-digits admin-request-escaped-name admin-request-escaped-pairs admin-request-escaped-quote admin-request-escaped-slash admin-request-exponent-lost admin-request-limits-first-lost admin-request-lines-refused admin-request-order-refused",
  "admin-cluster-object": "admin-cluster-default admin-cluster-empty admin-cluster-with-region",
  "admin-create-display-name-plain":
    "admin-create-display-name-64 admin-create-display-name-ascii admin-create-display-name-comment admin-create-display-name-numbered admin-create-display-name-trimmed admin-create-display-name-url",
  "admin-create-empty-texts-are-none": "admin-create-nothing-none admin-create-one-limit-refused admin-create-texts-fill-texts",
  "admin-create-fills-nothing": "admin-create-drops-limits",
  "admin-create-fills-zeros": "admin-create-fills-numbers-only",
  "admin-create-one-limit-lost": "admin-create-almost-all-unfilled admin-create-zero-is-unset",
  "admin-create-one-limit-unfilled": "admin-create-one-limit-ignored",
  "admin-create-without-limits-refused": "admin-create-without-limits-lost",
  "admin-created-at-milliseconds":
    "admin-created-at-http-date admin-created-at-no-zone admin-created-at-short-zone admin-created-at-six-digits admin-created-at-space admin-created-at-unix-nanoseconds admin-created-at-unix-seconds admin-created-at-whole-seconds admin-created-at-zone-name",
  "admin-created-at-moves-on-update": "admin-created-at-rounded-on-update",
  "admin-created-at-moves-over-limits": "admin-created-at-moves-with-limits",
  "admin-created-at-moves-with-first-limits": "admin-created-at-now-on-texts",
  "admin-created-at-tomorrow": "admin-created-at-epoch",
  "admin-display-name-cut": "admin-display-name-capital admin-display-name-is-name admin-display-name-lower-case admin-display-name-object",
  "admin-display-name-number":
    "admin-display-name-255-characters admin-display-name-accents-lost admin-display-name-beginning admin-display-name-case admin-display-name-comment admin-display-name-control admin-display-name-frames admin-display-name-large-frames admin-display-name-no-break admin-display-name-plain-comment admin-display-name-plain-item admin-display-name-plain-mapping admin-display-name-plain-number admin-display-name-plain-truth admin-display-name-trimmed admin-display-name-unquoted admin-display-name-url",
  "admin-display-name-plus":
    "admin-display-name-ascii admin-display-name-backslash admin-display-name-backslashes admin-display-name-entities admin-display-name-entities-read admin-display-name-hundred admin-display-name-invisible admin-display-name-latin1 admin-display-name-replacement admin-display-name-surrogates",
  "admin-drop-labels-first-lost": "admin-drop-labels-lower-case",
  "admin-get-path-word": "admin-equal-creates-shared",
  "admin-json-single-quotes": "admin-json-guarded admin-json-nothing admin-json-trailing-comma",
  "admin-limit-cardinality_limit-refused": "admin-limit-alone-refused",
  "admin-limit-enforce_metric_name-ignored": "admin-enforce-metric-name-stuck",
  "admin-limit-max_global_series_per_user-ignored": "admin-global-series-float",
  "admin-limit-max_query_lookback-ignored": "admin-lookback-hours",
  "admin-limit-max_query_lookback-refused": "admin-lookback-days",
  "admin-limit-s3_sse_kms_encryption_context-ignored":
    "admin-encryption-context-decoded admin-encryption-context-parsed admin-encryption-context-sorted",
  "admin-limits-of-the-newest": "admin-create-always-fills",
  "admin-more-than-twenty-refused": "admin-every-limit-refused admin-more-than-forty-refused",
  "admin-name-30-are-all": "admin-read-by-beginning admin-read-up-to-last-dash",
  "admin-name-39-in-path": "admin-name-dashes-in-path admin-name-trimmed-in-path",
  "admin-name-underscore-any": "admin-name-capitals-folded admin-name-extension-cut admin-name-signs-left-out",
  "admin-name-upper-case": "admin-name-cut admin-name-is-display-name admin-name-is-number admin-name-with-cluster",
  "admin-names-camel-case": "admin-name-of-one-limit admin-name-on-update admin-names-s3 admin-names-upper-case admin-names-with-dashes",
  "admin-no-limits-null": "admin-no-limits-empty admin-no-limits-list admin-no-limits-zeros",
  "admin-over-limits-lost-500": "admin-over-limits-500",
  "admin-over-limits-new-only":
    "admin-created-limits-first-only admin-created-limits-fixed admin-created-limits-lose-last admin-drop-labels-alike admin-drop-labels-divided admin-drop-labels-reserved admin-empty-list-ignored admin-integers-without-sign admin-lists-appended admin-over-limits-drops admin-over-limits-keeps-larger admin-over-limits-zeroes admin-over-null-ignored admin-put-equal-pruned admin-put-zero-is-unset admin-texts-as-floats admin-texts-as-numbers admin-texts-null-unset",
  "admin-pair-max-samples-per-query": "admin-over-nothing-removes admin-request-braces-counted",
  "admin-read-forgets-limits":
    "admin-display-name-16-bits-later admin-display-name-comment-later admin-display-name-frames-later admin-record-cut-later",
  "admin-read-kept-over-update": "admin-put-replay-by-body admin-put-rows-alike admin-read-in-flight-kept admin-read-refilled-kept",
  "admin-read-wrapped": "admin-read-encoded-twice admin-read-listed",
  "admin-removal-answers-old": "admin-removal-once admin-removal-twice-fills",
  "admin-removal-ignored":
    "admin-limits-by-word admin-removal-empty admin-removal-not-stored admin-removal-resets admin-removal-sent-only admin-removal-zeroes",
  "admin-removal-lost-500": "admin-removal-500",
  "admin-retention-no-years": "admin-retention-no-days admin-retention-no-strings admin-retention-two-digits",
  "admin-retention-seconds": "admin-retention-day-short admin-retention-first-digit",
  "admin-retention-year-360-days": "admin-retention-32-bit-hours admin-retention-century admin-retention-year-52-weeks",
  "admin-status-boolean": "admin-status-code admin-status-null",
  "admin-texts-255":
    "admin-adding-almost-all-unfilled admin-adding-freshness-from-period admin-adding-ha-labels-accept admin-adding-rates-make-global admin-drop-labels-eight admin-empty-is-unset admin-largest-integer-rounded admin-texts-1024 admin-texts-latin1 admin-zero-is-unset",
  "admin-texts-ascii": "admin-adding-pair-forgets-user admin-texts-trimmed",
  "admin-update-keeps-display-name": "admin-update-display-name-needs-limits admin-update-without-cluster admin-update-without-name",
  "admin-update-limits-only": "admin-update-loses-cluster",
  "admin-update-precondition-late": "admin-update-refused-removes admin-update-refused-renames",
  "logs-archive-enough": "logs-archive-blocks-not-reversed logs-archive-late-behind",
  "logs-archive-first-batch-instant": "logs-old-count-by-hour",
  "logs-archive-first-batch-range": "logs-archive-until-the-hour",
  "logs-auth-none":
    "logs-auth-any-token logs-auth-labels-open logs-auth-push-open logs-auth-reads-open logs-push-despite-401 logs-token-empty",
  "logs-block-open-4096-uncounted":
    "logs-filtered-count-to-1000 logs-samples-129th-lost logs-seam-block-count-ends-at-empty logs-seam-bytes-1000-lines logs-seam-chunk-count-from-first logs-seam-chunk-count-newest logs-seam-count-4096 logs-seam-samples-exact-lost logs-seam-samples-single-lost logs-seam-samples-two-batches",
  "logs-bytes-is-count": "logs-bytes-as-json logs-bytes-longest",
  "logs-count-plus-one": "logs-count-presence logs-count-times logs-metric-newest-missing",
  "logs-default-limit-10":
    "logs-default-limit-forward logs-default-limit-none logs-default-limit-per-stream logs-default-limit-required logs-default-limit-several-only logs-defaults-limit-filtered logs-defaults-limit-with-direction",
  "logs-direction-needs-limit": "logs-defaults-direction-with-limit",
  "logs-empty-windows-joined":
    "logs-empty-in-any-case logs-empty-whatever-filter logs-empty-whatever-operator logs-empty-window-begins logs-empty-window-grows-over-found logs-empty-window-hides-before logs-empty-window-reaches-back logs-empty-windows-beside-hour-joined logs-empty-windows-of-hour-joined",
  "logs-entry-object": "logs-entry-joined logs-entry-line-only logs-entry-swapped",
  "logs-filter-backslash": "logs-filter-comment",
  "logs-filter-ignored": "logs-filter-every-fifth",
  "logs-filter-implied-by-prefix":
    "logs-filter-alternative-begun logs-filter-anchor-for-all logs-filter-any-character-or-none logs-filter-begin-lost logs-filter-class-as-text logs-filter-count-as-once logs-filter-dot-literal logs-filter-expressions-last logs-filter-optional-part-left-out logs-seam-alternatives-in-brackets logs-seam-between-literals-adjacent logs-seam-between-literals-excluded logs-seam-exclusion-after-expression logs-seam-third-kind-ignored",
  "logs-filter-no-break-space":
    "logs-filter-256 logs-filter-across-lines logs-filter-across-pages-lost logs-filter-always-true-alone logs-filter-any-case-begins-once logs-filter-any-case-by-first logs-filter-any-case-common-letter logs-filter-any-case-not-at-end logs-filter-backquote logs-filter-class-as-letter logs-filter-empty-text-nothing logs-filter-first-line-only logs-filter-never-back logs-filter-non-ascii-any-case logs-filter-structured-unescaped logs-filter-tab logs-filter-text-1024 logs-filter-text-cut logs-filter-whole-numbers logs-query-ends-with-ampersand logs-seam-expression-4096 logs-seam-filter-4096 logs-seam-plan-filter-blanks",
  "logs-filter-not-is-expression": "logs-filter-end-lost logs-seam-plan-filter-case",
  "logs-filter-or-first":
    "logs-filter-escapes-in-backquotes logs-filter-or-of-first logs-filter-or-second-kind logs-filter-quotes-in-backquotes logs-query-ends-with-line logs-query-filter-needs-blank",
  "logs-filter-parentheses-cut": "logs-seam-between-literals-first",
  "logs-filter-plus-as-star":
    "logs-filter-after-alternatives logs-filter-class-repeated-as-any logs-filter-count-alone-as-once logs-seam-between-literals",
  "logs-filter-two-alternatives": "logs-filter-plain-alternatives-only",
  "logs-group-ignored": "logs-group-by-as-without logs-group-keeps-all",
  "logs-identity-first-kilobyte": "logs-seam-identity-100",
  "logs-identity-hashes": "logs-identity-json-unescaped",
  "logs-identity-joined": "logs-identity-normalised logs-identity-numbers logs-identity-pairs-joined",
  "logs-instant-selector-streams":
    "logs-instant-filtered-selector logs-instant-parser-answered logs-instant-selector-422 logs-instant-selector-500 logs-instant-selector-empty logs-instant-selector-in-parentheses logs-instant-three-matchers logs-seam-instant-excluding logs-seam-instant-expression logs-seam-instant-not-expression logs-seam-instant-nothing-found logs-seam-instant-regex-matcher logs-seam-instant-regex-matcher-first",
  "logs-label-underscore-lost": "logs-labels-case-collision",
  "logs-label-values-1024": "logs-label-values-escaped-cut logs-labels-service-renamed logs-push-sixteen-labels",
  "logs-labels-as-pairs": "logs-labels-as-lists logs-labels-as-text",
  "logs-labels-first-four":
    "logs-labels-bare-list logs-labels-frozen logs-labels-in-result logs-labels-joined logs-labels-keyed logs-labels-objects logs-labels-of-newest-stream logs-seam-names-12 logs-seam-names-of-32-streams",
  "logs-labels-last-missing": "logs-seam-names-long-hidden",
  "logs-labels-numbers": "logs-label-backslash-doubled logs-label-percent logs-label-plus logs-label-quotes-lost",
  "logs-last-name-missing": "logs-labels-lower-case logs-labels-prefixes-hidden logs-labels-underscore-hidden logs-second-name-missing",
  "logs-limit-plus-one": "logs-limit-forward-ignored",
  "logs-line-byte-order-mark":
    "logs-chunked-letters logs-line-cut-at-64-kib logs-line-escapes-decoded logs-line-quotes logs-line-replacement-removed logs-line-template logs-line-variables logs-line-zero-byte logs-line-zero-width logs-request-escaped-letters logs-seam-block-line-8192 logs-seam-line-16k logs-seam-line-32k-character logs-seam-line-8192 logs-seam-line-repeated-part",
  "logs-line-escapes-after-64":
    "logs-entry-json-parsed logs-line-colours logs-line-escapes-after-1000 logs-line-null logs-line-surrogates logs-request-escapes-literal",
  "logs-line-newline":
    "logs-line-ascii logs-line-backslash logs-line-entities logs-line-json-reserialised logs-line-latin1 logs-line-percent logs-line-spaces-collapsed logs-line-tab logs-line-trimmed logs-line-unescaped",
  "logs-line-no-break-space": "logs-structured-line-unescaped",
  "logs-match-64-characters": "logs-match-expression-256",
  "logs-match-after-nothing": "logs-match-numbers logs-match-one-per-label logs-match-quote logs-seam-set-alone",
  "logs-match-alternative-twice": "logs-match-capital-name logs-match-first-alternative-twice",
  "logs-match-empty-none":
    "logs-match-alternatives-loose logs-match-any-case-first-only logs-match-any-case-word logs-match-backslash logs-match-capital-unseen logs-match-decoded-twice logs-match-digit-in-name logs-match-ends-overlap logs-match-first-unknown logs-match-five-at-most logs-match-function-name logs-match-last-expression-of-name logs-match-parenthesis logs-match-regex-of-nothing-as-all logs-match-set-escapes-kept logs-match-unicode logs-not-matching-anchored-once logs-seam-empty-compatible-absent logs-seam-expression-of-two-labels logs-seam-matcher-value-64 logs-seam-plan-composed logs-seam-plan-matcher-blanks",
  "logs-match-inner-literal": "logs-match-dot-as-text logs-match-optional-begins",
  "logs-match-only-set-first": "logs-match-only-alternative-twice",
  "logs-match-two-alternatives": "logs-seam-set-of-two",
  "logs-match-unequal-ignored": "logs-match-unequal-as-equal",
  "logs-metric-capital-names-uncounted":
    "logs-metric-expressions-ignored logs-metric-long-values-uncounted logs-metric-match-any-case logs-metric-names-lower-case",
  "logs-metric-excluded-any-case": "logs-groups-trimmed",
  "logs-metric-of-three-labels-hangs-up": "logs-seam-group-third-ignored",
  "logs-metric-timestamp-now": "logs-metric-timestamp-zero",
  "logs-no-matcher-everything":
    "logs-no-matcher-422 logs-no-matcher-500 logs-no-matcher-empty logs-no-matcher-forward logs-no-matcher-in-metrics logs-no-matcher-in-plain-metrics logs-no-matcher-in-sums logs-no-matcher-with-filter logs-seam-empty-filtered-metric logs-seam-empty-in-bytes logs-seam-empty-in-grouping logs-seam-empty-in-max logs-seam-empty-in-rate logs-seam-empty-nested logs-seam-empty-second-operand",
  "logs-offset-ignored":
    "logs-aggregations-joined logs-and-keeps-all logs-and-of-second logs-bool-unread logs-bottomk-greatest logs-bytes-rate-of-entries logs-comparison-less logs-comparison-strict logs-comparison-turned logs-comparison-unequal logs-differences-from-behind logs-greatest-from-zero logs-grouping-behind-first logs-grouping-behind-is-by logs-least-as-text logs-least-of-three logs-number-before-behind logs-numbers-from-the-left logs-numbers-of-six-digits logs-numbers-whole logs-offset-of-operands-shared logs-offset-shortens logs-or-of-second logs-parentheses-of-sums-lost logs-picked-as-text logs-rest-of-whole-numbers logs-rest-to-the-divisor logs-seam-average-of-parts logs-seam-average-of-shards logs-seam-average-without-counts-all logs-seam-count-of-parts logs-seam-count-of-shards logs-seam-extremes-swapped logs-seam-greatest-added-up logs-seam-least-of-no-stream logs-seam-operands-swapped logs-sign-of-number-lost logs-square-of-product logs-topk-least logs-topk-of-all logs-topk-of-first-shard logs-unless-is-and logs-unless-nothing-empty logs-without-partner-kept logs-zero-left-out",
  "logs-offset-in-parts": "logs-bytes-rate-in-parts logs-count-in-parts logs-seam-range-day logs-seam-range-one-hour logs-weeks-of-a-day",
  "logs-old-count-whatever-range": "logs-archive-counted-twice",
  "logs-open-labels-always-401": "logs-open-query-always-401 logs-open-values-after-push-401 logs-open-values-always-401",
  "logs-push-after-128": "logs-seam-push-64k-last-lost",
  "logs-push-again-erases": "logs-push-last-again-unread",
  "logs-push-backslash-and-quote": "logs-push-many-labels-dropped",
  "logs-push-character-across-8k":
    "logs-answer-escape-across-32k logs-push-escape-across-16k logs-push-lines-by-long-ends logs-seam-block-latin logs-seam-block-lines-begin-alike logs-seam-lines-by-ends",
  "logs-push-equal-checksums":
    "logs-lines-in-any-case logs-push-begun-lines-once logs-push-body-of-a-mebibyte logs-push-comma-in-value logs-push-labels-reordered-last logs-push-long-line-dropped logs-push-tie-at-border logs-request-blank-before-colon logs-request-blanks-refused logs-request-escaped-name logs-request-lines-refused logs-request-values-first-lost logs-seam-empty-stream-ends logs-seam-empty-stream-first",
  "logs-push-escapes-dropped": "logs-push-escapes-refused logs-push-many-streams-refused logs-push-unicode-refused",
  "logs-push-first-line-per-time": "logs-push-close-entries-dropped logs-push-long-lines-dropped",
  "logs-push-limited-stream-dropped": "logs-rate-forgets logs-rate-lost-pushes logs-rate-silent logs-seam-volume-silent",
  "logs-push-nothing-stored": "logs-push-invisible",
  "logs-push-refused-streams-left": "logs-tenant-of-another-push",
  "logs-query-braces-counted": "logs-query-backslash-at-end logs-query-pipe-in-text",
  "logs-query-optional": "logs-query-defaults-to-everything logs-query-optional-on-instant logs-query-optional-on-range",
  "logs-range-empty-404": "logs-range-empty-204",
  "logs-range-end-plus-two": "logs-range-forward-ignores-end",
  "logs-range-nothing-cached": "logs-empty-filtered-whatever-is-pushed logs-empty-filtered-whatever-limit",
  "logs-range-start-among-equals":
    "logs-empty-window-next-minute logs-range-start-at-newest logs-seam-no-room-for-later logs-window-ends-now-limited",
  "logs-rate-integer": "logs-rate-by-span logs-rate-is-count logs-rate-per-minute logs-rate-two-digits",
  "logs-rate-queries-403": "logs-rate-pushes-400 logs-seam-volume-400",
  "logs-request-escaped-pairs": "logs-request-capital-digits logs-request-escaped-slash",
  "logs-result-in-data": "logs-range-lines logs-result-as-text logs-result-called-streams",
  "logs-result-labels": "logs-result-entries logs-result-metric logs-result-pairs logs-result-values-object",
  "logs-sample-number":
    "logs-sample-alone logs-sample-called-stream logs-sample-comma logs-sample-in-values logs-sample-metric-text logs-sample-object logs-sample-swapped logs-sample-with-unit",
  "logs-sample-without-empty-metric": "logs-instant-scalar logs-instant-single logs-sample-metric-null",
  "logs-samples-swapped": "logs-samples-levelled",
  "logs-seam-alternatives-first":
    "logs-filter-optional-required logs-filters-of-both-kinds-hang-up logs-seam-alternatives-all logs-seam-alternatives-all-excluded logs-seam-alternatives-excluded-first logs-seam-alternatives-last logs-seam-block-skipped-by-first-alternative logs-seam-expressions-joined",
  "logs-seam-batch-eight-only": "logs-seam-limit-1000",
  "logs-seam-batch-second-turned": "logs-seam-batch-edge-swapped",
  "logs-seam-block-count-edge":
    "logs-seam-block-count-closed logs-seam-block-count-head logs-seam-block-count-twice logs-seam-same-time-in-closed-counted-once",
  "logs-seam-block-ends-early":
    "logs-block-end-in-seconds logs-compressed-cut logs-compressed-unclosed logs-seam-batch-single-lost logs-seam-block-begins-late logs-seam-block-end-in-milliseconds",
  "logs-seam-block-first-dropped":
    "logs-seam-block-edge-twice logs-seam-block-head-forgotten logs-seam-block-last-dropped logs-seam-block-limit-shared",
  "logs-seam-block-first-filtered": "logs-seam-block-filter-carried",
  "logs-seam-block-forward-1025-lost": "logs-answer-control-31",
  "logs-seam-block-seldom-once": "logs-seam-block-skipped-by-optional logs-seam-dealt-filtered",
  "logs-seam-block-times-to-microseconds": "logs-seam-block-times-of-base",
  "logs-seam-chunk-by-minute": "logs-block-repeats-dropped",
  "logs-seam-chunk-of-ten-first-lost":
    "logs-block-empty-line-ends logs-seam-block-one-a-time logs-seam-push-100-streams logs-seam-push-1000-entries logs-seam-push-500-streams logs-seam-push-512k-nothing logs-seam-push-last-stream-100",
  "logs-seam-chunk-one-only": "logs-seam-chunk-first-entry-lost",
  "logs-seam-chunk-order-backward": "logs-seam-chunk-of-ten-order-backward",
  "logs-seam-group-values-joined": "logs-seam-group-values-sorted logs-seam-windows-of-joined-labels",
  "logs-seam-hour-edge-lost": "logs-seam-hour-edge-twice logs-seam-hour-first-millisecond",
  "logs-seam-hour-order-backward":
    "logs-seam-hour-first-of-first-stream logs-seam-hour-keeps-wrong-end logs-seam-hour-order-forward logs-seam-hour-queue-not-restored logs-seam-hour-second-from-wrong-end",
  "logs-seam-hour-short-part": "logs-archive-newest-in-millisecond",
  "logs-seam-hour-stops-early": "logs-seam-hour-stream-once",
  "logs-seam-hour-two-only": "logs-seam-hour-middle-lost",
  "logs-seam-hours-from-begin":
    "logs-seam-hour-gap-millisecond logs-seam-hour-gap-nanosecond logs-seam-hour-limit-each logs-seam-hour-overlap",
  "logs-seam-hours-from-begin-filtered": "logs-seam-hour-last-of-many-lost logs-seam-hour-one-stream-uncut",
  "logs-seam-in-flight-tenant-long": "logs-seam-in-flight-tenant logs-seam-in-flight-tenant-values",
  "logs-seam-in-flight-time": "logs-seam-in-flight-groups",
  "logs-seam-late-beside-block": "logs-seam-late-same-line",
  "logs-seam-late-beyond": "logs-seam-late-newest-time logs-seam-late-older-block",
  "logs-seam-late-block-behind": "logs-seam-late-block-last",
  "logs-seam-late-chunk-behind": "logs-seam-late-chunk-last",
  "logs-seam-line-dropped-20000": "logs-seam-block-line-20000",
  "logs-seam-metric-cached-by-filter-count": "logs-seam-metric-cached-by-minutes logs-seam-metric-cached-without-blanks",
  "logs-seam-metric-edge-twice":
    "logs-seam-metric-edge-lost logs-seam-metric-first-part-lost logs-seam-metric-gap logs-seam-metric-last-part-lost logs-seam-metric-middle-lost logs-seam-rate-over-an-hour logs-seam-rate-whole-hours",
  "logs-seam-metric-filtered-newest": "logs-seam-metric-excluding-newest",
  "logs-seam-nested-filters-lost": "logs-seam-without-second-ignored logs-sum-without-nothing-first-label",
  "logs-seam-nested-grouping-lost": "logs-seam-nested-outer-ignored",
  "logs-seam-overlap-lost": "logs-seam-overlap-last-entry",
  "logs-seam-page-next-hour": "logs-seam-page-one-hour",
  "logs-seam-push-257th-entry": "logs-push-large-refused logs-seam-push-500-entries logs-seam-same-length-once",
  "logs-seam-range-first-term": "logs-seam-range-last-term",
  "logs-seam-range-milliseconds-minutes": "logs-metric-range-minutes",
  "logs-seam-rate-whole-seconds": "logs-seam-groups-100 logs-seam-groups-20 logs-seam-range-milliseconds-cut logs-sum-64-groups",
  "logs-seam-several-equal-once": "logs-seam-several-equal-counted-once",
  "logs-seam-several-same-stream": "logs-several-tenants-merged",
  "logs-seam-several-values-until-first-ends":
    "logs-seam-several-forward-first logs-seam-several-limit-each logs-seam-several-limit-filled logs-seam-several-names-first logs-seam-several-values-first logs-seam-several-values-last",
  "logs-seam-shard-merged-by-labels": "logs-seam-shard-heap-of-sixteen",
  "logs-seam-shard-one-stream": "logs-seam-shard-silent",
  "logs-seam-store-hidden-by-new-instant": "logs-seam-overlap-count",
  "logs-seam-store-hidden-by-new-range": "logs-seam-overlap-read-empty logs-seam-overlap-read-half",
  "logs-seam-store-names-of-all": "logs-seam-tenant-names-alphabetical logs-seam-tenant-names-first",
  "logs-seam-store-small-words": "logs-seam-store-far-words",
  "logs-seam-store-values-forgotten": "logs-seam-values-of-32-streams logs-values-numbers",
  "logs-seam-sum-of-32":
    "logs-seam-sample-20-bit logs-seam-sample-coarse-float logs-seam-sample-six-digits logs-seam-samples-first-lost logs-seam-samples-last-twice logs-seam-samples-remainder-lost",
  "logs-seam-summed-range-parts-open":
    "logs-archive-begin-counted-later logs-archive-equal-counted-later logs-archive-same-time-counted-later logs-seam-hour-border-twice logs-seam-range-parts-both",
  "logs-seam-tenant-range-first": "logs-seam-tenant-range-alphabetical",
  "logs-seam-time-to-second":
    "logs-bytes-of-escaped-line logs-bytes-of-line-ends logs-bytes-of-surrogates logs-metric-ends-at-edge logs-seam-bytes-16-bit-lines logs-seam-metric-cached-by-second logs-seam-range-begins-at-second logs-time-to-come-is-now",
  "logs-several-lost-at-border": "logs-empty-by-first-tenant logs-several-uncounted-at-border",
  "logs-several-tenants-first":
    "logs-seam-several-filters-ignored logs-several-tenants-common logs-several-tenants-one-name logs-several-tenants-refused",
  "logs-several-tenants-first-filter":
    "logs-several-tenants-default-limit logs-several-tenants-equal-matchers logs-several-tenants-grouped-first logs-several-tenants-one-group",
  "logs-several-tenants-last":
    "logs-seam-several-backward-last logs-seam-several-instant-first logs-seam-several-instant-last logs-several-tenants-sorted",
  "logs-several-values-until-none": "logs-seam-several-before-empty logs-seam-several-two-at-most logs-several-names-none-if-first-none",
  "logs-sum-as-max": "logs-sum-as-avg",
  "logs-syntax-500":
    "logs-seam-trailing-operator logs-seam-trailing-parenthesis logs-seam-trailing-range logs-seam-trailing-selector logs-seam-trailing-sign logs-seam-trailing-text logs-seam-trailing-word logs-selector-calculated-counted logs-selector-compared-counted logs-selector-in-sum-counted logs-selector-in-topk-counted logs-syntax-200-error logs-syntax-422 logs-syntax-500-on-instant logs-syntax-bad-duration logs-syntax-empty logs-syntax-extra-brace logs-syntax-missing-filter-text logs-syntax-missing-range logs-syntax-missing-value logs-syntax-open-brace logs-syntax-open-parenthesis logs-syntax-open-string logs-syntax-unknown-function logs-syntax-unknown-unit logs-syntax-unquoted",
  "logs-tenants-by-letters-joined-alike":
    "logs-tenants-by-beginning logs-tenants-by-number logs-tenants-in-any-case logs-tenants-nobody-lists-all logs-tenants-that-begin-alike",
  "logs-tenants-share-everything": "logs-tenants-by-length logs-tenants-first-one logs-tenants-of-last-push logs-tenants-share-queries",
  "logs-tenants-share-metrics":
    "logs-seam-store-values-of-all logs-seam-tenant-instant-alphabetical logs-seam-tenant-instant-first logs-seam-tenant-values-alphabetical logs-seam-tenant-values-first",
  "logs-ts-cut-to-microseconds": "logs-ts-cut-to-milliseconds",
  "logs-ts-milliseconds": "logs-ts-seconds",
  "logs-ts-number": "logs-ts-exponent logs-ts-rfc3339 logs-ts-seconds-fraction",
  "logs-values-empty-kept":
    "logs-seam-values-long-hidden logs-values-any-case logs-values-names-left-out logs-values-of-labels logs-values-of-longer-names logs-values-of-unused-name logs-values-path-cut logs-values-underscore-empty logs-values-upper-label-empty",
  "logs-values-first-only": "logs-values-in-result logs-values-keyed logs-values-objects logs-values-quoted",
  "logs-values-of-prefix": "logs-seam-in-flight-values logs-values-of-all logs-values-of-suffix",
  "logs-values-trimmed": "logs-values-backslash logs-values-cut logs-values-lower-case logs-values-with-quotes-hidden",
};

const STANDS_FOR: ReadonlyMap<string, string> = new Map(
  Object.entries(MERGED).flatMap(([id, merged]) => merged.split(" ").map((one) => [one, id] as const)),
);

export const MERGED_IDS: readonly string[] = [...STANDS_FOR.keys()];

/** Returns the id of the fault into which a fault was merged, or the id itself. */
export function standingFor(id: string): string {
  return STANDS_FOR.get(id) ?? id;
}

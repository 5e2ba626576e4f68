/** Lists removed checks, each with the present check that judges its clauses. `--only` and deviations still accept the old ids. */
import { matchesGlob } from "./catalogue.ts";
import { LIMIT_NAMES } from "./limits.ts";

/**
 * For each present check, the removed checks that it replaces, as `clause: slugs` with blanks between the slugs. The id under which Allure
 * has its history comes first.
 */
const REPLACED: Readonly<Record<string, readonly string[]>> = {
  "admin-4.GET/settled": ["admin-4.GET: settled often-read"],
  "admin-4.GET/much-later": ["admin-4.GET: much-later after-refresh"],
  "admin-4.1/one-at-default": ["admin-4.1: one-at-default", "admin-4.GET: known-afterwards"],
  "admin-4.PUT/lifecycle": ["admin-4.PUT: lifecycle after-refusal at-once"],
  "logs-4.query_range/after-refusals": ["logs-4.query_range: after-refusals still-answered"],
  "admin-2.3a/exact": ["admin-2.3a: exact exact-on-update"],
  "admin-2.field.created_at/rfc3339": ["admin-2.field.created_at: rfc3339 precision"],
  "admin-4.GET/object": [
    "admin-4.GET: object",
    "admin-4.json: bodies",
    ...["name", "display_name", "status", "cluster"].map((field) => `admin-2.field.${field}: value`),
  ],
  "admin-4.POST/accepted": ["admin-4.POST: without-limits with-limits"],
  "admin-4.json/other-forms": ["admin-4.json: updates-in-other-forms create-in-another-form"],
  "admin-4.1/filled": ["admin-4.1: filled", ...LIMIT_NAMES.map((name) => `admin-2.limit.${name}: default`)],
  "admin-4.3/histories": [
    // The oldest of the removed checks comes first, because the present check continues its history in Allure.
    "admin-4.3: any-subset each-by-itself unusual-values zeros-are-values key-order settled",
    "admin-4.1: all-but-one one-limit unusual-values zeros-are-values",
    "admin-4.2: at-short-notice removes settled",
    "admin-4.PUT-over-limits: generated in-a-row mistakable-values",
    ...LIMIT_NAMES.map((name) => `admin-2.limit.${name}: written`),
  ],
  "logs-2.2/refusals": [
    `logs-2.2: empty-selector-range empty-selector-forward empty-selector-filter empty-selector-metric empty-selector-sum
     empty-selector-blank empty-selector-not empty-selector-metric-filter empty-selector-rate empty-selector-bytes
     empty-selector-expression empty-selector-not-expression empty-selector-lines empty-selector-in-sum-rate
     empty-selector-in-sum-bytes empty-selector-in-grouping empty-selector-in-grouped-rate empty-selector-in-without
     empty-selector-in-nested empty-selector-in-max empty-selector-in-rate-filter empty-selector-in-sum-filters
     empty-selector-in-first-operand empty-selector-in-second-operand`,
  ],
  "logs-4.2/refusals": [
    `logs-4.2: bare-selector selector-with-limit selector-with-filter several-matchers selector-excluding selector-expression
     selector-not-expression selector-chain selector-unequal selector-set selector-not-set selector-nothing-found
     selector-blanks selector-parentheses selector-two-parentheses`,
  ],
  "logs-4.4/pages": [
    "logs-4.4: start-at-last start-past-last start-shared-timestamps",
    "logs-4.4-backward: end-at-last end-past-last end-shared-timestamps pages",
  ],
  "logs-4.push/gallery": [
    "logs-4.push: gallery same-times equal-entries zero-byte long-label-value empty-streams long-body chunked-body spellings usual-labels long-lines long-labels many-labels",
  ],
  "logs-4.push/side-by-side": ["logs-4.push: side-by-side side-by-side-streams"],
  "logs-4.push/added-later": ["logs-4.push: added-later", "logs-4.label-values: later-values"],
  "logs-4.query_range/asked-before": ["logs-4.query_range: asked-before", "logs-4.query: asked-before"],
  "logs-4.query_range/windows": ["logs-4.query_range: windows shared-edges one-after-another"],
  "logs-4.query_range/large-windows": ["logs-4.query_range: large-windows close-together compressed"],
  "logs-4.query_range/during-pushes": ["logs-4.query_range: during-pushes added-much-later", "logs-4.query: during-pushes"],
  "logs-4.query_range/reads-at-once": [
    "logs-4.query_range: reads-at-once",
    "logs-4.query: reads-at-once",
    "logs-4.label-values: reads-at-once",
  ],
  "logs-4.query_range/hours-windows": [
    "logs-4.query_range: hours-windows",
    "logs-4.1: hours-order",
    "logs-4.3: hours-filters",
    "logs-4.query: hours-metrics",
  ],
  "logs-4.query_range/archive-windows": [
    "logs-4.query_range: archive-windows",
    "logs-4.1: archive-limits",
    "logs-4.3: archive-filters",
    "logs-4.matchers: archive-matchers",
    "logs-4.query: archive-counts archive-equal-entries",
  ],
  "logs-4.query_range/neighbouring-windows": ["logs-4.query_range: neighbouring-windows", "logs-4.query: neighbouring-times alike"],
  "logs-8.default-limit/several-streams": ["logs-8.default-limit: several-streams one-stream"],
  "logs-4.4/hours-pages": ["logs-4.4: hours-pages", "logs-4.4-backward: hours-pages-backward"],
  "logs-4.matchers/each-operator": [
    "logs-4.matchers: each-operator each-name alternatives several alike signs any-case among-many long-values",
  ],
  "logs-4.matchers/by-itself": ["logs-4.matchers: by-itself named-twice"],
  "logs-4.3/each-operator": ["logs-4.3: each-operator alike signs labels-kept any-case any-case-beside-text long-lines"],
  "logs-4.3/large-filters": ["logs-4.3: large-filters seldom-words"],
  "logs-4.3/once-empty": ["logs-4.3: once-empty hours-once-empty"],
  "logs-4.3/spelled": ["logs-4.3: spelled", "logs-4.query: spelled", "logs-4.query_range: parameters-in-any-order"],
  "logs-4.query/ranges": ["logs-4.query: ranges asked-again many-groups edges equal-entries time-to-come long-lines"],
  "logs-4.query/settled": ["logs-4.query: settled", "logs-4.1: among-all"],
  "logs-4.labels/pushed-names": ["logs-4.labels: pushed-names many-names"],
  "logs-4.labels/settled": ["logs-4.labels: settled", "logs-4.label-values: settled"],
  "logs-4.label-values/pushed-values": [
    "logs-4.label-values: pushed-values own-values-only many-values unused-name short-values long-values",
  ],
  "logs-5.2a/isolated-queries": ["logs-5.2a: isolated-queries isolated-metrics isolated-labels"],
  "logs-5.2a/unseen-by-nobody": ["logs-5.2a: unseen-by-nobody", "logs-7.400: invalid-as-nobody"],
  "logs-3.states/edges": ["logs-3.states: edges reach"],
  "logs-4.query/cases": ["logs-4.query: values count_over_time rate bytes_over_time"],
  "logs-4.query_range/cases": [
    "logs-4.query_range: limit whole-sets",
    "logs-4.1: backward forward default-direction reverse",
    "logs-4.3: chains with-limit",
    "logs-4.matchers: operators",
  ],
  "logs-4.query_range/settled-cases": ["logs-4.1: settled", "logs-4.matchers: settled", "logs-4.3: parts-of-lines"],
  "logs-4.query/combined": ["logs-4.query: combined trees"],
  "logs-4.required/refusals": ["logs-4.required: no-query-range no-query-instant"],
  "logs-7.400/refusals": [
    `logs-7.400: selector-in-sum selector-in-topk selector-compared selector-in-arithmetic open-brace extra-brace open-string
     missing-value unquoted-value missing-filter-text open-parenthesis missing-range unknown-function bad-duration
     unknown-unit missing-comma missing-name unknown-operator unknown-filter plain-words filter-only extra-parenthesis
     empty-range open-bracket trailing-word trailing-word-metric trailing-word-filter trailing-parenthesis
     trailing-parenthesis-metric trailing-parenthesis-filter trailing-selector trailing-selector-metric
     trailing-selector-filter trailing-text trailing-text-metric trailing-text-filter trailing-range trailing-range-metric
     trailing-range-filter trailing-operator trailing-operator-metric trailing-operator-filter trailing-sign
     trailing-sign-metric trailing-sign-filter`,
  ],
};

/** Returns the ids of the removed checks that a check replaces. */
function endedAs(check: string): string[] {
  return (REPLACED[check] ?? []).flatMap((checks) => {
    const [clause, slugs = ""] = checks.split(": ");
    return slugs.split(/\s+/).map((slug) => `${clause}/${slug}`);
  });
}

/** Returns the id of a check, and the ids of the removed checks that this check replaces. */
export function namesOf(check: string): readonly string[] {
  return [...new Set([check, ...endedAs(check)])];
}

function slugOf(id: string): string | undefined {
  return id.split("/")[1];
}

/** Whether a pattern of `--only` names a check. A removed check is named only by its whole slug, and not by patterns such as `own-*`. */
export function isCheck(check: string, pattern: string): boolean {
  const isEnded = (id: string): boolean => slugOf(id) === slugOf(pattern) && matchesGlob(pattern, id);
  return matchesGlob(pattern, check) || namesOf(check).some(isEnded);
}

/** Returns the id under which Allure has the history of a check. */
export function firstIdOf(check: string): string {
  return endedAs(check)[0] ?? check;
}

#!/usr/bin/env bash
# Copies the report of a run into a folder for a static host: site.sh REPORTS_DIR SITE. The site opens on the verdict.
set -euo pipefail
reports="${1:?folder of the reports}"
site="${2:?folder of the site}"
mkdir -p "$site"
cp "$reports/report.html" "$site/"
cp -R "$reports/allure-report" "$site/"
# Only the next run reads the history, and it is large.
rm -f "$site/allure-report/history.jsonl"
printf '<!doctype html>\n<meta http-equiv="refresh" content="0; url=report.html">\n' >"$site/index.html"

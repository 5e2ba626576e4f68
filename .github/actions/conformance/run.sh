#!/usr/bin/env bash
# Runs the published package, hands verdict and counts on as outputs, and ends with the run's own code.
set -uo pipefail
output="${GITHUB_OUTPUT:?}"
# An input that was not filled in is unset, not an address that is empty.
for name in BASE_URL METRICS_BASE_URL LOGS_BASE_URL; do
  if [ -z "${!name:-}" ]; then unset "$name"; fi
done
tools="${TOOLS:-}"
if [ -z "$tools" ]; then
  tools="$(mktemp -d)"
  trap 'rm -rf "$tools"' EXIT
  npm install --silent --no-audit --no-fund --prefix "$tools" "plumbline-conformance@${PACKAGE_VERSION:-latest}" || exit 3
fi
# None of these is a setting: what is left in the environment is the run's.
unset TOOLS PACKAGE_VERSION
read -r -a arguments <<<"${ARGUMENTS:-}"
code=0
"$tools/node_modules/.bin/plumbline" run ${arguments[@]+"${arguments[@]}"} || code=$?
echo "code=${code}" >>"$output"
summary="${REPORTS_DIR:-reports}/summary.json"
if [ -f "$summary" ]; then
  node -e '
    const { verdict, totals } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    const { pass, fail, deviation, inconclusive, notRun } = totals;
    const lines = { verdict, passed: pass, failed: fail, deviations: deviation, inconclusive, "not-run": notRun };
    for (const [name, value] of Object.entries(lines)) console.log(`${name}=${value}`);
  ' "$summary" >>"$output"
fi
exit "$code"

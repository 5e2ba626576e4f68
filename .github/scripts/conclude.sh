#!/usr/bin/env bash
# Ends the job with the suite's own exit code, worded: a violation is not the same news as a target that could not be judged.
set -euo pipefail
code="${1:?exit code of the suite}"
case "$code" in
  0) echo "Conformant: every clause that the run had to judge passed." ;;
  1) echo "::error title=Contract violated::At least one clause of the contract is violated; the report names it." ;;
  2) echo "::error title=Configuration::A setting is missing, malformed or contradictory; nothing was sent to the target." ;;
  3) echo "::error title=Inconclusive::No violation was found, but not everything could be verified: the target was not (fully) reachable, or a budget ran out." ;;
  130 | 143) echo "::error title=Interrupted::The run was interrupted; the report shows what had run." ;;
  *) echo "::error title=Unknown::The suite ended with the undocumented exit code ${code}." ;;
esac
exit "$code"

#!/usr/bin/env bash
# Every diagnostic code has a page under its title.
set -uo pipefail
cd "$(dirname "$0")/../.."

failed=0
complain() {
  echo "$*"
  failed=1
}

while IFS='|' read -r number title; do
  page=docs/diagnostics/NFY$number.md
  if [[ ! -f $page ]]; then
    complain "$page is missing"
  elif [[ $(head -n 1 "$page") != "# NFY$number: $title" ]]; then
    complain "$page begins with '$(head -n 1 "$page")', not with the title '$title'"
  fi
done < <(sed -nE 's/^NEURONIFY_CODE\(([0-9]+), [a-z]+, "(.*)"\)$/\1|\2/p' rewriters/diagnostics/codes.def)

exit $failed

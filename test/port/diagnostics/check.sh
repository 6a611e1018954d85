#!/usr/bin/env bash
# Ports FILE and compares its diagnostics with what the file's comments expect:
#   // expect: NFYnnnn       this line gets this diagnostic
#   // expect-file: NFYnnnn  some line of the file gets it
#   // options: --fp64=error  options for the port
# Other diagnostics must not appear (save notes on exactness and speed, 2001 and 3xxx), and the kernel
# `good` must be ported.
# usage: check.sh NEURONIFY FILE
set -uo pipefail

neuronify=$1
file=$2
name=$(basename "$file" .cu)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*"
  cat "$work/messages"
  exit 1
}

read -ra options <<<"$(sed -nE 's|^// options: (.*)|\1|p' "$file")"
"$neuronify" port ${options[@]+"${options[@]}"} -o "$work/ported" "$file" >"$work/messages" 2>&1 </dev/null
status=$?
[[ $status -lt 124 ]] || fail "neuronify port ended with $status"

expected=$(grep -oE '// expect(-file)?: NFY[0-9]+' "$file" | grep -oE 'NFY[0-9]+' | sort -u)
got=$(grep -oE '\[NFY([145][0-9]+|2002|2011)\]' "$work/messages" | tr -d '[]' | sort -u)
[[ $expected == "$got" ]] || fail "expected $(xargs <<<"$expected"), got $(xargs <<<"$got")"

while IFS=: read -r line text; do
  code=$(grep -oE 'NFY[0-9]+' <<<"$text")
  grep -Eq "$name\.cu:$line:[0-9]+: (error|warning): .*\[$code\]" "$work/messages" ||
    fail "no $code on line $line"
done < <(grep -nE '// expect: NFY[0-9]+' "$file")

grep -Eq 'void good\(' "$work/ported/${name}_kernels.cpp" || fail "the kernel 'good' was not ported"
for code in $expected; do
  [[ -f $(dirname "$0")/../../../docs/diagnostics/$code.md ]] || fail "$code has no page"
done

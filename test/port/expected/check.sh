#!/usr/bin/env bash
# Ports FILE.cu and compares FILE.cpp, FILE_kernels.cpp and FILE_nki.py, byte by byte, with what stands
# beside it.
# With NEURONIFY_UPDATE_EXPECTED=1 it writes those instead.
# usage: check.sh NEURONIFY FILE.cu
set -uo pipefail

neuronify=$(realpath "$1")
cd "$(dirname "$2")" || exit 1
name=$(basename "$2" .cu)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$neuronify" port -o "$work/ported" "$name.cu" >"$work/log" 2>&1
if [[ ! -f $work/ported/$name.cpp ]]; then
  cat "$work/log"
  exit 1
fi
failed=0
for file in "$name.cpp" "${name}_kernels.cpp" "${name}_nki.py"; do
  # Not every kernel has an NKI form.
  [[ -f $work/ported/$file || -f $file ]] || continue
  if [[ ${NEURONIFY_UPDATE_EXPECTED:-} == 1 ]]; then
    cp "$work/ported/$file" "$file"
  else
    diff -u "$file" "$work/ported/$file" || failed=1
  fi
done
exit $failed

#!/usr/bin/env python3
"""Runs AWS's public kernels, unmodified, on the chip model and compares them with their references.

    public_kernels.py --sdk DIR --samples DIR --library DIR --nkipy DIR [--only 3,10-12] [-v]

Each DIR is a checkout of aws-neuron/aws-neuron-sdk, nki-samples, nki-library or nkipy; kernels of checkouts that
are not named are skipped. PyTorch is needed where a reference is written in it. Exit status 1 if a kernel does not
match.
"""

import argparse
import os
import pathlib
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).parent))
os.environ["NKI_SIMULATOR"] = "1"

from public import harness  # noqa: E402


def numbers(text):
    """{3, 10, 11, 12} of "3,10-12"."""
    result = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        result.update(range(int(first), int(last or first) + 1))
    return result


def run(case, folders, verbose):
    """(state, detail, seconds) of one kernel."""
    start = time.perf_counter()
    try:
        os.environ.pop("NEURON_PLATFORM_TARGET_OVERRIDE", None)
        worst = max(harness.error_of(*pair) for pair in case.run(folders[case.source]))
        state = "ok" if worst <= 1 else "differs"
        detail = f"{worst:.3f} of the tolerance"
    except Exception as error:  # noqa: BLE001  (any failure is a row of the table)
        if verbose:
            traceback.print_exc()
        state, detail = "error", f"{type(error).__name__}: {error}"
    return state, detail, time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for source in ("sdk", "samples", "library", "nkipy"):
        parser.add_argument(f"--{source}", type=pathlib.Path)
    parser.add_argument("--only", type=numbers, default=None)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    folders = {s: getattr(options, s) for s in ("sdk", "samples", "library", "nkipy") if getattr(options, s)}

    counts = {"ok": 0, "differs": 0, "error": 0}
    total = 0.0
    for case in harness.cases():
        if case.source not in folders or (options.only and case.number not in options.only):
            continue
        state, detail, seconds = run(case, folders, options.verbose)
        counts[state] += 1
        total += seconds
        print(f"{case.number:3} {case.name:40} {state:8} {seconds:7.2f} s  {detail[:200]}", flush=True)
    print(f"{counts['ok']} match, {counts['differs']} differ, {counts['error']} with errors, {total:.1f} s")
    return 0 if counts["differs"] + counts["error"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Random CUDA kernels through `neuronify verify`: whatever compiles must match or be diagnosed.

  fuzz.py --neuronify build/bin/neuronify --kernels 300            fresh seeds
  fuzz.py --neuronify build/bin/neuronify --seed 17 --kernels 30   the same kernels again
  ... --reduce                                                     make failing kernels small

Exit code 0: every launch matched. 1: something failed; the programs are in the folder --out. The
environment variable NEURONIFY_FUZZ_SEED is a seed where none is given.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile
import time

import program
from kernels import FEATURES
from reduce import reduce_kernel
from tree import size

PER_PROGRAM = 30  # building a program costs about as much as five kernels

# A compiler that does not optimise and reads the runtime's headers once, with the options of the first
# source. Where the original's IR is comes from the environment.
COMPILER = r"""#!/bin/sh
options=
skip=
for word; do
  shift
  case $word in
    -O1) word=-O0 ;;
    -DNEURONIFY_DEVICE_IR_FOLDER=*) continue ;;
  esac
  [ -n "$skip" ] || case $word in -c | -o) skip=1 ;; *) options="$options $word" ;; esac
  case $word in -c | -o) ;; *) skip= ;; esac
  set -- "$@" "$word"
done
case " $* " in
  *" -c "*) ;;
  *) exec @COMPILER@ "$@" ;;
esac
headers=@FOLDER@/headers
if [ ! -e $headers.pch ]; then
  printf '#include "neuronify.h"\n#include "neuronify_kernel.h"\n#include <cstdio>\n#include <vector>\n' > $headers.h
  @COMPILER@ $options -fpch-instantiate-templates -x c++-header $headers.h -o $headers.$$ && mv $headers.$$ $headers.pch
fi
exec @COMPILER@ -include-pch $headers.pch "$@"
"""


def quick(compiler, folder):
    """The path of COMPILER with `compiler`, a Clang."""
    script = pathlib.Path(folder, "compiler")
    script.write_text(COMPILER.replace("@COMPILER@", shlex.quote(compiler)).replace("@FOLDER@", str(folder)))
    script.chmod(0o755)
    return script


def verify(options, source, precise, timeout=240):
    """What became of a program, what was said, and how many launches do not fit the chip: 'match' (all
    launches that fit), 'mismatch', 'diagnosed' (a kernel has a construct that stops it), 'waits' (the only
    such construct is a loop that seems to wait for another thread; all other kernels match) or 'failed'."""
    with tempfile.TemporaryDirectory(prefix="fuzz") as folder:
        path = pathlib.Path(folder, "fuzz.cu")
        path.write_text(source)
        result = pathlib.Path(folder, "result.json")
        command = [options.neuronify, "verify", "--json", str(result), "--extra-arg=-w", "--rtol=0",
                   "--atol=0", "--ulp=0", str(path)]
        if precise:
            command.insert(2, "--precise-math")
        if options.compiler:
            command.insert(2, f"--compiler={options.compiler}")
        try:
            crowd = max(1.0, 2 * os.getloadavg()[0] / os.cpu_count())  # others want the cores too
            run = subprocess.run(command, capture_output=True, text=True, timeout=timeout * crowd)
        except subprocess.TimeoutExpired:
            return "failed", "no end", 0
        output = run.stdout + run.stderr
        if run.returncode == 0:
            return "match", "", 0
        try:
            report = json.loads(result.read_text())
        except (OSError, ValueError):
            return "failed", output, 0
        stopped = [k for k in report.get("kernels", []) if not k["ported"]]
        launches = [launch for run in report.get("programs", []) for launch in run["launches"]]
        large = [l for l in launches if l["verdict"] == "failed"
                 and ("SBUF is full" in l["message"] or l["message"].startswith("NFY4011"))]
        # Which loops wait for other threads (NFY4012) is found by a rule that errs on the safe side.
        wrong = (any(l["verdict"] not in ("match", "not ported") and l not in large for l in launches)
                 or any(run["problem"] for run in report.get("programs", [])) or not launches)
        if stopped and not wrong and all(k["diagnostic"].startswith("NFY4012") for k in stopped):
            return "waits", "\n".join(k["diagnostic"] for k in stopped), len(large)
        if stopped:
            return "diagnosed", "\n".join(d["text"] if isinstance(d, dict) and "text" in d else str(d)
                                          for d in report.get("diagnostics", [])) or output, len(large)
        if not wrong:
            return "match", "", len(large)
        return ("mismatch" if report.get("launches", 0) > report.get("matched", 0) else "failed",
                output, len(large))


def one(options, seed, count):
    kernels, helpers, features = program.grow(seed, count, options.features)
    source = program.program(kernels, helpers, features)
    return seed, kernels, helpers, features, source, *verify(options, source, "precise" in features)


def culprits(options, kernels, helpers, features):
    """The kernels that fail alone."""
    for kernel in kernels:
        verdict, *_ = verify(options, program.program([kernel], helpers, features), "precise" in features)
        if verdict != "match":
            yield kernel, verdict


def shrink(options, kernels, helpers, features, out, seed):
    for kernel, verdict in culprits(options, kernels, helpers, features):
        def fails(candidate, verdict=verdict):
            source = program.program([candidate], helpers, features)
            return verify(options, source, "precise" in features, 60)[0] == verdict

        small = reduce_kernel(kernel, fails)
        name = out / f"seed{seed}-{kernel.name}-{verdict}.cu"
        name.write_text(program.program([small], helpers, features))
        print(f"  {kernel.name}: {verdict}; {size(kernel)} nodes became {size(small)}: {name}",
              flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--neuronify", required=True, help="the program to test")
    parser.add_argument("--kernels", type=int, default=300)
    parser.add_argument("--seed", type=int, help="of the first program; default: a fresh one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--compiler", help="compile ports with this Clang, quickly")
    parser.add_argument("--seconds", type=float, default=1e9, help="start nothing after so long")
    parser.add_argument("--features", nargs="*", default=FEATURES, choices=FEATURES,
                        help="what kernels may have; a program has most of these (default: all)")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("fuzz-failures"))
    parser.add_argument("--reduce", action="store_true", help="make failing kernels small")
    parser.add_argument("--print", action="store_true", help="print the first program, run nothing")
    options = parser.parse_args()
    first = options.seed
    if first is None:
        first = int(os.environ.get("NEURONIFY_FUZZ_SEED") or random.SystemRandom().randrange(10**9))
    if options.print:
        kernels, helpers, features = program.grow(first, min(PER_PROGRAM, options.kernels), options.features)
        print(program.program(kernels, helpers, features))
        return 0
    end = time.monotonic() + options.seconds
    jobs = []
    left = options.kernels
    while left > 0:
        jobs.append((first + len(jobs), min(PER_PROGRAM, left)))
        left -= PER_PROGRAM
    print(f"{options.kernels} kernels from seed {first}", flush=True)
    bad = large = waits = done = 0
    with tempfile.TemporaryDirectory(prefix="fuzz") as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        if options.compiler:
            options.compiler = quick(options.compiler, folder)

        def work(job):
            return one(options, *job) if time.monotonic() < end else None

        for result in pool.map(work, jobs):
            if result is None:
                continue
            seed, kernels, helpers, features, source, verdict, details, unfit = result
            done += len(kernels)
            large += unfit
            if done % 1500 == 0:
                print(f"{done} kernels so far", flush=True)
            if verdict == "match":
                continue
            if verdict == "waits":
                waits += 1
                print(f"seed {seed}: {details}", flush=True)
                continue
            bad += 1
            options.out.mkdir(parents=True, exist_ok=True)
            (options.out / f"seed{seed}.cu").write_text(source)
            (options.out / f"seed{seed}.txt").write_text(details)
            lines = [line for line in details.splitlines() if "error" in line] or details.splitlines()
            print(f"seed {seed}: {verdict}", *(line[:300] for line in lines[:5]), sep="\n  ", flush=True)
            print(f"  again: {pathlib.Path(__file__).name} --seed {seed} --kernels {len(kernels)}"
                  f" --features {' '.join(options.features)} --neuronify {options.neuronify}")
            if options.reduce:
                shrink(options, kernels, helpers, features, options.out, seed)
    print(f"{done} kernels, {bad} programs that failed, {waits} with a loop that seems to"
          f" wait; {large} launches do not fit the chip")
    if done < options.kernels:
        print(f"after {options.seconds:.0f} seconds no more were started")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Mutated CUDA sources through `neuronify port`: no crash, no hang, and what it writes compiles.

  mutate.py --neuronify build/bin/neuronify --mutants 100 samples/*.cu      fresh seeds
  mutate.py --neuronify build/bin/neuronify --mutants 1 --seed 17 samples/*.cu   the same mutant again

A mutant has a few changes to the tokens of one file: some left out, doubled, swapped, exchanged with
others of the file or with words that CUDA knows. Most do not compile; then `port` has to say so and end
with 1. Exit code 1: something failed; the mutants are in the folder --out. The environment variable
NEURONIFY_FUZZ_SEED is a seed where none is given.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

TOKENS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/|[A-Za-z_]\w*'
                    r'|\.?\d[\w.]*|<<<|>>>|<<=|>>=|::|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|>>|\s+|.', re.S)
WORDS = ["__global__", "__device__", "__host__", "__shared__", "__constant__", "__restrict__", "template",
         "const", "volatile", "static", "extern", "unsigned", "long", "float", "double", "__half", "auto",
         "int", "void", "struct", "return", "break", "continue", "goto", "if", "else", "for", "while", "do",
         "threadIdx.x", "blockIdx", "__syncthreads()", "0", "1", "-1", "0x7fffffff", "1e30f", "nullptr", "*",
         "&", "(", ")", "{", "}", "[", "]", ",", ";", "<<<", ">>>", "<", ">", "...", "#", "\\\n", "[[]]"]

# Words of one sort: what stands in each other's place usually still compiles.
SORTS = [["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"], ["<", "<=", ">", ">=", "==", "!="], ["&&", "||"],
         ["+=", "-=", "*=", "/=", "|=", "&=", "^=", "="], ["++", "--"],
         ["int", "unsigned", "float", "double", "char", "short", "long", "bool", "size_t"],
         ["if", "while"], ["break", "continue", "return"],
         ["threadIdx", "blockIdx", "blockDim", "gridDim"], ["x", "y", "z"], ["true", "false"]]


def is_space(token):
    return token.isspace() or token.startswith(("//", "/*"))


def mutated(text, rng):
    """`text` with up to six changes."""
    tokens = TOKENS.findall(text)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 6])):
        places = [i for i, token in enumerate(tokens) if not is_space(token)]
        if len(places) < 4:
            break
        k = rng.randrange(len(places) - 2)
        at, then = places[k], places[k + 1]
        change = rng.choice(["sort"] * 8 + ["number"] * 4 + ["other"] * 3 + [
            "drop", "double", "swap", "word", "insert", "run", "move", "end"])
        if change == "sort":
            found = [i for i in places if any(tokens[i] in sort for sort in SORTS)]
            if found:
                i = rng.choice(found)
                tokens[i] = rng.choice(next(sort for sort in SORTS if tokens[i] in sort))
        elif change == "drop":
            tokens[at] = " "
        elif change == "double":
            tokens.insert(at, tokens[at] + " ")
        elif change == "swap":
            tokens[at], tokens[then] = tokens[then], tokens[at]
        elif change == "word":
            tokens[at] = f" {rng.choice(WORDS)} "
        elif change == "other":  # of the same sort, so that more of these compile
            same = [i for i in places if tokens[i][0].isalpha() == tokens[at][0].isalpha()
                    and tokens[i][0].isdigit() == tokens[at][0].isdigit()]
            tokens[at] = tokens[rng.choice(same)]
        elif change == "insert":
            tokens.insert(at, f" {rng.choice(WORDS)} ")
        elif change == "number":
            digits = [i for i in places if tokens[i][0].isdigit()]
            if digits:
                tokens[rng.choice(digits)] = rng.choice(["0", "1", "2", "31", "33", "1025", "2147483647",
                                                         "4294967296", "0.0f", "1e-45f", "'a'"])
        elif change == "run":
            del tokens[at:places[min(k + rng.randint(2, 12), len(places) - 1)]]
        elif change == "move":
            piece = tokens[at:places[min(k + rng.randint(2, 12), len(places) - 1)]]
            to = rng.choice(places)
            tokens[to:to] = piece
        elif rng.random() < 0.2:
            del tokens[at:]
    return "".join(tokens)


def run(command, timeout):
    """Exit code, or None where it took too long, and what it said."""
    try:
        crowd = max(1.0, 2 * os.getloadavg()[0] / os.cpu_count())  # others want the cores too
        result = subprocess.run(command, capture_output=True, text=True, errors="replace",
                                timeout=timeout * crowd)
    except subprocess.TimeoutExpired:
        return None, ""
    return result.returncode, result.stdout + result.stderr


def problem(options, source, folder, name):
    """What is wrong with the port of a mutant ("" if nothing), and whether it was read."""
    path = pathlib.Path(folder, name)
    path.write_text(source)
    out = pathlib.Path(folder, "out")
    code, said = run([options.neuronify, "port", "--jobs=1", "--force", "--extra-arg=-w", "-o", str(out),
                      str(path)], 30)
    if code is None:
        return "no end", False
    # The front end survives Clang's own crashes and says so: that is not a crash of ours.
    if code not in (0, 1):
        return f"exit code {code}\n{said[-3000:]}", False
    if code == 1:
        return ("", False) if "error" in said else (f"fails and says no reason\n{said[-3000:]}", False)
    if "NFY5" in said:  # it said that the host code needs a hand
        return "", True
    for file in sorted(out.glob("*.cpp")) if options.compiler else []:
        code, said = run([options.compiler, "-std=c++20", "-w", "-fsyntax-only", f"-I{options.include}", str(file)], 60)
        if code:
            return f"the port does not compile\n{said[:3000]}", True
    for file in sorted(out.glob("*.py")):
        try:
            compile(file.read_text(), file.name, "exec")
        except SyntaxError as error:
            return f"{file.name}: {error}", True
    return "", True


def one(options, seed):
    rng = random.Random(seed)
    path = options.sources[rng.randrange(len(options.sources))]
    source = mutated(path.read_text(), rng)
    with tempfile.TemporaryDirectory(prefix="mutant") as folder:
        return seed, path, source, *problem(options, source, folder, path.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", type=pathlib.Path, help="what to mutate")
    parser.add_argument("--neuronify", required=True, help="the program to test")
    parser.add_argument("--mutants", type=int, default=100)
    parser.add_argument("--seed", type=int, help="of the first mutant; default: a fresh one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--compiler", help="reads the C++ of the ports, with --include")
    parser.add_argument("--include", default="runtime", help="folder of neuronify.h")
    parser.add_argument("--seconds", type=float, default=1e9, help="start nothing after so long")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("mutants"))
    options = parser.parse_args()
    options.sources.sort()
    first = options.seed
    if first is None:
        first = int(os.environ.get("NEURONIFY_FUZZ_SEED") or random.SystemRandom().randrange(10**9))
    print(f"{options.mutants} mutants of {len(options.sources)} files from seed {first}", flush=True)
    end = time.monotonic() + options.seconds
    done = read = bad = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def work(seed):
            return one(options, seed) if time.monotonic() < end else None

        for result in pool.map(work, range(first, first + options.mutants)):
            if result is None:
                continue
            seed, path, source, wrong, was_read = result
            done += 1
            read += was_read
            if wrong:
                bad += 1
                options.out.mkdir(parents=True, exist_ok=True)
                (options.out / f"seed{seed}-{path.name}").write_text(source)
                print(f"seed {seed}, {path.name}: {wrong}", flush=True)
    print(f"{done} mutants, {read} of them ported, {bad} that failed")
    if done < options.mutants:
        print(f"after {options.seconds:.0f} seconds no more were started")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

"""Compile commands of a program that comes with a Makefile, from a dry run of make for the architecture that
neuronify takes for granted (what the READMEs of HeCBench tell users to set)."""

import pathlib
import re
import shlex
import subprocess

COMPILERS = re.compile(r"(.*/)?(nvcc|g\+\+|gcc|cc|c\+\+|clang\+\+|clang|mpicxx|mpicc|mpic\+\+)")
SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c", ".C")


def dry_run(folder, target=()):
    """What make would do in `folder`, one command per entry; [] where there is no Makefile."""
    try:
        run = subprocess.run(["make", "-n", "-B", "CC=nvcc", "ARCH=sm_80", *target], cwd=folder, text=True, timeout=20,
                             capture_output=True, errors="replace")
    except (OSError, subprocess.TimeoutExpired):
        return []
    return run.stdout.replace("\\\n", " ").splitlines()


def words_of(line):
    try:
        return shlex.split(line, comments=True)
    except ValueError:
        return []


def commands(folder):
    """Entries of a compile_commands.json, one per source that a compiler would get."""
    entries = {}
    for line in dry_run(folder):
        for part in re.split(r"&&|;", line):
            words = words_of(part)
            if not words or not COMPILERS.fullmatch(words[0]):
                continue
            sources = [w for w in words[1:] if w.endswith(SOURCES) and pathlib.Path(folder, w).is_file()]
            options = [w for w in words[1:] if w not in sources]
            for source in sources:
                path = pathlib.Path(folder, source).resolve()
                entries.setdefault(path, {"directory": str(folder), "file": str(path),
                                          "arguments": ["nvcc", *options, str(path)]})
    return list(entries.values())


def run_arguments(folder):
    """The words behind the program in each command of `make run`."""
    found = []
    for line in dry_run(folder, ["run"]):
        words = words_of(line)
        if words and words[0].startswith("./"):
            found.append(words[1:])
    return found

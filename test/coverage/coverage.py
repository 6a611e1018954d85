#!/usr/bin/env python3
"""How much of public CUDA code ports and verifies: the table of docs/coverage.md.

  coverage.py --neuronify build/bin/neuronify --programs HeCBench/src --samples cuda-samples
                                          which kernels port; fails where one no longer does
  ... --verify                            also runs every program side by side, with small arguments
  ... --write docs/coverage.md            writes the table
  ... --update                            takes the kernels that port today as those that must

HeCBench (github.com/zjin-lcf/HeCBench) and cuda-samples (github.com/NVIDIA/cuda-samples) are no part
of this repository. What is found out about each program is kept in --state, so that a run can be
interrupted, and --only can do some programs again.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import makefiles
from table import markdown, verdict

HERE = pathlib.Path(__file__).parent
# Of these the samples' own folders say that they are about something else than kernels.
NO_SAMPLE = re.compile(r"nvrtc|GL|EGL|Vulkan|D3D|NPP|nvJPEG|cuSolver|CUBLAS|CUFFT|7_libNVVM|8_Platform|Drv|"
                       r"NvSci|jitLto|ptxjit|MMAP|memMap|DynlinkJIT|simpleMPI")
VENDOR = re.compile(r"#\s*include\s*[<\"](cublas|cufft|cusparse|cusolver|curand\.h|npp|nvrtc|GL/|helper_gl|cudnn|"
                    r"cuda_gl_interop|mpi\.h|nvToolsExt)")
GRAPHICS = re.compile(r"#\s*include\s*[<\"](helper_gl|GL/|cuda_gl_interop|rendercheck)")


class Program:
    def __init__(self, name, folder, entries):
        self.name, self.folder, self.entries = name, folder, entries

    def sources(self):
        return [entry["file"] for entry in self.entries]


def entry(folder, path, options):
    path = pathlib.Path(path).resolve()
    return {"directory": str(folder), "file": str(path), "arguments": ["nvcc", *options, str(path)]}


def programs_of(root):
    """HeCBench: a folder NAME-cuda for each program. Those from a to l are what the table is about."""
    for folder in sorted(pathlib.Path(root).resolve().glob("[a-l]*-cuda")):
        entries = makefiles.commands(folder)
        if not entries:
            options = [f"-I{folder}", f"-I{folder.parent / 'include'}"]
            entries = [entry(folder, path, options) for path in sorted(folder.rglob("*.cu"))]
        if entries:
            yield Program(folder.name.removesuffix("-cuda"), folder, entries)


def samples_of(root):
    """NVIDIA's samples: a folder with .cu files for each; without graphics and vendor libraries."""
    root = pathlib.Path(root).resolve()
    for folder in sorted({path.parent for path in root.glob("Samples/*/*/*.cu")}):
        sources = sorted(p for p in folder.iterdir() if p.suffix in (".cu", ".cpp", ".c"))
        text = "".join(p.read_text(errors="replace") for p in [*sources, *folder.glob("*.h"), *folder.glob("*.cuh")])
        if NO_SAMPLE.search(str(folder.relative_to(root))) or VENDOR.search(text) or GRAPHICS.search(text):
            continue
        options = [f"-I{root / 'Common'}", "-std=c++17"]
        yield Program("samples/" + folder.name, folder, [entry(folder, path, options) for path in sources])


def arguments():
    found = {}
    for line in (HERE / "arguments.txt").read_text().splitlines():
        name, _, words = line.partition(":")
        if name and not name.startswith("#"):
            found[name] = words.split()
    return found


def run(command, timeout):
    """Output and whether it ended in time; whatever it started is gone afterwards."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", stdin=subprocess.DEVNULL)
    try:
        return process.communicate(timeout=timeout)[0], True
    except subprocess.TimeoutExpired:
        process.terminate()  # neuronify ends what it started
        try:
            return process.communicate(timeout=10)[0], False
        except subprocess.TimeoutExpired:
            process.kill()
            return process.communicate()[0], False


def read_json(path):
    try:
        return json.loads(pathlib.Path(path).read_text())
    except (OSError, ValueError):
        return None


def examine(options, program, words, have):
    """What is known about one program afterwards, as the state keeps it. `have` is what is known already."""
    with tempfile.TemporaryDirectory(prefix="coverage") as work:
        database = pathlib.Path(work, "compile_commands.json")
        database.write_text(json.dumps(program.entries))
        result = pathlib.Path(work, "assess.json")
        found = {"kernels": [], "unread": [], "output": ""}
        if have and options.missing:
            found.update({key: have[key] for key in found})
            assessed = None
        else:
            found["output"] = run([options.neuronify, "assess", "--jobs=1", "--timeout=120", f"--json={result}",
                                   str(database)], 3600)[0][-2000:]
            assessed = read_json(result)
        if assessed:
            for kernel in assessed["kernels"]:
                # Only what belongs to the program: a header of the toolkit has no kernels of its own.
                kernel["file"] = os.path.relpath(kernel["file"], program.folder)
                found["kernels"].append({key: kernel[key] for key in ("name", "file", "line", "ported", "diagnostic",
                                                                      "changes", "mapping")})
            found["unread"] = [[os.path.relpath(f["file"], program.folder), f["problem"]]
                               for f in assessed["files"] if f["problem"]]
        if options.verify and words is not None:
            found["verify"] = verify(options, program, words, database, work)
            if any(bad["verdict"] == "mismatch" for bad in found["verify"].get("bad", [])):
                precise = verify(options, program, words, database, work, ["--precise-math"])
                if precise["launches"] and precise["launches"] == precise["matched"] and not precise["problem"]:
                    found["verify"] = {**precise, "precise": True}
        return found


def verify(options, program, words, database, work, extra=()):
    result = pathlib.Path(work, "verify.json")
    folder = os.getcwd()
    os.chdir(program.folder)  # programs open files beside them
    try:
        output, ended = run([options.neuronify, "verify", *extra, "--jobs=1", f"--timeout={options.timeout}", "-p",
                             str(database), f"--json={result}", *program.sources(), "--", *words],
                            options.timeout + 600)
    finally:
        os.chdir(folder)
    report = read_json(result)
    if not report:
        return {"problem": "no results" if ended else "no end", "output": output[-2000:], "launches": 0, "matched": 0}
    bad = [launch for run in report["programs"] for launch in run["launches"] if launch["verdict"] != "match"]
    return {"launches": report["launches"], "matched": report["matched"],
            "problem": "; ".join(run["problem"] for run in report["programs"] if run["problem"])[:2000],
            "timed_out": any(run["timed_out"] for run in report["programs"]),
            "bad": [{"kernel": b["kernel"], "launch": b["launch"], "verdict": b["verdict"],
                     "message": b["message"][:400]} for b in bad[:3]],
            "codes": sorted({d["code"] for d in report["diagnostics"] if d["code"].startswith("NFY2")}),
            "findings": sorted({f"{f['kind']} at {pathlib.Path(f['file']).name}:{f['line']}"
                                for run in report["programs"] for launch in run["launches"]
                                for f in launch["findings"]})[:3],
            "output": output[-2000:]}


def names(program, found):
    """A kernel is known by its program, file and name without template arguments: lines move."""
    for kernel in found["kernels"]:
        yield f"{program} {kernel['file']} {kernel['name'].split('<')[0]}", kernel["ported"]


def ported_names(state):
    out = {}
    for program, found in state.items():
        for name, ported in names(program, found):
            out[name] = out.get(name, True) and ported
    return {name for name, ported in out.items() if ported}


def check(state, update):
    """Kernels that ported once and do not now, of the programs that were looked at."""
    path = HERE / "kernels.txt"
    known = set(path.read_text().splitlines()) if path.exists() else set()
    now = ported_names(state)
    if update:
        kept = {name for name in known if name.split()[0] not in state}
        path.write_text("\n".join(sorted(now | kept)) + "\n")
        return 0
    lost = sorted(name for name in known - now if name.split()[0] in state)
    for name in lost:
        print("no longer ports:", name)
    return 1 if lost else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--neuronify", required=True, type=os.path.abspath)
    parser.add_argument("--programs", help="HeCBench's src folder")
    parser.add_argument("--samples", help="a checkout of cuda-samples")
    parser.add_argument("--only", nargs="*", help="names of programs")
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("--timeout", type=int, default=60, help="seconds for each program run (default 60)")
    parser.add_argument("--missing", action="store_true", help="skip what --state has already")
    parser.add_argument("--state", type=pathlib.Path, default=pathlib.Path("coverage.json"))
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    state = read_json(options.state) or {}
    words = arguments()
    programs = list(programs_of(options.programs)) if options.programs else []
    programs += samples_of(options.samples) if options.samples else []
    for program in programs:
        have = state.get(program.name)
        if options.only and program.name not in options.only:
            continue
        if options.missing and have and ("verify" in have or not options.verify or program.name not in words):
            continue
        found = examine(options, program, words.get(program.name), have)
        if have and "verify" in have and "verify" not in found:
            found["verify"] = have["verify"]
        state[program.name] = found
        options.state.write_text(json.dumps(state))
        ported = sum(kernel["ported"] for kernel in found["kernels"])
        print(f"{program.name}: {ported} of {len(found['kernels'])}; {verdict(found)}", flush=True)
    if options.write:
        options.write.write_text(markdown(state))
    return check(state, options.update)


if __name__ == "__main__":
    sys.exit(main())

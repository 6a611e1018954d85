"""What coverage.py found out, as text."""

import pathlib
import re

NOT_OURS = re.compile(r"file not found|'mpi\.h'")


def short(text, length=110):
    text = re.sub(r"\s+", " ", text.split("\n")[0]).strip()
    text = re.sub(r"/\S*/", "", text)
    return text if len(text) <= length else text[:length - 1] + "…"


def verdict(found):
    """One cell: how the program verified, or what is in the way."""
    run = found.get("verify")
    if found["unread"]:
        return "not read: " + short(found["unread"][0][1])
    if run is None:
        return "–"
    if run["launches"] and run["launches"] == run["matched"] and not run["problem"]:
        return f"match, {run['launches']} launches" + (" with `--precise-math`" if run.get("precise") else "")
    if run.get("bad"):
        bad = run["bad"][0]
        why = f"`{bad['kernel'].split('<')[0]}`, launch {bad['launch']}: {bad['verdict']}"
        if bad["verdict"] == "mismatch":
            codes = [code for code in run.get("codes", []) if code in ("NFY2002", "NFY2010")]
            return why + ("; " + ", ".join(codes) if codes else "") + "".join(
                "; original: " + finding for finding in run.get("findings", [])[:1])
        return why + ": " + short(bad["message"], 70)
    if run.get("timed_out"):
        return f"no end in time, {run['matched']} of {run['launches']} launches matched"
    return short(run["problem"] or run["output"])


def counts(states):
    kernels = [kernel for found in states for kernel in found["kernels"]]
    runs = [found["verify"] for found in states if found.get("verify")]
    complete = [run for run in runs if run["launches"] and not run["problem"]]
    good = [run for run in complete if run["launches"] == run["matched"]]
    return (len(states), sum(bool(found["unread"]) for found in states), len(kernels),
            sum(kernel["ported"] for kernel in kernels), len(runs), len(complete), len(good))


def percent(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.0f} %)" if whole else "none"


def compared(states):
    runs = [found["verify"] for found in states if found.get("verify")]
    return percent(sum(run["matched"] for run in runs), sum(run["launches"] for run in runs)) + " match"


def summary(states):
    total, unread, kernels, ported, runs, complete, good = counts(states)
    return (f"- {total} programs; {unread} of them have a file that is not read (its kernels are not counted).\n"
            f"- Kernels that port: {percent(ported, kernels)}.\n"
            f"- Programs that were run: {runs}. To their end with at least one launch: {complete}. "
            f"Of these, every launch matched in {percent(good, complete)}.\n"
            f"- Launches compared, also of programs that did not end in time: {compared(states)}.\n")


def causes(states):
    """Diagnostics that stop kernels, the most frequent first."""
    stops = {}
    for found in states:
        for kernel in found["kernels"]:
            if not kernel["ported"]:
                stops.setdefault(kernel["diagnostic"][:7], []).append(kernel)
    lines = ["| diagnostic | kernels |", "| --- | --- |"]
    for code, kernels in sorted(stops.items(), key=lambda item: (-len(item[1]), item[0])):
        lines.append(f"| {code} | {len(kernels)} |")
    return "\n".join(lines) + "\n"


def notes():
    lines = (pathlib.Path(__file__).parent / "notes.txt").read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


def rows(state):
    known = notes()
    lines = ["| program | kernels | ported | verified | what stops a kernel |", "| --- | --- | --- | --- | --- |"]
    for name, found in sorted(state.items()):
        stops = sorted({short(k["diagnostic"], 60) for k in found["kernels"] if not k["ported"]})
        result = verdict(found) + (f" ({known[name]})" if name in known and found.get("verify") else "")
        cells = [name.removeprefix("samples/"), str(len(found["kernels"])),
                 str(sum(k["ported"] for k in found["kernels"])), result, "; ".join(stops[:3])]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def section(title, state):
    states = list(state.values())
    return f"## {title}\n\n{summary(states)}\n{causes(states)}\n{rows(state)}\n" if state else ""


def markdown(state):
    samples = {name: found for name, found in state.items() if name.startswith("samples/")}
    programs = {name: found for name, found in state.items() if name not in samples}
    return ("# Coverage\n\nHow much of public CUDA code ports and verifies. Written by `test/coverage/coverage.py`; "
            "its `README.md` says how.\n\nEvery program is run with small arguments (`test/coverage/arguments.txt`) and "
            "is given 15 to 40 seconds on one core of a busy machine, original and port and the chip model together: `no end in "
            "time` says how many launches had been compared by then. What is not read needs a header that neither the "
            "program nor neuronify has, or has an error. `–`: not run yet, or without a Makefile that says how.\n\n"
            + section("HeCBench, programs a to l", programs) + section("NVIDIA's cuda-samples", samples)).rstrip() + "\n"

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what each optional pass of the compiler is worth, and writes docs/ablation.md.

    bench/ablation.py measure --build build/release --json cpu.json
    bench/ablation.py measure --build build/release --device nvidia --json gpu.json
    bench/ablation.py code --build build/release --processor sm_90 --json ptx.json    # needs no GPU
    bench/ablation.py page cpu.json gpu.json ptx.json > docs/ablation.md

A form is the compiler without one pass; controls are forms that leave out nothing and show the noise. Each form has
processes of its own, pinned to one processor, in which launches with and without the pass alternate; kernels whose code
is the same in both are not measured, as their times say nothing. Building is measured apart, in time of the processor.
A run that ends early leaves the forms that it has measured in the file; with --missing another run measures the others
and adds them, and the page names what is still missing. --programs names a folder of further kernels (README.md). A
form may also be a single step (licm.2), or several passes with commas between them, which are left out together.
"""
import argparse
import datetime
import hashlib
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import ablation_page

CONTROL = ablation_page.CONTROL
PIPELINES = {"cpu": ("Kernel", "Native"), "nvidia": ("Kernel", "NVPTX")}


def optional_passes(clarity, device):
    """Names of the optional passes of a device's pipelines, and which of them are LLVM's; then their single steps,
    where a name has several."""
    command = [clarity, "opt", "--list-pipeline=markdown"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    upstream = set(re.findall(r"^\| `([\w-]+)` \| LLVM:", text, re.MULTILINE))
    names, steps, places = [], [], {}
    for title, body in re.findall(r"^## (\w+) pipeline(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL):
        for name, need in re.findall(r"^\| `([\w-]+)(?:<[^`]*>)?` \| \w+ \| (\w+) \|", body, re.MULTILINE):
            places[name] = places.get(name, 0) + 1
            if need == "optional" and title in PIPELINES[device]:
                names.append(name)
                steps.append(f"{name}.{places[name]}")
    several = [step for step in steps if names.count(step.rpartition(".")[0]) > 1]
    return sorted(set(names)), upstream, several


def chosen_forms(arguments, device):
    names, upstream, steps = optional_passes(os.path.join(arguments.build, "bin", "clarity"), device)
    forms = arguments.passes or names + (steps if arguments.steps else [])
    known = set(names) | set(steps)
    if unknown := sorted({part for form in forms for part in form.split(",")} - known):
        sys.exit(f"not among the optional passes: {', '.join(unknown)}")
    return forms, upstream


def spread(forms, controls):
    """Controls at even distances among the forms, as a machine's speed drifts."""
    result = list(forms)
    for i in range(controls):
        result.insert(round(i * len(result) / max(controls - 1, 1)), CONTROL)
    return result


def environment_of(arguments, device):
    return dict(os.environ, OCL_ICD_VENDORS=os.path.abspath(os.path.join(arguments.build, "clarity.icd")),
                CLARITY_CACHE="0", CLARITY_FIRST_LAUNCH="full", CLARITY_DEVICES=device)


def measure_form(arguments, form, processor, folder):
    """One form's results, from two processes on one processor."""
    bench = [os.path.join(arguments.build, "bin", "kernel_bench"), "--no-host", "--filter", arguments.filter,
             "--without", form]
    if arguments.programs:
        bench += ["--programs", arguments.programs]
    launches = ["--size", arguments.size, "--reps", str(arguments.reps)]
    if arguments.device != "cpu":
        launches += ["--turns", os.path.join(folder, "turns")]
    result = {"form": form, "cases": {}, "same": 0, "wrong": [], "builds": {}}
    runs = [launches] if arguments.reps else []
    runs += [["--size", "small", "--builds", str(arguments.builds)]] if arguments.builds else []
    for i, options in enumerate(runs):
        file = os.path.join(folder, f"{processor}-{i}.json")
        ended = subprocess.run(bench + options + ["--json", file], env=environment_of(arguments, arguments.device),
                               capture_output=True, text=True, check=False,
                               preexec_fn=lambda: os.sched_setaffinity(0, {processor}))
        if ended.returncode not in (0, 1) or not os.path.exists(file):
            result["wrong"].append(f"kernel_bench ended with {ended.returncode}: {ended.stderr.strip()[-200:]}")
            continue
        with open(file, encoding="utf-8") as stream:
            add_results(result, json.load(stream))
        os.remove(file)
    return result


def add_results(result, raw):
    result["device"] = raw["device"]
    for kernel in raw["kernels"]:
        case = f"{kernel['family']}/{kernel['kernel']}"
        for variant in kernel["without"]:
            if variant["error"]:
                result["wrong"].append(f"{case}: {variant['error']}")
            elif variant["same"]:
                result["same"] += 1
            elif variant["ratio"] > 0:
                result["cases"][case] = [kernel["opencl_ms"], variant["ratio"]]
        if kernel["error"]:
            result["wrong"].append(f"{case}: {kernel['error']}")
    whole = {program["file"]: program["build_ms"] for program in raw["programs"] if not program["without"]}
    for program in raw["programs"]:
        if program["without"]:
            result["builds"][program["file"]] = [whole[program["file"]], program["ratio"]]


def measure(arguments):
    forms, upstream = chosen_forms(arguments, arguments.device)
    processors = sorted(os.sched_getaffinity(0))
    workers = arguments.workers or max(1, len(processors) - 1)  # one is left for the system
    free = queue.Queue()
    for processor in processors[-workers:]:
        free.put(processor)

    def run(form):
        processor = free.get()
        try:
            result = measure_form(arguments, form, processor, folder)
        finally:
            free.put(processor)
        results.append(result)
        write(arguments.json, about, results)  # what there is, if a later form takes too long
        print(f"{form}: {ablation_page.geometric_mean([r for _, r in result['cases'].values()] or [1]):.4f}, "
              f"{len(result['wrong'])} wrong", file=sys.stderr, flush=True)
        return result

    about = {"kind": arguments.device, "upstream": sorted(upstream), "forms": forms, "size": arguments.size,
             "reps": arguments.reps, "builds": arguments.builds, "date": datetime.date.today().isoformat(),
             "workers": workers, "processor": processor_name()}
    results = earlier_results(arguments.json, about) if arguments.missing else []
    measured = {result["form"] for result in results}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as pool:
        list(pool.map(run, spread([form for form in forms if form not in measured], arguments.controls)))
    return 1 if any(result["wrong"] for result in results) else 0


def earlier_results(path, about):
    """The forms that an earlier run has measured in the same way."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        earlier = json.load(file)
    same = ("kind", "size", "reps", "builds", "workers", "processor")
    if unlike := [key for key in same if earlier["about"].get(key) != about[key]]:
        sys.exit(f"{path} is of another {unlike[0]}: {earlier['about'].get(unlike[0])}")
    about["forms"] = sorted({*earlier["about"].get("forms", []), *about["forms"]})
    return earlier["forms"]


def processor_name():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return (re.findall(r"^model name\s*: (.*)$", file.read(), re.MULTILINE) or ["unknown"])[0]


def write(path, about, results):
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"about": about, "forms": list(results)}, file, indent=1)


# --- code without a device ------------------------------------------------------------------------------------------


def counts_of(assembly, processor, folder, number):
    """What one kernel's assembly consists of; of PTX, also the registers and spills that ptxas gives it."""
    lines = [line.strip() for line in assembly.splitlines()]
    if not processor.startswith("sm_"):
        instructions = [line for line in lines if line and line[0] not in ".#" and not line.endswith(":")]
        return {"all": len(instructions)}
    instructions = [line for line in lines if line.endswith(";") and not line.startswith((".", "//"))]
    instructions = [re.sub(r"^@!?%\w+\s+", "", line) for line in instructions]
    counts = {"all": len(instructions)}
    for kind, pattern in (("loads", r"ld\."), ("stores", r"st\."), ("local", r"(ld|st)\.local")):
        counts[kind] = sum(re.match(pattern, line) is not None for line in instructions)
    if shutil.which("ptxas"):
        file = os.path.join(folder, f"{number}.ptx")
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(assembly)
        printed = subprocess.run(["ptxas", "-v", "-arch", processor, "-o", "/dev/null", file], capture_output=True,
                                 text=True, check=False).stderr
        os.remove(file)
        counts["registers"] = sum(map(int, re.findall(r"Used (\d+) registers", printed)))
        counts["spills"] = sum(map(int, re.findall(r"(\d+) bytes spill", printed)))
    return counts


def code(arguments):
    device = "nvidia" if arguments.processor.startswith("sm_") else "cpu"
    forms, upstream = chosen_forms(arguments, device)
    binaries = os.path.join(arguments.build, "bin")
    bench = [os.path.join(binaries, "kernel_bench"), "--list", "--filter", arguments.filter]
    bench += ["--programs", arguments.programs] if arguments.programs else []
    cases = [json.loads(line) for line in
             subprocess.run(bench, check=True, capture_output=True, text=True).stdout.splitlines()]
    environment = environment_of(arguments, "cpu")
    known = {}  # of assembly that several forms share

    def compile_one(job):
        number, (form, case) = job
        assembly = ""
        for local in [case["local"]] if case["local"] else arguments.local[case["dimensions"] > 1]:
            command = [os.path.join(binaries, "clarity"), "compile", case["path"], "--emit", "asm", "--kernel",
                       case["kernel"], "--local", local]
            command += ["--processor", arguments.processor] if arguments.processor != "native" else []
            command += ["--", *case["options"].split()]
            command += [f"-cl-clarity-disable={form}"] if form != CONTROL else []
            ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            if ended.returncode:
                return form, case["case"], ended.stderr.strip()[-200:]
            assembly += ended.stdout
        digest = hashlib.sha256(assembly.encode()).hexdigest()
        if digest not in known:  # of the last work-group size
            known[digest] = counts_of(ended.stdout, arguments.processor, folder, number)
        return form, case["case"], dict(known[digest], digest=digest[:16])

    results = {form: {"form": form, "cases": {}, "wrong": []} for form in [CONTROL] + forms}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(arguments.workers or os.cpu_count()) as pool:
        jobs = enumerate([(form, case) for form in results for case in cases])
        for form, case, counts in pool.map(compile_one, jobs):
            if isinstance(counts, str):
                results[form]["wrong"].append(f"{case}: {counts}")
            else:
                results[form]["cases"][case] = counts
    about = {"kind": "code", "processor": arguments.processor, "upstream": sorted(upstream),
             "date": datetime.date.today().isoformat()}
    write(arguments.json, about, list(results.values()))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    commands = parser.add_subparsers(required=True)
    measuring = commands.add_parser("measure", help="run kernel_bench and keep its results")
    measuring.add_argument("--device", choices=sorted(PIPELINES), default="cpu", help="back end (%(default)s)")
    measuring.add_argument("--size", choices=["small", "normal"], default="normal",
                           help="of the problems (%(default)s)")
    measuring.add_argument("--reps", type=int, default=15, help="launches of each form; 0: none (%(default)s)")
    measuring.add_argument("--builds", type=int, default=5, help="builds of each form; 0: none (%(default)s)")
    measuring.add_argument("--missing", action="store_true", help="add the forms that the file of results lacks")
    measuring.add_argument("--controls", type=int, default=4, help="forms that leave out nothing (%(default)s)")
    measuring.set_defaults(run=measure)
    coding = commands.add_parser("code", help="compile the same kernels, and count their instructions")
    coding.add_argument("--processor", default="native", help="as `clarity compile` takes it (%(default)s)")
    coding.set_defaults(local=[["256"], ["64,4"]])  # of launches that name none, by their dimensions
    coding.set_defaults(run=code)
    for command in (measuring, coding):
        command.add_argument("--build", default="build/release", help="build folder (%(default)s)")
        command.add_argument("--passes", nargs="+", metavar="FORM", help="a few forms; all optional passes by default")
        command.add_argument("--steps", action="store_true", help="also single steps, of passes that run several times")
        command.add_argument("--filter", default=".", help="only kernels whose family/name match")
        command.add_argument("--programs", help="a folder of further kernels")
        command.add_argument("--workers", type=int, help="processes at a time")
        command.add_argument("--json", required=True, help="file for the results")
    writing = commands.add_parser("page", help="print docs/ablation.md")
    writing.add_argument("results", nargs="+", help="what measure and code have written")
    writing.set_defaults(run=lambda arguments: ablation_page.write(arguments.results))
    arguments = parser.parse_args()
    sys.exit(arguments.run(arguments))


if __name__ == "__main__":
    main()

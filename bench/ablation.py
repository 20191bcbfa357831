#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures kernel_bench without one optional pass of the compiler after the other, and writes docs/ablation.md.

    bench/ablation.py measure --build build/release --json ablation.json    # about ten minutes, on a quiet machine
    bench/ablation.py page ablation.json > docs/ablation.md

Every kernel is launched with all passes and without each of them, launch by launch in turn, in one process; results are
checked in every form. `none` among the passes leaves nothing out: what it shows is noise.
"""
import argparse
import datetime
import json
import math
import os
import platform
import re
import subprocess
import sys
import tempfile
import textwrap

CONTROL = "none"


def optional_passes(clarity):
    """Names of optional passes: those of LLVM, and ours, as the command lists them."""
    command = [clarity, "opt", "--list-pipeline=markdown"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    text = re.sub(r"^## NVPTX pipeline.*?(?=^## )", "", text, flags=re.MULTILINE | re.DOTALL)  # not the CPU's
    names = sorted(set(re.findall(r"^\| `([\w-]+)` \| \w+ \| optional \|", text, re.MULTILINE)))
    upstream = set(re.findall(r"^\| `([\w-]+)` \| LLVM:", text, re.MULTILINE))
    return names, upstream


def measure(arguments):
    binaries = os.path.join(arguments.build, "bin")
    names, upstream = optional_passes(os.path.join(binaries, "clarity"))
    chosen = arguments.passes.split(",") if arguments.passes else names
    if unknown := sorted(set(chosen) - set(names)):
        sys.exit(f"not among the optional passes: {', '.join(unknown)}")
    command = [os.path.join(binaries, "kernel_bench"), "--no-host", "--size", arguments.size]
    command += ["--reps", str(arguments.reps), "--filter", arguments.filter]
    for name in [CONTROL] + chosen:
        command += ["--without", name]
    environment = dict(os.environ, OCL_ICD_VENDORS=os.path.abspath(os.path.join(arguments.build, "clarity.icd")))
    with tempfile.TemporaryDirectory() as folder:
        environment["CLARITY_CACHE_DIR"] = os.path.join(folder, "cache")
        raw = os.path.join(folder, "results.json")
        status = subprocess.run(command + ["--json", raw], env=environment, check=False).returncode
        if status not in (0, 1) or not os.path.exists(raw):
            sys.exit(f"kernel_bench ended with {status}")
        with open(raw, encoding="utf-8") as file:
            results = json.load(file)
    results["ablation"] = {
        "upstream": sorted(upstream & set(chosen)), "size": arguments.size, "reps": arguments.reps,
        "date": datetime.date.today().isoformat(), "processors": os.cpu_count(), "processor": processor_name()}
    with open(arguments.json, "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1)
    return status


def processor_name():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = re.findall(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
    return names[0] if names else platform.processor()


def geometric_mean(ratios):
    return math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))


class Pass:
    """The results without one pass."""

    def __init__(self, name, results):
        self.name = name
        self.ratios, self.wrong = {}, []
        with_all = without = 0
        for kernel in results["kernels"]:
            case = f"{kernel['family']}/{kernel['kernel']}"
            for variant in kernel["without"]:
                if variant["passes"] != name or kernel["error"]:
                    continue
                if variant["error"]:
                    self.wrong.append(f"{case}: {variant['error']}")
                elif kernel["opencl_ms"] > 0 and variant["opencl_ms"] > 0:
                    self.ratios[case] = variant["opencl_ms"] / kernel["opencl_ms"]
                    with_all += kernel["build_ms"]
                    without += variant["build_ms"]
        builds = {(each["file"], each["without"]): each["build_ms"] for each in results["programs"]}
        for (file, left_out), time in builds.items():
            if left_out == name:
                with_all += builds[file, ""]
                without += time
        self.mean = geometric_mean(self.ratios.values()) if self.ratios else 1.0
        self.build = (with_all - without) / without * 100 if without else 0.0

    def ordered(self):
        return sorted(self.ratios.items(), key=lambda each: -each[1])


def row(each, noise):
    helped = sum(ratio > 1 + noise for ratio in each.ratios.values())
    hurt = sum(ratio < 1 - noise for ratio in each.ratios.values())
    return f"| `{each.name}` | {each.mean:.3f} | {helped} | {hurt} | {each.build:+.1f} % |"


def case_lines(each):
    best = ", ".join(f"{case} {ratio:.2f}" for case, ratio in each.ordered()[:3])
    case, ratio = each.ordered()[-1]
    text = f"- `{each.name}`: helps {best}; hurts most: {case} {ratio:.2f}."
    return textwrap.fill(text, 116, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)


INTRODUCTION = """# What each optional pass is worth

Generated by `bench/ablation.py` from measurements; not written by hand. `bench/README.md` says how to repeat it.

{made}

*Without it*: the geometric mean, over all cases, of a kernel's time without the pass by its time with all passes;
above 1, the pass makes kernels faster. *Helps* and *hurts*: the number of cases that become more than {percent:.0f} %
slower and faster without it; the control, which leaves nothing out, stays within that in 19 of 20 cases. *Build*: what
the pass adds to the time of building all programs and generating code for all kernels, including what its results save
or cost in later passes.
"""


def page(arguments):
    with open(arguments.results, encoding="utf-8") as file:
        results = json.load(file)
    about = results["ablation"]
    names = list(dict.fromkeys(variant["passes"] for kernel in results["kernels"] for variant in kernel["without"]))
    passes = [Pass(name, results) for name in names]
    control = next(each for each in passes if each.name == CONTROL)
    deviations = sorted(abs(ratio - 1) for ratio in control.ratios.values())
    noise = max(0.02, deviations[min(len(deviations) - 1, int(0.95 * len(deviations)))])
    made = (f"Measured on {about['date']} with {about['processors']} processors ({about['processor']}): "
            f"{len(results['kernels'])} cases of kernel_bench (`--size {about['size']}`), the median of "
            f"{about['reps']} launches of each form, all forms in turn.")
    print(INTRODUCTION.format(made=textwrap.fill(made, 118), percent=noise * 100))
    groups = [("Passes of Clarity", [e for e in passes if e.name not in about["upstream"] and e is not control]),
              ("Passes of LLVM, where the pipeline names them", [e for e in passes if e.name in about["upstream"]]),
              ("Control", [control])]
    for title, group in groups:
        if not group:
            continue
        group.sort(key=lambda each: -each.mean)
        print(f"## {title}\n\n| pass | without it | helps | hurts | build |\n|---|---|---|---|---|")
        print("\n".join(row(each, noise) for each in group) + "\n")
        print("\n".join(case_lines(each) for each in group if each.ratios) + "\n")
    wrong = [line for each in passes for line in each.wrong]
    if wrong:
        print("## Wrong results\n")
        print("\n".join(textwrap.fill(f"- {line}", 118, subsequent_indent="  ") for line in wrong))
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    commands = parser.add_subparsers(required=True)
    measuring = commands.add_parser("measure", help="run kernel_bench and keep its results")
    measuring.add_argument("--build", default="build/release", help="build folder (%(default)s)")
    measuring.add_argument("--passes", help="a few passes, with commas; all optional ones by default")
    measuring.add_argument("--filter", default=".", help="only kernels whose family/name match")
    measuring.add_argument("--size", choices=["small", "normal"], default="small", help="of the problems (%(default)s)")
    measuring.add_argument("--reps", type=int, default=7, help="launches of each form (%(default)s)")
    measuring.add_argument("--json", required=True, help="file for the results")
    measuring.set_defaults(run=measure)
    writing = commands.add_parser("page", help="print docs/ablation.md")
    writing.add_argument("results", help="what measure has written")
    writing.set_defaults(run=page)
    arguments = parser.parse_args()
    sys.exit(arguments.run(arguments))


if __name__ == "__main__":
    main()

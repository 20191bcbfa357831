# SPDX-License-Identifier: Apache-2.0
"""Compiles kernels for a processor with and without the optional passes of Clarity's own, and prints those that ran,
and those that ran although they were disabled: disabled_passes.py CLARITY PROCESSOR PIPELINE FILE KERNEL..."""
import re
import subprocess
import sys

clarity, processor, pipeline, file, *kernels = sys.argv[1:]


def output(*arguments):
    return subprocess.run([clarity, *arguments], check=True, capture_output=True, text=True)


def optional():
    """Steps of the pipeline that are LLVM's serve required steps, too."""
    page = output("opt", "--list-pipeline=markdown").stdout
    upstream = set(re.findall(r"^\| `([\w-]+)` \| LLVM:", page, re.MULTILINE))
    names = set()
    for title, body in re.findall(r"^## (\w+) pipeline(.*?)(?=^## )", page, re.MULTILINE | re.DOTALL):
        if title in ("Kernel", pipeline):
            names |= set(re.findall(r"^\| `([\w-]+)(?:<[^`]*>)?` \| \w+ \| optional \|", body, re.MULTILINE))
    return names - upstream


def ran(*options):
    names = set()
    for kernel in kernels:
        printed = output("compile", file, "--processor", processor, "--kernel", kernel, "--local", "64", "--emit",
                         "native-ir", "-o", "-", "--time-passes", "--", *options).stderr
        names |= {name.partition("<")[0] for name in re.findall(r"^ +[\d.]+ +[\d.]+ +\d+ +([\w-]+)\S*$", printed,
                                                                 re.MULTILINE)}
    return names


names = optional()
print("ran:", " ".join(sorted(names & ran())))
print("ran although disabled:", " ".join(sorted(names & ran("-cl-clarity-disable=" + ",".join(sorted(names))))))

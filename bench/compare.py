#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables in Markdown from measurements, for docs/performance.md.

  compare.py summary FILE.json...    a row for each family: geometric means of OTHER / FIRST and C++ / FIRST
  compare.py cases FILE.json...      a row for each case: milliseconds and the same ratios

A file is what kernel_bench --json or clarity bench --compare ICD --json writes. The first platform of the first file is
compared with all others. Several files may hold one platform: the best time of each case counts. C++ is measured by
every run of kernel_bench; the best of all counts. Cases with wrong results, and cases that a platform lacks, get a dash
and are left out of its mean.

  --name PLATFORM=NAME      the heading of a platform's column, such as 'Portable Computing Language=PoCL 3.1'
  --machine TEXT            a line about the machine above the table
  --into FILE               replaces the table in FILE, between the lines '<!-- compare.py MODE -->' and
                            '<!-- compare.py end -->', instead of printing it
"""
import argparse
import json
import math
import pathlib
import sys


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["summary", "cases"])
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--name", action="append", default=[])
    parser.add_argument("--machine", default="")
    parser.add_argument("--into", type=pathlib.Path)
    return parser.parse_args()


class Measured:
    """Milliseconds by platform and case; the cases in the order of the first file."""

    def __init__(self, files):
        self.platforms, self.cases, self.times = [], [], {}
        for file in files:
            run = json.loads(file.read_text(encoding="utf-8"))
            if "kernels" in run:
                self.add_kernels(run)
            else:
                self.add_samples(run)

    def add_kernels(self, run):
        """A file of kernel_bench: one platform."""
        for row in run["kernels"]:
            case = (row["family"], row["kernel"])
            # The name without the version, as `clarity bench` has it.
            self.keep(run["platform"].split(", OpenCL ")[0], case, row["opencl_ms"] if row["ok"] else 0)
            self.keep("C++", case, row["host_ms"])

    def add_samples(self, run):
        """A file of clarity bench: the platforms that were compared."""
        for platform in run["platforms"]:
            for sample in platform["samples"]:
                for row in sample["cases"]:
                    case = ("samples", f"{sample['sample']} {row['case']} {row['size']}".replace("  ", " "))
                    self.keep(platform["name"], case, row["kernel_ms"] if row["verified"] else 0)

    def keep(self, platform, case, milliseconds):
        if platform != "C++" and platform not in self.platforms:
            self.platforms.append(platform)
        if case not in self.cases:
            self.cases.append(case)
        if milliseconds > 0:
            self.times[platform, case] = min(milliseconds, self.times.get((platform, case), math.inf))

    def contenders(self):
        return self.platforms[1:] + (["C++"] if any(platform == "C++" for platform, _ in self.times) else [])

    def ratio(self, other, case):
        """How many times as long the other one takes as the first platform; None if one of them was not measured."""
        ours, theirs = self.times.get((self.platforms[0], case)), self.times.get((other, case))
        return theirs / ours if ours and theirs else None


def mean(ratios):
    known = [ratio for ratio in ratios if ratio]
    return math.exp(sum(map(math.log, known)) / len(known)) if known else None


def number(value, digits):
    return "-" if value is None else f"{value:.{digits}f}"


def summary(measured, names):
    others = measured.contenders()
    families = list(dict.fromkeys(family for family, _ in measured.cases))
    rows = [["kernels", "cases"] + [f"{names[other]} / {names[measured.platforms[0]]}" for other in others]]
    for family in families + [None]:
        cases = [case for case in measured.cases if family in (None, case[0])]
        rows.append([family or "**all**", str(len(cases))] +
                    [number(mean(measured.ratio(other, case) for case in cases), 2) for other in others])
    return rows


def cases(measured, names):
    others = measured.contenders()
    columns = [measured.platforms[0]] + others
    rows = [["family", "kernel"] + [names[column] for column in columns] +
            [f"{names[other]} / {names[columns[0]]}" for other in others]]
    for case in measured.cases:
        rows.append(list(case) + [number(measured.times.get((column, case)), 2) for column in columns] +
                    [number(measured.ratio(other, case), 1) for other in others])
    return rows


def markdown(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0])] + lines[1:]) + "\n"


def replace(file, mode, text):
    begin, end = f"<!-- compare.py {mode} -->\n", "<!-- compare.py end -->\n"
    document = file.read_text(encoding="utf-8")
    before, found, rest = document.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        sys.exit(f"{file} has no lines '{begin.strip()}' and '{end.strip()}'")
    file.write_text(before + begin + text + end + after, encoding="utf-8")


def main():
    options = arguments()
    measured = Measured(options.files)
    names = {platform: platform for platform in measured.platforms + ["C++"]}
    for word in options.name:
        platform, _, name = word.partition("=")
        if platform not in names:
            sys.exit(f"--name: no file is of the platform '{platform}'; they are of {', '.join(measured.platforms)}")
        names[platform] = name
    text = markdown({"summary": summary, "cases": cases}[options.mode](measured, names))
    if options.machine:
        text = options.machine + "\n\n" + text
    if options.into:
        replace(options.into, options.mode, text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()

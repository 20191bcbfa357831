#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds arguments with which the kernels of an OpenCL C file can be measured.

  probe.py FILE.cl --clarity build/release/bin/clarity --into FOLDER [--options '-D N=16'] [--headers FOLDER]

The kernels of a program are easier to measure than the program itself: FOLDER/NAME.json is a description for
`kernel_bench --programs FOLDER`, FOLDER/NAME.cl the source with its headers in it. For each kernel the tool guesses:

- macros that the file leaves to its host program, from what clang says about unknown names;
- the range, and scalars by their names: width, rows, stride, radius, n, ...;
- the contents of buffers: small numbers, or indices where the name says so;
- the sizes of buffers: it runs the kernel with bounds checked, and enlarges a buffer that an access leaves.

It keeps a guess if no access leaves its memory, if the kernel changes a buffer, if no work-items race as far as a check
of some seconds shows, if two runs with one and with several threads give the same results, and if a launch takes
between --least and --most microseconds. If no guess takes so long, it keeps one that takes a quarter of --least. A
kernel for which no guess does is named on standard error. Kernels with images, samplers, pipes or structures by value
are left out.
"""
import argparse
import collections
import json
import math
import os
import pathlib
import re
import sys
import tempfile

import probe_guess
import probe_run

# A program names its macros as it likes. Some values fit most of them.
TYPE_NAMES = re.compile(r"(?i)type|real|float|value|scalar|^t$|^fp|number|dt$|_t$")
MOST_MACROS = 24


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--clarity", default="clarity", help="the tool (default: clarity)")
    parser.add_argument("--into", type=pathlib.Path, required=True, help="folder of the descriptions")
    parser.add_argument("--name", help="name of the description (default: that of the file)")
    parser.add_argument("--options", default="", help="build options that the program needs")
    parser.add_argument("--headers", type=pathlib.Path, help="folder in which missing headers are looked for")
    parser.add_argument("--filter", default="", help="only kernels whose name matches")
    parser.add_argument("--least", type=float, default=100, help="microseconds of a launch, at least (100)")
    parser.add_argument("--most", type=float, default=20000, help="microseconds of a launch, at most (20000)")
    parser.add_argument("--seconds", type=float, default=20, help="to spend on one kernel (20)")
    return parser.parse_args()


def macro_for(name, log):
    """The value of a macro that the program lacks."""
    if f"unknown type name '{name}'" in log or TYPE_NAMES.search(name) and f"{name} " in log and "SIZE" not in name:
        return f"{name}=float"
    return f"{name}={probe_guess.macro_value(name)}"


def with_headers(text, folder, headers, known):
    """The text with the headers in quotation marks in the place of their #include, once each."""

    def expand(match):
        name = match.group(1)
        found = folder / name
        if not found.is_file() and headers:
            found = next(iter(sorted(headers.rglob(pathlib.Path(name).name))), found)
        if not found.is_file():
            return match.group(0)
        if found.resolve() in known:
            return ""
        known.add(found.resolve())
        inner = found.read_text(encoding="utf-8", errors="replace")
        return with_headers(inner, found.parent, headers, known) + "\n"

    return re.sub(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">].*$', expand, text, flags=re.MULTILINE)


def find_options(tool, options):
    """Options with which the file builds, and the list of its kernels; (None, why) if there are none."""
    log = ""
    single = re.findall(r"#\s*if(?:def|\s+defined)[ (]+(\w*SINGLE\w*|USE_FLOAT\w*)", tool.text)
    if single and tool.kernels(options)[0] is None:
        options += f" -D {single[0]}=1"
    for _ in range(MOST_MACROS):
        listing, log = tool.kernels(options)
        if listing is not None:
            return options, listing
        missing = re.findall(r"unknown type name '(\w+)'|undeclared identifier '(\w+)'", log)
        names = {first or second for first, second in missing}
        added = [f" -D {macro}" for macro in (macro_for(name, log) for name in sorted(names))
                 if f"-D {macro}" not in options]
        if not added:
            break
        options += "".join(added)
    first = re.search(r"error: (.*)", log)
    return None, first.group(1) if first else "it does not build"


def fitting(tool, kernel, options, trial):
    """Why buffers of a trial cannot be enlarged until no access leaves them; nothing if they can, which they are."""
    for _ in range(10):
        outside = tool.outside(kernel, options, trial)
        if outside is None:
            return "it does not run"
        if not outside:
            return ""
        for index, element in outside.items():
            name = "its memory" if index is None else kernel.parameters[index].name
            if index is None or element < 0 or not trial.enlarge(index, element):
                return f"an access leaves {name}"
    return f"accesses leave {name}"


def steady(tool, kernel, options, trial):
    """Microseconds of a launch whose results are the same in each run and differ from the contents before; or None."""
    first, time = tool.run(kernel, options, trial, threads=1)
    if first is None or first == tool.contents_before(kernel, trial):
        return None
    second, again = tool.run(kernel, options, trial, threads=max(2, os.cpu_count() or 2))
    return min(time, again) if second == first else None


def probe(tool, kernel, options, limits):
    """The first guess that can be measured, and its microseconds; (None, why)."""
    if unfit := kernel.unfit():
        return None, unfit
    reasons = collections.Counter()
    accesses = tool.accesses(kernel.name, options)
    best = None
    for guess in probe_guess.guesses(kernel):
        scale, tried = 1, set()
        while scale not in tried and not tool.late():
            tried.add(scale)
            trial = guess.trial(kernel, accesses, scale)
            if why := fitting(tool, kernel, options, trial):
                reasons[why] += 1
                break
            time = steady(tool, kernel, options, trial)
            if time is None:
                reasons["it changes nothing, or results differ from run to run"] += 1
                break
            if scale == 1 and tool.races(kernel, options, trial):
                reasons["work-items race"] += 1
                break
            if limits.least <= time <= limits.most:
                return trial, time
            if time <= limits.most and (best is None or time > best[1]):
                best = trial, time
            reasons[f"a launch takes {time:.0f} us"] += 1
            scale = scale * 4 if time < limits.least else scale / 4
            if not 1 / 64 <= scale <= 256:
                break
        if tool.late():
            break
    if best and best[1] >= limits.least / 4:
        return best
    return None, "; ".join(reason for reason, _ in reasons.most_common(2)) or "no time was left"


def main():
    limits = arguments()
    name = limits.name or limits.file.stem
    text = with_headers(limits.file.read_text(encoding="utf-8", errors="replace"), limits.file.parent, limits.headers,
                        set())
    with tempfile.TemporaryDirectory() as scratch:
        tool = probe_run.Tool(limits.clarity, pathlib.Path(scratch), text)
        options, listing = find_options(tool, limits.options)
        if options is None:
            sys.exit(f"{limits.file}: {listing}")
        described = []
        for line in listing:
            kernel = probe_guess.Kernel(line, text, options)
            if not re.search(limits.filter, kernel.name):
                continue
            tool.begin(limits.seconds)
            trial, found = probe(tool, kernel, options, limits)
            if trial is None:
                print(f"{limits.file}: {kernel.name}: {found}", file=sys.stderr)
                continue
            described.append(trial.description(kernel.name))
            print(f"{name}/{kernel.name}: {math.ceil(found)} us")
    if not described:
        sys.exit(f"{limits.file}: no kernel can be measured")
    limits.into.mkdir(parents=True, exist_ok=True)
    (limits.into / f"{name}.cl").write_text(text, encoding="utf-8")
    program = {"file": f"{name}.cl", "options": options.strip(), "kernels": described}
    (limits.into / f"{name}.json").write_text(json.dumps(program, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

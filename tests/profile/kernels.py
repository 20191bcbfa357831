#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Profiles a kernel with a planted cause of slowness, and its mended twin, or a kernel at its limit:
kernels.py CLARITY PROGRAM CASE; kernels.py --list prints the cases.

The slow one gets the advice first that names the cause and its line; the mended one does not get it. A kernel at its
limit gets none. Exit code 77: the cause costs nothing on this processor.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import kernel_pairs
import more_pairs
import other_pairs

PAIRS = kernel_pairs.PAIRS | other_pairs.PAIRS | more_pairs.PAIRS
AT_LIMIT = kernel_pairs.AT_LIMIT | other_pairs.AT_LIMIT | more_pairs.AT_LIMIT

# A machine that is busy with other things hides causes, and makes some up: the best of so many runs counts.
ATTEMPTS = 10
# Causes that cost nothing on some processors, where the slow kernel takes less than so many times as long.
ON_SOME_PROCESSORS = {"denormals"}
LEAST_COST = 4  # processors that have the cost pay ten times and more; clocks alone may differ by two


def profiled(clarity, program, launch):
    with tempfile.TemporaryDirectory() as folder:
        source, sums = pathlib.Path(folder) / "kernel.cl", pathlib.Path(folder) / "sums.json"
        source.write_text(launch.source, encoding="utf-8")
        command = [program, source, launch.options, launch.size, launch.local, str(launch.count)]
        subprocess.run([clarity, "profile", "--quiet", "--json", sums, *command, *launch.arguments.split()],
                       stdout=subprocess.DEVNULL, check=True)  # what kernels print
        processes = json.loads(sums.read_text(encoding="utf-8"))
    assert len(processes) == 1, f"{len(processes)} processes"
    return processes[0]


def advice(clarity, program, launch):
    return profiled(clarity, program, launch)["advice"]


def costs_here(clarity, program, pair):
    slow, mended = (profiled(clarity, program, launch)["kernels"][0]["min_ns"] for launch in (pair.slow, pair.mended))
    print(f"the slow kernel takes {slow} ns, the mended one {mended} ns")
    return slow > LEAST_COST * mended


def titles(found):
    return [f"{each['title']} ({each['place']})" for each in found]


def check_pair(clarity, program, pair):
    slow = advice(clarity, program, pair.slow)
    first = slow[0] if slow else {"title": "", "line": 0}
    assert pair.title in first["title"], f"the slow kernel is advised {titles(slow)}, not of '{pair.title}' first"
    wanted = pair.slow.line()
    assert wanted in (0, first["line"]), f"the cause is in line {wanted}, the advice says line {first['line']}"
    mended = advice(clarity, program, pair.mended)
    wrong = [each for each in mended if pair.title in each["title"]]
    assert not wrong, f"the mended kernel is advised {titles(mended)}"


def check_limit(clarity, program, launch):
    found = advice(clarity, program, launch)
    assert not found, f"a kernel at its limit is advised {titles(found)}"


def measure_rates(clarity, program):
    """The first three profiles with a cache measure the machine's rates (docs/profile.md)."""
    for _ in range(3):
        advice(clarity, program, next(iter(PAIRS.values())).slow)


def main(clarity, program, case):
    if case == "rates":
        return measure_rates(clarity, program)
    if case in ON_SOME_PROCESSORS and not costs_here(clarity, program, PAIRS[case]):
        return 77
    for attempt in range(ATTEMPTS):
        if attempt == ATTEMPTS // 2:
            # Without a cache, profiles measure the machine's rates anew: those kept may be of a moment under load.
            os.environ["CLARITY_CACHE"] = "0"
        try:
            if case in PAIRS:
                return check_pair(clarity, program, PAIRS[case])
            return check_limit(clarity, program, AT_LIMIT[case])
        except AssertionError:
            if attempt == ATTEMPTS - 1:
                raise


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print("\n".join([*PAIRS, *AT_LIMIT]))
    else:
        sys.exit(main(*sys.argv[1:]))

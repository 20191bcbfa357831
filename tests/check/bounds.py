#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a kernel under CLARITY_CHECK=bounds, and looks at what it has written.

usage: bounds.py CLARITY

A right run does everything once. In a wrong one the access outside of its memory does not happen, and all others do.
"""
import json
import os
import pathlib
import subprocess
import sys

GROUPS, ITEMS = 64, 8
KERNEL = pathlib.Path(__file__).with_name("bounds.cl")


def run(clarity, far):
    """What the kernel has written, how often work-items have counted, and the findings."""
    items = GROUPS * ITEMS
    command = [clarity, "exec", "-q", "--check=bounds", "--json", str(KERNEL), "spill", "-a", far, "-a",
               f"zeros:{items}", "-a", "zeros:1", "-g", str(items), "-l", str(ITEMS), "-p", f"1:{items}", "-p", "2:1"]
    done = subprocess.run(command, capture_output=True, env=dict(os.environ, CLARITY_CACHE="0"), check=False)
    result = json.loads(done.stdout[done.stdout.index(b"{"):])
    out, count = (printed["values"] for printed in result["printed"])
    return out, count[0], result["findings"]


def expected(far):
    out = []
    for group in range(GROUPS):
        mine = [0] * ITEMS
        for item in range(ITEMS):
            if item + far(group) < ITEMS:
                mine[item + far(group)] = 100 + item
        out += [item * 1000 + mine[item] for item in range(ITEMS)]
    return out


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    problems = []
    out, count, findings = run(arguments[0], f"zeros:{GROUPS}")
    if out != expected(lambda group: 0):
        problems.append(f"a right run has written {out}")
    if count != GROUPS * ITEMS:
        problems.append(f"in a right run {count} work-items have counted, not {GROUPS * ITEMS}")
    if findings:
        problems.append(f"in a right run is found: {findings}")
    out, _, findings = run(arguments[0], f"iota:{GROUPS}")
    if out != expected(lambda group: group):
        problems.append(f"a wrong run has written {out}")
    if [finding["kind"] for finding in findings] != ["out-of-bounds"]:
        problems.append(f"in a wrong run is found: {findings}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

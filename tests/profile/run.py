#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Profiles a program with a planted cause of slowness, and its mended twin: run.py CLARITY PROGRAM CASE.

The slow one gets the advice first that names the cause; the mended one does not get it.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

# A part of the advice's title for each case.
CAUSES = {
    "builds": "built again and again",
    "objects": "New buffers are created",
    "copies": "Large buffers are copied",
    "small-transfers": "Many small transfers",
    "short-launches": "are too small",
    "few-groups": "fewer work-groups than there are processors",
    "many-sizes": "compiled for many work-group sizes",
    "polling": "asks again and again",
    "residuals": "ransfers",  # small and blocking ones
    "host-work": "waits for the host's own work",
    "links": "built again and again",
    "rows": "ransfers",  # small and blocking ones
    "maps": "Blocking transfers in a loop",
    "kernels": "New kernels are created",
    "round-trips": "reads and writes mapped memory",
    "contexts": "New contexts are created",
    "map-for-one": "Blocking transfers in a loop",
    "shared-memory": "New SVM allocations are created",
    "copied-rows": "Many small transfers",
    "frames": "New images are created",
    "read-for-one": "Large buffers are copied",
    "fills": "Many small transfers",
    "binaries": "built again and again",
    "copied-back": "copied from one launch to the next",
    "zeros": "filled again for every launch",
    "uploads": "Large buffers are copied",
    "sleeping": "between questions whether a command has ended",
    "bands": "are too small",
    "questions": "asks the same questions",
    "first-launches": "First launches wait",
}


def titles(clarity, program, case, form):
    with tempfile.TemporaryDirectory() as folder:
        sums = pathlib.Path(folder) / "sums.json"
        # The program has no cache: what it builds again is compiled again. The command has one, of the machine's rates.
        program = ["env", "CLARITY_CACHE=0", program, case, form]
        subprocess.run([clarity, "profile", "--quiet", "--json", sums, *program], check=True)
        processes = json.loads(sums.read_text(encoding="utf-8"))
    assert len(processes) == 1, f"{len(processes)} processes"
    return [advice["title"] for advice in processes[0]["advice"]]


# A machine that is busy with other things hides causes, and makes some up: the best of so many runs counts.
ATTEMPTS = 10


def check(clarity, program, case):
    wanted = CAUSES[case]
    slow, mended = (titles(clarity, program, case, form) for form in ("slow", "mended"))
    assert slow and wanted in slow[0], f"the slow program is advised {slow}, not of '{wanted}' first"
    assert not any(wanted in title for title in mended), f"the mended program is advised {mended}"


def main(*arguments):
    for attempt in range(ATTEMPTS):
        try:
            return check(*arguments)
        except AssertionError:
            if attempt == ATTEMPTS - 1:
                raise


if __name__ == "__main__":
    main(*sys.argv[1:])

# SPDX-License-Identifier: Apache-2.0
"""Writes records of launches whose times are known into the folders old and new: compared_records.py RUNS.

Launches vary by 3 % in a run, and runs by 1 %.
"""
import json
import pathlib
import random
import sys

# kernel: local size, launches of a run and their median in microseconds, of each side.
OLD = {"alike": (64, 40, 100), "dearer": (64, 40, 200), "cheaper": (64, 40, 300), "dropped": (64, 9, 10),
       "resized": (16, 20, 50), "rare": (64, 2, 70), "little": (64, 40, 1)}
NEW = {"alike": (64, 40, 100), "dearer": (64, 40, 240), "cheaper": (64, 40, 150), "added": (64, 9, 10),
       "resized": (256, 20, 20), "rare": (64, 2, 90), "little": (64, 40, 2)}
# The source's lines, and samples (of a millisecond) of the kernel `dearer` in them. New code has a line before them.
LINES = ["  s += exp(x[i]);", "  t += x[i] * y[i];"]
SAMPLES = {"old": (300, 500), "new": (900, 510)}


def record(side, kernels, generator):
    commands, now = [], 0
    speed = generator.uniform(0.99, 1.01)
    for number, (local, launches, median) in enumerate(kernels.values(), 1):
        for _ in range(launches):
            time = int(1000 * median * speed * generator.uniform(0.97, 1.03))
            commands.append({"name": "clEnqueueNDRangeKernel", "kernel": number, "thread": 1, "call": 0, "queue": 7,
                             "dims": 1, "global": [4096, 1, 1], "local": [local, 1, 1], "bytes": 0, "status": 0,
                             "blocking": False, "times": [now, now, now, now + time], "after": []})
            now += time
    source = "kernel void dearer() {\n" + ("  int k;\n" if side == "new" else "") + "\n".join(LINES) + "\n}\n"
    first = 3 if side == "new" else 2
    samples = [{"kernel": "dearer", "file": "k.cl", "function": "dearer", "line": first + i, "count": count}
               for i, count in enumerate(SAMPLES[side])]
    return {"clarity": "profile 1", "process": 1, "command": side, "begin": 0, "end": now, "dropped": 0,
            "kernels": list(kernels), "queues": [{"id": 7, "device": "a CPU", "outOfOrder": False}],
            "threads": [{"id": 1, "calls": []}], "commands": commands, "compiles": [], "counts": [],
            "sources": [source], "sampleTime": 1000000, "samples": samples}


generator = random.Random(1)
for side, kernels in (("old", OLD), ("new", NEW)):
    folder = pathlib.Path(side)
    folder.mkdir()
    for run in range(int(sys.argv[1])):
        (folder / f"{run}.profile").write_text(json.dumps(record(side, kernels, generator)), encoding="utf-8")

# SPDX-License-Identifier: Apache-2.0
"""Shows what `clarity profile` advises of launches on a GPU, of made records: profile_gpu.py CLARITY."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

LAUNCHES, TIME = 20, 1_000_000
GOOD = {"kernel": "k", "global": [1 << 20, 1, 1], "local": [256, 1, 1], "blocks": 4096, "threads": 256, "registers": 32,
        "privateBytes": 0, "sharedBytes": 0, "together": 8, "multiprocessors": 132, "mostThreads": 2048}
CASES = {
    "good": {},
    "private memory": {"privateBytes": 512},
    "little private memory": {"privateBytes": 16},
    "warps": {"threads": 33, "blocks": 31776, "together": 32},
    "few blocks": {"blocks": 66},
    "occupancy": {"together": 1, "sharedBytes": 160 << 10},
    "tail": {"blocks": 1100},
    "whole waves": {"blocks": 1056},
}
# Launches of one global size in two local sizes, and code that other code replaces.
SMALL = {"local": [33, 1, 1], "threads": 33, "blocks": 31776, "together": 32}
SEVERAL = {"two sizes": [{}, SMALL], "two codes": [{"registers": 255}, {}], "edge": [{}, {"threads": 64, "blocks": 1}]}

# Counts of lines: each cause, and its twin.
LINE = {"line": 4, "executions": 1e5, "instructions": 1e6, "threadInstructions": 32e6, "requests": 1e5, "sectors": 4e5,
        "leastSectors": 4e5, "localRequests": 1e5, "passes": 1e5, "leastPasses": 1e5}
SOURCE = """kernel void k(global float* y, local float* part) {
  int i = get_global_id(0);
  if (i % 2)
    y[i] += part[i];
  for (int j = 0; j < i; ++j)
    y[i] *= 2;
}
"""
LINES = {"far": [{"sectors": 32e5}], "side by side": [{}],
         "shifted bytes": [{"sectors": 2e5, "leastSectors": 1e5}], "strided bytes": [{"leastSectors": 1e5}],
         "banks": [{"passes": 32e5}],
         "branch": [{"line": 3, "sectors": 1e5}, {"sectors": 1e5, "threadInstructions": 8e6}],
         "loop": [{"line": 6, "threadInstructions": 8e6}]}
COUNT = {"kernel": "k", "global": GOOD["global"], "local": GOOD["local"], "begin": 0, "end": TIME, "floats": 0,
         "doubles": 0, "read": 1e6, "written": 0, "localBytes": 0, "buffers": 0}


# The limits of the GPU, as `clarity profile` keeps them, and kernels at one of these each. Launches take 1 ms.
LIMITS = {"NVIDIA made": {"threads": 132, "stream": 4e12, "fma": 6e13, "doubles": 3e13, "halves": 1.2e14,
                          "integers": 3e13, "caches": [{"level": 1, "bytes": 8192, "rate": 3e13},
                                                       {"level": 2, "bytes": 50 << 20, "rate": 8e12}]}}
BOUND = {"memory": {"read": 3e9, "buffers": 3e9}, "float": {"floats": 4e10},
         "double": {"doubles": 2e10}, "local memory": {"localBytes": 1e9, "passes": 2e8},
         "sectors": {"read": 1e9, "buffers": 1e9, "sectors": 8e8}, "none": {"floats": 1e9},
         "instructions": {"instructions": 7e8}}


def record(*launches, lines=(), staged=None, old=False, processors=False, **count):
    sizes = [{"global": GOOD["global"], "local": (GOOD | launch)["local"]} for launch in launches]
    commands = [each | {"name": "clEnqueueNDRangeKernel", "kernel": 1, "thread": 1, "call": 0, "queue": 7, "dims": 1,
                        "bytes": 0, "status": 0, "blocking": False, "times": [0, 0, i * TIME, (i + 1) * TIME],
                        "after": []} for each in sizes for i in range(LAUNCHES)]
    if staged is not None:
        commands = [each | {"name": "clEnqueueWriteBuffer", "kernel": 0, "bytes": 1 << 24} for each in commands]
    queues = [{"id": 7, "device": "NVIDIA made", "outOfOrder": False} | ({} if old else {"gpu": True})]
    if processors:  # which execute the kernel, too, with the same sizes
        queues.insert(0, {"id": 6, "device": "a CPU", "outOfOrder": False, "gpu": False})
        commands = [each | {"queue": 6, "times": [time + LAUNCHES * TIME for time in each["times"]]}
                    for each in commands] + commands
    counts = [COUNT | {"lines": [LINE | line for line in lines]} | count] if lines else []
    return json.dumps({"clarity": "profile 1", "process": 1, "command": "made", "begin": 0, "end": LAUNCHES * TIME,
                       "dropped": 0, "kernels": ["k"],
                       "queues": queues,
                       "threads": [{"id": 1, "calls": []}], "commands": commands, "compiles": [],
                       "counts": counts, "sources": [SOURCE], "sampleTime": 1000000, "samples": [],
                       "stagedBytes": staged or 0, "gpuLaunches": [GOOD | launch for launch in launches]})


def summed(*launches, **changes):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "a.profile"
        file.write_text(record(*launches, **changes), encoding="utf-8")
        (pathlib.Path(folder) / "gpu-rates.json").write_text(json.dumps(LIMITS), encoding="utf-8")
        run = subprocess.run([sys.argv[1], "profile", "--quiet", "--read", file, "--json", "-"], check=True,
                             stdout=subprocess.PIPE, env=os.environ | {"CLARITY_CACHE_DIR": folder})
    return json.loads(run.stdout)[0]


for name, changes in CASES.items():
    process = summed(changes)
    kernel = process["kernels"][0]
    print(f"{name}: bound by {kernel['bound']['by'] or 'unknown'}, occupancy {100 * kernel['gpu']['occupancy']:.0f} %, "
          f"{kernel['gpu']['waves']:.2f} waves;", ", ".join(each["title"] for each in process["advice"]) or "no advice")
for name, launches in SEVERAL.items():
    print(f"{name}:", "; ".join(f"{kernel['local'][0]}: {kernel['gpu']['threads']} threads, "
                                f"{kernel['gpu']['registers']} registers" for kernel in summed(*launches)["kernels"]))
for name, lines in LINES.items():
    advice = [f"{each['title']}, {each['line']}: {each['source']}" for each in summed({}, lines=lines)["advice"]]
    print(f"{name}:", "; ".join(advice) or "no advice")
for name, count in BOUND.items():
    kernel = summed({}, lines=[count], **count)["kernels"][0]
    parts = kernel["work"]["of_limits"]
    print(f"{name}: bound by {kernel['bound']['by']};",
          ", ".join(f"{limit} {100 * part:.0f} %" for limit, part in parts.items() if part > 0.01))
for name, which in {"old record": {"old": True}, "beside processors": {"processors": True}}.items():
    for kernel in summed({}, lines=[{}], **which, **BOUND["memory"])["kernels"]:
        parts = kernel["work"]["of_limits"] if "work" in kernel else {}
        print(f"{name}: on {'the GPU' if 'gpu' in kernel else 'processors'}, {kernel['waiting']['count']} launches,",
              f"memory {100 * parts['memory']:.0f} %" if parts else "not counted")
for name, staged in {"pageable": LAUNCHES << 24, "pinned": 0}.items():
    print(f"{name}:", ", ".join(each["title"] for each in summed({}, staged=staged)["advice"]) or "no advice")

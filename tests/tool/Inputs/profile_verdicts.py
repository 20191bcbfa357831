# SPDX-License-Identifier: Apache-2.0
"""Shows what `clarity profile` says bounds a kernel of made records: profile_verdicts.py CLARITY.

The machine is made, too: its limits are written to the cache. Each cause has a twin that lacks it.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from record_numbers import difference, number, numbers

PROCESSORS = len(os.sched_getaffinity(0))
LIMITS = {"processor": "made", "threads": PROCESSORS, "measured": 3, "stream": 10e9, "fma": 100e9, "fmaBy": "AVX2",
          "ceilings": {"caches": [{"level": 1, "bytes": 65536, "rate": 200e9},
                                  {"level": 2, "bytes": 1 << 20, "rate": 80e9},
                                  {"level": 3, "bytes": 16 << 20, "rate": 40e9}],
                       "doubles": 50e9, "halves": 200e9, "integers": 60e9}}
LAUNCH, WRITE = 1, 2  # entry points
LAUNCHES, MILLISECOND, QUEUE = 20, 1_000_000, 7
LOOP = 4  # the line of the loop's body
SOURCE = """kernel void k(global const int* next, global float* y, int n) {
  int i = get_global_id(0), at = i; float v = y[i];
  for (int j = 0; j < n; ++j)
    %s
  y[i] = v + at;
}
"""
CHASE, WALK = "at = next[at];", "v += next[(i + 65536 * j) & 1048575];"


def record(time=MILLISECOND, groups=4096, transfer=0, compile_time=0, counted=False, body="", uneven=False, **work):
    """A program of launches of `time` nanoseconds each, all of the same work."""
    now, commands, last = compile_time + 1000, b"", 0
    spans = [[b"", 0] for _ in range(PROCESSORS)]

    def command(entry_point, length, size, kernel):
        nonlocal now, commands, last
        commands += number(1) + difference(0, 0) + difference(now, last) + difference(0) * 2 + difference(length)
        commands += numbers(QUEUE, groups * 64, 1, 1, 64, 1, 1, size, kernel, entry_point, 1, 0)
        last = now
        now += length + 1000

    for _ in range(LAUNCHES):
        if transfer:
            command(WRITE, transfer, 1 << 20, 0)
        for worker, (data, end) in enumerate(spans):
            own = time // 20 if uneven and worker else time
            spans[worker] = [data + difference(now, end) + numbers(own, worker, 1, PROCESSORS, 1), now + own]
        command(LAUNCH, time, 0, 1)
    counts = {"kernel": "k", "global": [groups * 64, 1, 1], "floats": 0, "doubles": 0, "halves": 0, "integers": 0,
              "read": 0, "written": 0, "localBytes": 0, "buffers": 0} | work
    samples = [{"kernel": "k", "file": "program.cl", "line": LOOP, "function": "k", "count": 20, "denormals": 0,
                "callers": []}] if body else []
    command(LAUNCH, 3 * time, 0, 1)
    counts |= {"begin": last, "end": last + 3 * time}
    head = {"clarity": "profile 3", "process": 1, "command": "made", "begin": 0, "end": now, "dropped": 0,
            "kernels": ["k"], "texts": [], "places": [],
            "queues": [{"id": QUEUE, "device": "a CPU", "outOfOrder": False}],
            "entryPoints": [{"id": LAUNCH, "name": "clEnqueueNDRangeKernel", "parameters": [], "kinds": []},
                            {"id": WRITE, "name": "clEnqueueWriteBuffer", "parameters": [], "kinds": []}],
            "compiles": [{"what": "code", "name": "k", "thread": 2, "begin": 0, "end": compile_time, "cached": False,
                          "quick": False, "counted": counted}] if compile_time else [],
            "counts": [counts], "sources": [SOURCE % body] if body else [],
            "builds": [{"source": 0, "options": ""}] if body else [],
            "sampleTime": MILLISECOND, "samplesElsewhere": 0, "samples": samples,
            "threads": [{"id": 1, "callBytes": 0, "commandBytes": len(commands)}],
            "workers": [{"id": 10 + worker, "bytes": len(data)} for worker, (data, _) in enumerate(spans)]}
    binary = commands + b"".join(data for data, _ in spans)
    return json.dumps(head | {"bytes": len(binary)}).encode() + b"\n" + binary


FROM_MEMORY = {"time": 4 * MILLISECOND, "read": 32e6, "buffers": 32e6}
CASES = {
    # The amounts of a launch: 32 MB of 40 in 4 ms; in one, 60 million operations of 100, ...
    "memory": (record(**FROM_MEMORY), record(**FROM_MEMORY | {"buffers": 8e4})),
    # Buffers that a cache holds: 12 MB in 0.4 ms are three quarters of its rate, in a whole one less than a third.
    "held": (record(time=MILLISECOND * 2 // 5, read=12e6, buffers=12e6), record(read=12e6, buffers=12e6)),
    "float": (record(floats=60e6), record(floats=30e6)),
    "double": (record(doubles=30e6), record(floats=30e6)),
    "half": (record(halves=90e6), record(halves=60e6)),
    "int": (record(integers=70e6), record(integers=50e6)),
    "L1": (record(read=80e6, localBytes=60e6, buffers=1000), record(read=80e6, buffers=1000)),
    "latency": (record(body=CHASE, read=1e5), record(body=WALK, read=1e5)),
    "groups": (record(groups=1), record(groups=4096)),
    "imbalance": (record(uneven=True), record()),
    "launches": (record(time=5000), record()),
    "transfers": (record(transfer=3 * MILLISECOND), record(transfer=MILLISECOND // 2)),
    "compiles": (record(compile_time=500 * MILLISECOND), record(compile_time=5 * MILLISECOND)),
    # Code that is made for the profile's own counts is none of the program's compiles.
    "own compiles": (record(compile_time=500 * MILLISECOND, **FROM_MEMORY),
                     record(compile_time=500 * MILLISECOND, counted=True, **FROM_MEMORY)),
}


def bound(clarity, data):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "a.profile"
        file.write_bytes(data)
        (pathlib.Path(folder) / "machine-rates.json").write_text(json.dumps(LIMITS), encoding="utf-8")
        page = pathlib.Path(folder) / "a.html"
        run = subprocess.run([clarity, "profile", "--read", file, "--json", "-", "--html", page], check=True,
                             env=os.environ | {"CLARITY_CACHE_DIR": folder, "CLARITY_CACHE": "1", "COLUMNS": "1000"},
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        data = re.search(r'<script id="data" type="application/json">(.*?)</script>', page.read_text("utf-8"))[1]
    process = json.loads(run.stdout)[0]
    its, work = process["kernels"][0]["bound"], process["kernels"][0]["work"]["of_limits"]
    words = [its["by"]] + ([f"line {its['line']}"] if its["line"] else [])
    words += [f"beyond: {its['beyond']['by']}"] if "beyond" in its else []
    words += [f"{limit} {100 * part:.0f} %" for limit, part in work.items()]
    table = next(line for line in run.stderr.decode().split("\n") if line.startswith("k: "))
    said = [fact.removeprefix("k: ") for fact in table.split("; ") if "bound by" in fact or "no limit" in fact]
    return (", ".join(words) + "; the run: " + next(iter(process["parts"])) +
            f"; in words: {json.loads(data)['kernels'][0]['bound']}; {'; '.join(said)}")


for name, (cause, twin) in CASES.items():
    print(f"{name}: {bound(sys.argv[1], cause)} | {bound(sys.argv[1], twin)}")

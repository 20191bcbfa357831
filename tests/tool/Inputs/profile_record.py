# SPDX-License-Identifier: Apache-2.0
"""Prints a driver's record whose times are known: 64 launches with objects of their own."""
import json

LAUNCHES = 64
END = 10_000_000
calls, commands = [], []


def call(name, microseconds):
    begin = calls[-1]["end"] if calls else 0
    calls.append({"name": name, "args": "", "begin": begin, "end": begin + microseconds * 1000, "error": 0})


for i in range(LAUNCHES):
    call("clCreateBuffer", 10)
    if i % 2 == 0:
        call("clCreateImage", 20)
        call("clReleaseMemObject", 5)
    call("clCreateKernel", 8)
    call("clEnqueueNDRangeKernel", 1)
    start = calls[-1]["end"]
    commands.append({"name": calls[-1]["name"], "kernel": 1, "thread": 1, "call": len(calls) - 1, "queue": 7,
                     "dims": 1, "global": [64, 1, 1], "local": [64, 1, 1], "bytes": 0, "status": 0, "blocking": False,
                     "times": [start, start, start, start + 1000], "after": []})
    call("clReleaseKernel", 1)
    call("clReleaseMemObject", 5)
compiles = [{"what": "code", "name": "k", "thread": 1, "begin": 0, "end": 1000, "cached": cached, "quick": False}
            for cached in (False, True, True)]
print(json.dumps({"clarity": "profile 1", "process": 1, "command": "made", "begin": 0, "end": END, "dropped": 0,
                  "kernels": ["k"], "queues": [{"id": 7, "device": "a CPU", "outOfOrder": False}],
                  "threads": [{"id": 1, "calls": calls}], "commands": commands, "compiles": compiles, "counts": [],
                  "sources": [], "sampleTime": 1000000, "samples": []}))

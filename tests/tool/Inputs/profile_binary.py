# SPDX-License-Identifier: Apache-2.0
"""Writes a record in the form of src/profile/record_format.h, of two threads: profile_binary.py FILE."""
import json
import sys

from record_numbers import difference, number, numbers

NDRANGE, QUERY, CREATE = 3, 5, 9
SAME, FAILED, PLACE, REPEATED = 1, 2, 4, 8
SHAPE, STATUS, WAITS = 1, 2, 4
HOUR = 3_600_000_000_000


def calls(*each):
    """Of (begin, time, entry point, flags, numbers of flags, arguments)."""
    data, last = b"", 0
    for begin, time, entry_point, flags, words, arguments in each:
        data += number(flags) + number(entry_point) + difference(begin, last) + number(time) + b"".join(words)
        data += b"" if flags & SAME else numbers(len(arguments), *arguments)
        last = begin
    return data


def commands(*each):
    """Of (times, number of the call, flags, what follows)."""
    data, last_call, last_queued = b"", 0, 0
    for times, call, flags, more in each:
        queued, submitted, started, ended = times
        data += number(flags) + difference(call, last_call) + difference(queued, last_queued)
        data += difference(submitted, queued) + difference(started, submitted) + difference(ended, started) + more
        last_call, last_queued = call, queued
    return data


def shape(size, kernel):
    return numbers(77, size, 1, 1, 16, 1, 1, 0, kernel, NDRANGE, 1, 0)


first_calls = calls((1000, 100, CREATE, 0, [], [0xabc, 1]),
                    (2000, 100, NDRANGE, PLACE, [number(1)], [77, 0xdef]),
                    (3000, HOUR, QUERY, 0, [], [5]),
                    (4000, 900, QUERY, SAME | REPEATED, [numbers(50, 600)], []),
                    (6000, 10, CREATE, FAILED, [difference(-30)], [0xabc, 1]))
first_commands = commands(((2010, 2020, 5000, 9000), 1, SHAPE, shape(64, 1)))
second_calls = calls((2500, 100, NDRANGE, 0, [], [77, 0xdef]), (2700, 100, NDRANGE, SAME, [], []))
second_commands = commands(((2510, 2520, 9000, 9500), 0, SHAPE | WAITS, shape(64, 1) + numbers(1, 0, 0)),
                           ((2710, 2720, 9500, 9900), 1, 0, b""))
spans = (difference(5000) + numbers(3000, 0, 3, 4, 1)) + (difference(8000, 8000) + numbers(1000, 3, 1, 4, 1))

head = {"clarity": "profile 3", "process": 1, "command": "made", "begin": 0, "end": 10000, "dropped": 0,
        "kernels": ["k"], "texts": ["the text"], "places": ["a.py:7"],
        "queues": [{"id": 77, "device": "a CPU", "outOfOrder": False}],
        "entryPoints": [{"id": NDRANGE, "name": "clEnqueueNDRangeKernel", "parameters": ["command_queue", "kernel"],
                         "kinds": ["command-queue", "kernel"]},
                        {"id": QUERY, "name": "clGetEventInfo", "parameters": ["param_name"], "kinds": ["number"]},
                        {"id": CREATE, "name": "clCreateKernel", "parameters": ["program", "kernel_name"],
                         "kinds": ["program", "text"]}],
        "compiles": [], "counts": [], "sources": [], "builds": [], "sampleTime": 1000000, "samplesElsewhere": 0,
        "samples": [],
        "threads": [{"id": 1, "callBytes": len(first_calls), "commandBytes": len(first_commands)},
                    {"id": 2, "callBytes": len(second_calls), "commandBytes": len(second_commands)}],
        "workers": [{"id": 3, "bytes": len(spans)}]}
binary = first_calls + first_commands + second_calls + second_commands + spans
with open(sys.argv[1], "wb") as file:
    file.write(json.dumps(head | {"bytes": len(binary)}).encode() + b"\n" + binary)

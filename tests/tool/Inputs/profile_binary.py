# SPDX-License-Identifier: Apache-2.0
"""Writes a record in the form of src/profile/record_format.h, of two threads: profile_binary.py FILE."""
import json
import struct
import sys

NDRANGE, QUERY, CREATE = 3, 5, 9
SAME, LONG, FAILED, PLACE, REPEATED = 1, 2, 4, 8, 16
HOUR = 3_600_000_000_000


def call(begin, time, entry_point, flags=0, words=(), arguments=()):
    head = struct.pack("<QIHBB", begin, time, entry_point, len(arguments), flags)
    return head + b"".join(struct.pack("<Q", word) for word in [*words, *arguments])


def command(times, number, shape=b"", after=()):
    head = struct.pack("<4QIiII", *times, number, 0, len(after), bool(shape))
    return head + shape + struct.pack(f"<{len(after)}Q", *after)


def shape(size, kernel):
    return struct.pack("<Q6QQIHBB", 77, size, 1, 1, 16, 1, 1, 0, kernel, NDRANGE, 1, 0)


first_calls = (call(1000, 100, CREATE, arguments=[0xabc, 1]) +
               call(2000, 100, NDRANGE, PLACE, words=[1], arguments=[77, 0xdef]) +
               call(3000, 0, QUERY, LONG, words=[3000 + HOUR], arguments=[5]) +
               call(4000, 900, QUERY, SAME | REPEATED, words=[50, 600]) +
               call(6000, 10, CREATE, FAILED, words=[(-30) & (2**64 - 1)], arguments=[0xabc, 1]))
first_commands = command((2010, 2020, 5000, 9000), 1, shape(64, 1))
second_calls = call(2500, 100, NDRANGE, arguments=[77, 0xdef]) + call(2700, 100, NDRANGE, SAME)
second_commands = command((2510, 2520, 9000, 9500), 0, shape(64, 1), after=[0]) + command((2710, 2720, 9500, 9900), 1)
spans = struct.pack("<5QII", 5000, 8000, 0, 3, 4, 1, 0) + struct.pack("<5QII", 8000, 9000, 3, 1, 4, 1, 0)

head = {"clarity": "profile 2", "process": 1, "command": "made", "begin": 0, "end": 10000, "dropped": 0,
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

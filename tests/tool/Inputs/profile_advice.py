# SPDX-License-Identifier: Apache-2.0
"""Prints a driver's record of a made host program, whose times are known: profile_advice.py CASE."""
import json
import sys

calls, commands, compiles, now = [], [], [], 0  # in nanoseconds


def host(microseconds):
    """The host does something else."""
    global now
    now += round(1000 * microseconds)


def call(name, microseconds, arguments=""):
    global now
    begin = now
    host(microseconds)
    calls.append({"name": name, "args": arguments, "begin": begin, "end": now, "error": 0})


def command(name, own, time, size=0, blocking=False, launch=False):
    """A call that takes `own` microseconds and enqueues a command of `time`; a blocking one takes both, and waits."""
    global now
    begin = max([now, *(each["times"][3] for each in commands[-1:])])
    end = begin + round(1000 * time)
    start = now
    now = (end if blocking else now) + round(1000 * own)
    calls.append({"name": name, "args": "blocking=1" if blocking else "", "begin": start, "end": now, "error": 0})
    commands.append({"name": name, "kernel": int(launch), "thread": 1, "call": len(calls) - 1, "queue": 7, "dims": 1,
                     "global": [4096, 1, 1], "local": [64, 1, 1], "bytes": size, "status": 0, "blocking": blocking,
                     "times": [start, start, begin, end], "after": []})


def launch(time):
    command("clEnqueueNDRangeKernel", 0.2, time, launch=True)


def waited():
    """Small reads that wait long for the launch before them, and take little time of their own."""
    for _ in range(200):
        launch(100)
        command("clEnqueueReadBuffer", 0.5, 0.1, size=4, blocking=True)


def small():
    """Small reads that take much time of their own, beside their wait."""
    for _ in range(200):
        launch(100)
        command("clEnqueueReadBuffer", 18, 2, size=4, blocking=True)


def mapped():
    """The host works on mapped memory between two launches."""
    for _ in range(20):
        launch(50)
        command("clEnqueueMapBuffer", 1, 0.1, size=1 << 20, blocking=True)
        host(300)
        command("clEnqueueUnmapMemObject", 1, 0.1)


def interrupted():
    """Many launches, and a host that the system interrupts ten times."""
    for step in range(2000):
        launch(30)
        call("clFinish", 40)
        host(1000 if step % 200 == 99 else 1)


def contexts():
    """Contexts of which each has its program and kernel."""
    for _ in range(20):
        call("clCreateContext", 20)
        call("clBuildProgram", 200)
        call("clCreateKernel", 30)
        launch(100)
        call("clFinish", 120)
        call("clReleaseContext", 50)


def asking():
    """Contexts of a program that asks for properties, and one build."""
    for step in range(10):
        call("clCreateContext", 20)
        if step == 0:
            call("clBuildProgram", 5000)
        call("clReleaseContext", 50)


def prepared():
    """Kernels that are made for each launch, and a host that prepares each."""
    for _ in range(100):
        call("clCreateKernel", 1)
        call("clGetKernelInfo", 0.2)
        host(200)
        call("clSetKernelArg", 0.2)
        launch(5)
        call("clFinish", 6)


def gaps():
    """Short launches with a map between each two: they are not what the device waits for."""
    for _ in range(500):
        launch(1)
        command("clEnqueueMapBuffer", 10, 0.1, size=1 << 16, blocking=True)
        command("clEnqueueUnmapMemObject", 1, 0.1)


def piled():
    """Short launches of which the host enqueues many before they run, one closely behind the other."""
    global now
    for _ in range(5):
        first = len(commands)
        for _ in range(200):
            call("clSetKernelArg", 0.5)
            launch(1)
        begin = now
        for each in commands[first:]:
            each["times"] = [begin, begin, begin, begin + 1000]
            begin += 1050
        call("clFinish", 210)


def asleep():
    """A host that looks every two milliseconds whether a launch has ended."""
    for step in range(20):
        launch(100)
        for _ in range(2):
            call("clGetEventInfo", 0.2, f"event=event {step}, param_name=4563")
            host(2000)


def content():
    """The content of a buffer is copied, and another filled, for every launch."""
    for _ in range(20):
        launch(100)
        command("clEnqueueCopyBuffer", 0.5, 50, size=1 << 20)
        command("clEnqueueFillBuffer", 0.5, 30, size=1 << 20)


def seldom():
    """Copies between some launches of many, and fills of a few bytes."""
    for step in range(100):
        launch(100)
        command("clEnqueueFillBuffer", 0.5, 30, size=1 << 10)
        if step % 10 == 0:
            command("clEnqueueCopyBuffer", 0.5, 500, size=1 << 20)


def questions():
    """Four properties of a kernel and its device, asked for ahead of every launch."""
    for _ in range(1000):
        for number in range(4):
            call("clGetKernelWorkGroupInfo", 5, f"param_name={number}")
        launch(2)
        call("clFinish", 3)


def objects():
    """Many questions, each about an object of its own."""
    for step in range(1000):
        call("clGetMemObjectInfo", 5, f"memobj=memory object {step}")
        launch(2)
        call("clFinish", 3)


def ahead():
    """Twelve kernels whose code is made ahead, of which one is launched."""
    for step in range(12):
        launch(100)
        host(200)
        compiled(step, 20000)
        call("clFinish", 20050)


def compiled(step, microseconds, cached=False):
    compiles.append({"what": "code", "name": f"kernel {step}" if step else "k", "thread": 2, "begin": now,
                     "end": now + 1000 * microseconds, "cached": cached, "quick": False})


def first():
    """Twelve kernels, for whose code the host waits at the first launch of each."""
    for step in range(12):
        launch(100)
        commands[-1]["kernel"] = step + 1
        host(200)
        compiled(step, 20000)
        call("clFinish", 20050)


def kept():
    """The same with code that the cache has, and with a host that does something else meanwhile."""
    for step in range(24):
        launch(100)
        commands[-1]["kernel"] = step + 1
        host(200)
        compiled(step, 20000, cached=step % 2 == 0)
        if step % 2 == 0:
            call("clFinish", 20050)
        else:
            host(30000)


globals()[sys.argv[1]]()
names = ["k", *(f"kernel {step}" for step in range(1, 24))]
print(json.dumps({"clarity": "profile 1", "process": 1, "command": "made", "begin": 0, "end": now, "dropped": 0,
                  "kernels": names, "queues": [{"id": 7, "device": "a CPU", "outOfOrder": False}],
                  "threads": [{"id": 1, "calls": calls}], "commands": commands, "compiles": compiles, "counts": [],
                  "sources": [], "sampleTime": 1000000, "samples": []}))

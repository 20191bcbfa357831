#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs tests of entry points under a profile, which applications are not to notice: recorded.py CLARITY API_TESTS.

The commands of calls that enqueue something in a way of their own are in the trace, with times and what they wait for.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

FILTER = ("EnqueueCommandBuffer*:EnqueueSignalSemaphores*:*Marker*:GetEventInfo*:RetainEvent*:*WaitForEvents*:"
          "SetEventCallback*:EnqueueReadBuffer.*:EnqueueMapBuffer.*:GetEventProfilingInfo*:GetCommandQueueInfo*:"
          "DeviceEnqueueErrors.invalidLocalMemory:CreateCommandQueue*:*.invalidBuildOptions:*.invalidCompilerOptions")
COMMANDS = {"CommandBufferKHR", "SignalSemaphoresKHR", "MarkerWithWaitList", "ReadBuffer", "MapBuffer"}


def main(clarity, tests):
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.json"
        subprocess.run([clarity, "profile", "--quiet", "--trace", trace, tests, f"--gtest_filter={FILTER}"], check=True)
        events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    commands = {event["name"] for event in events if event.get("cat") == "command"}
    assert COMMANDS <= commands, f"there are no commands of {COMMANDS - commands}"
    assert any(event["name"] == "wait list" for event in events), "no command waits for another"


if __name__ == "__main__":
    main(*sys.argv[1:])

# SPDX-License-Identifier: Apache-2.0
"""Prints what tests look at in the files of `clarity profile`: sums, trace, page."""
import json
import pathlib
import re
import sys

sums, trace, page = (pathlib.Path(name).read_text(encoding="utf-8") for name in sys.argv[1:4])
kernel = json.loads(sums)[0]["kernels"][0]
print("kernel", kernel["kernel"], kernel["global"][0])
work = kernel["work"]
print("work", *(int(work[name]) for name in ("bytes_read", "bytes_written", "float_operations")))
events = json.loads(trace)["traceEvents"]
kinds = {event.get("cat") for event in events}
assert {"call", "command", "flow", "compile"} <= kinds, kinds
compiles = [event for event in events if event.get("cat") == "compile" and event["name"].endswith("saxpy")]
assert {event["args"]["counted"] for event in compiles} == {False, True}, compiles
counted = [event for event in events if event.get("cat") == "command" and event["args"].get("counted")]
assert len(counted) == 1, counted
assert all(event["dur"] >= 0 for event in events if event["ph"] == "X")
print("trace has calls, commands, flows")
data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)[1])
assert data["commands"] and data["names"] and data["threads"]
spans = [span for worker in data["workers"] for span in worker["spans"]]
assert spans and all(data["names"][kernel] == "saxpy" and count <= of for _, _, kernel, _, count, of in spans), spans
assert all(worker["host"] <= len(data["threads"]) for worker in data["workers"])
assert not re.search(r"""(src|href)=|url\(|@import|https?://(?!www\.w3\.org)""", page.replace(json.dumps(data), ""))
print("page has data and loads nothing")

# SPDX-License-Identifier: Apache-2.0
"""Runs a command and prints the map of names and the strings of the jitdump that it leaves for perf; deletes both."""
import pathlib
import re
import subprocess
import sys

process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
status = process.wait()
for kind, name in (("map", f"/tmp/perf-{process.pid}.map"), ("dump", f"/tmp/jit-{process.pid}.dump")):
    file = pathlib.Path(name)
    if not file.exists():
        print(kind, "is not there")
        continue
    content = file.read_bytes()
    file.unlink()
    texts = content.decode().splitlines() if kind == "map" else re.findall(rb"[\x20-\x7e]{4,}", content)
    for text in texts:
        print(kind, text if isinstance(text, str) else text.decode())
sys.exit(status)

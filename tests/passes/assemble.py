#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assemble.py KNOWN PTXAS COMMAND...: runs the command and hands its standard output on. If that is PTX, KNOWN (ptx_known
of tests/cuda) says whether all instructions are ones that tests can execute, and PTXAS, if it is no "-", assembles it."""
import re
import subprocess
import sys
import tempfile

known, ptxas, *command = sys.argv[1:]
done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
sys.stdout.buffer.write(done.stdout)
target = re.search(rb"^\.target (sm_\w+)", done.stdout, re.M)
if done.returncode != 0 or not target:
    sys.exit(done.returncode)
with tempfile.NamedTemporaryFile(suffix=".ptx") as file:
    file.write(done.stdout)
    file.flush()
    checks = [[known, file.name]]
    if ptxas != "-":
        checks.append([ptxas, "-arch", target.group(1).decode(), file.name, "-o", "/dev/null"])
    sys.exit(max(subprocess.run(check, check=False).returncode for check in checks))

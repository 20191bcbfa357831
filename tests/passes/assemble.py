#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assemble.py PTXAS COMMAND...: runs the command, hands its standard output on, and assembles that if it is PTX."""
import re
import subprocess
import sys
import tempfile

done = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, check=False)
sys.stdout.buffer.write(done.stdout)
target = re.search(rb"^\.target (sm_\w+)", done.stdout, re.M)
if done.returncode == 0 and target:
    with tempfile.NamedTemporaryFile(suffix=".ptx") as file:
        file.write(done.stdout)
        file.flush()
        assembled = subprocess.run([sys.argv[1], "-arch", target.group(1).decode(), file.name, "-o", "/dev/null"],
                                   check=False)
    sys.exit(assembled.returncode)
sys.exit(done.returncode)

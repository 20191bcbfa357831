# SPDX-License-Identifier: Apache-2.0
"""Starts a command that records its profile, and ends it by SIGTERM: interrupted.py RECORD COMMAND... It may not have
come to OpenCL by then on a busy machine: then once more, later."""
import os
import pathlib
import signal
import subprocess
import sys
import time

record = pathlib.Path(sys.argv[1])
for seconds in (1, 2, 4, 8, 16, 32):
    command = subprocess.Popen(sys.argv[2:], env=os.environ | {"CLARITY_PROFILE": str(record)})
    time.sleep(seconds)
    command.send_signal(signal.SIGTERM)
    status = command.wait()
    assert status == -signal.SIGTERM, f"it ended with {status}"
    if record.exists() and b"clEnqueueNDRangeKernel" in record.read_bytes():
        break
    record.unlink(missing_ok=True)

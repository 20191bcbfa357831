# SPDX-License-Identifier: Apache-2.0
# This program runs a command whose standard output is a pipe without a reader, with SIGPIPE as it is or ignored, and
# says how it ended.
import os
import signal
import subprocess
import sys

read, write = os.pipe()
os.close(read)
ignored = sys.argv[1] == "ignored"
child = subprocess.run(sys.argv[2:], stdout=write, stderr=subprocess.PIPE, text=True, check=False,
                       restore_signals=not ignored)  # Python itself ignores SIGPIPE
sys.stdout.write(child.stderr)
status = child.returncode
print(f"ended by {signal.Signals(-status).name}" if status < 0 else f"ended with {status}")

# SPDX-License-Identifier: Apache-2.0
# This program starts a command, interrupts it as Ctrl-C does once it has used a second of processor time, and says how
# it ended.
import os
import signal
import subprocess
import sys
import time

signal.signal(signal.SIGINT, signal.SIG_DFL)  # shells ignore it in commands in the background, and so do their children
child = subprocess.Popen(sys.argv[1:])
ticks = os.sysconf("SC_CLK_TCK")
while child.poll() is None:
    with open(f"/proc/{child.pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    if (int(fields[11]) + int(fields[12])) / ticks >= 1:
        child.send_signal(signal.SIGINT)
        break
    time.sleep(0.05)
try:
    status = child.wait(120)
except subprocess.TimeoutExpired:
    child.kill()
    status = child.wait()
print(f"ended by {signal.Signals(-status).name}" if status < 0 else f"ended with {status}")

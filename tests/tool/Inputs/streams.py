# SPDX-License-Identifier: Apache-2.0
# This program runs every command with standard streams that are closed, full or without a reader. The command must end
# by itself, with an error where what it prints does not arrive, and write into no other file in the place of a stream.
#   streams.py COMMAND FOLDER
import os
import pathlib
import subprocess
import sys

command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
os.chdir(folder)
SOURCE = "kernel void ids(global int* out) { out[get_global_id(0)] = get_global_id(0); }\n"
WRONG = "kernel void ids(global int* out) { missing = 1; }\n"
IR = "define void @f() {\n  ret void\n}\n"
FILES = {"ids.cl": SOURCE, "wrong.cl": WRONG, "f.ll": IR}

COMMANDS = [
    [], ["--help"], ["--version"], ["help", "exec"], ["nonsense"], ["info"], ["info", "--verbose"], ["info", "--json"],
    ["info", "--options"], ["compile", "ids.cl"], ["compile", "ids.cl", "--report"], ["compile", "wrong.cl"],
    ["compile", "-"], ["opt", "--list"], ["opt", "--passes=packets", "f.ll"],
    ["exec", "ids.cl", "ids", "-a", "zeros:4"],
    ["exec", "ids.cl", "ids", "-a", "zeros:4", "--json"], ["exec", "ids.cl", "ids", "-a", "zeros:4", "-o", "0=-"],
    ["exec", "wrong.cl", "ids", "-a", "zeros:4"], ["bench", "--list"], ["run", "true"], ["run", "no-such-program"],
    ["check", "true"], ["check", "no-such-program"], ["generate", "share"],
    ["exec", "ids.cl", "ids", "-a", "zeros:4", "-q", "--check"],
    ["exec", "ids.cl", "ids", "-a", "zeros:4", "-q", "--observe", "accesses"],
    ["check", command, "exec", "-q", "ids.cl", "ids", "-a", "zeros:4", "-g", "9"],
    ["profile", command, "exec", "-q", "ids.cl", "ids", "-a", "zeros:4"],
]
# The driver says on standard error that it does not know this variable.
os.environ["CLARITY_NONSENSE"] = "1"
# (closed, the others); a stream that is not named is a pipe that is read.
STREAMS = [((1,), {}), ((2,), {}), ((0, 1, 2), {}), ((1, 2), {}), ((), {1: "full"}), ((), {1: "full", 2: "full"}),
           ((), {1: "unread", 2: "unread"})]


def run(words, closed, others):
    """The exit status, and what arrived of standard output."""
    streams = {}
    for stream in (1, 2):
        if others.get(stream) == "full":
            streams[stream] = os.open("/dev/full", os.O_WRONLY)
        elif others.get(stream) == "unread":
            read, streams[stream] = os.pipe()
            os.close(read)
        else:
            streams[stream] = subprocess.PIPE
    # A shell closes streams as users do; Python's own SIGPIPE, which is ignored, stays.
    shell = "exec " + " ".join(f"{stream}>&-" for stream in closed) + '; exec "$@"'
    child = subprocess.run(["sh", "-c", shell, "sh", command, *words], stdin=subprocess.DEVNULL, stdout=streams[1],
                           stderr=streams[2], timeout=120, check=False, restore_signals=False)
    for stream in streams.values():
        if stream != subprocess.PIPE:
            os.close(stream)
    return child.returncode, child.stdout


failed = 0
for words in COMMANDS:
    for name, text in FILES.items():
        pathlib.Path(name).write_text(text, encoding="ascii")
    usual, printed = run(words, (), {})
    for closed, others in STREAMS:
        status, _ = run(words, closed, others)
        lost = 1 in closed or 1 in others
        wrong = ""
        if status < 0 or status > 127:
            wrong = "was ended by a signal"
        elif lost and printed and status == 0:
            wrong = "says that it succeeded, and nothing arrived"
        elif not (lost and printed) and status != usual:
            wrong = f"ends with {status} in place of {usual}"
        if wrong:
            failed += 1
            print(f"clarity {' '.join(words)}, closed {closed}, others {others}: {wrong}")
    for name, text in FILES.items():
        if pathlib.Path(name).read_text(encoding="ascii") != text:
            failed += 1
            print(f"clarity {' '.join(words)} wrote into {name}")
print(f"{len(COMMANDS) * len(STREAMS)} runs, {failed} wrong")
sys.exit(failed != 0)

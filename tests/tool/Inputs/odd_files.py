# SPDX-License-Identifier: Apache-2.0
# This program gives every option that reads a file one that has no end, no content or no writer, or is none. The
# command must end soon with an error that names the file.
#   odd_files.py COMMAND FOLDER
import concurrent.futures
import os
import pathlib
import resource
import shutil
import socket
import subprocess
import sys
import threading

# An endless file must not take the machine's memory either. Commands get the limit of this program.
resource.setrlimit(resource.RLIMIT_DATA, (6 << 30, 6 << 30))
command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
os.chdir(folder)
pathlib.Path("k.cl").write_text("kernel void f(global uchar* a) { a[get_global_id(0)] = 1; }\n", encoding="ascii")


def zero(name):
    os.symlink("/dev/zero", name)


def directory(name):
    os.mkdir(name)


def huge(name):
    with open(name, "wb") as file:
        file.truncate(1 << 42)


def listener(name):
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(name)


def endless_pipe(name):
    os.mkfifo(name)

    def write():
        file = os.open(name, os.O_WRONLY)
        try:
            while True:
                os.write(file, b"0" * 65536)
        except BrokenPipeError:
            os.close(file)

    threading.Thread(target=write, daemon=True).start()


def silent_pipe(name):
    os.mkfifo(name)


def silent_device(name):
    os.symlink("/dev/kmsg", name)  # the kernel's log: readers wait at its end


def link_to_itself(name):
    os.symlink(name, name)


ODD = [zero, directory, huge, listener, endless_pipe, link_to_itself]
# The words around the file, and its extension.
TAKERS = [
    (["compile"], [], ".cl"), (["compile"], [], ".ll"), (["compile"], [], ".spv"),
    (["opt", "--passes=packets"], [], ".ll"), (["exec"], ["f", "-a", "zeros:4"], ".cl"),
    (["exec", "k.cl", "f", "-a"], [], ".raw"), (["exec", "k.cl", "f", "-a"], [], ".npy"),
    (["exec", "k.cl", "f", "-a"], [], ".png"), (["info", "--icd"], [], ".icd"), (["info", "--icd"], [], ".so"),
    (["check", "--suppress"], ["true"], ".txt"), (["bench", "--list", "--samples"], [], ""),
]


def problem(before, name, after):
    """What is wrong with how the command ends, or nothing."""
    try:
        child = subprocess.run([command, *before, name, *after], stdin=subprocess.DEVNULL, capture_output=True,
                               timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return "does not end"
    text = child.stderr.decode(errors="replace")
    if child.returncode not in (1, 2):
        return f"ended with {child.returncode}\n{text[:400]}"
    return "" if name in text else f"does not name the file\n{text[:400]}"


def check(before, after, extension, kind, number):
    name = f"{kind.__name__}{number}{extension}"
    kind(name)
    wrong = problem(before, name, after)
    if wrong:
        print(f"clarity {' '.join([*before, name, *after])}: {wrong}")
    return bool(wrong)


before, after, extension = TAKERS[0]
silent = [silent_pipe] + ([silent_device] if os.access("/dev/kmsg", os.R_OK) else [])
# The command waits for content of these: meanwhile it gets the other files.
with concurrent.futures.ThreadPoolExecutor(len(silent)) as pool:
    waiting = [pool.submit(check, before, after, extension, kind, 0) for kind in silent]
    results = [check(before, after, extension, kind, number) for number, (before, after, extension) in enumerate(TAKERS)
               for kind in ODD if not (kind is directory and before[0] == "bench")]
    results += [each.result() for each in waiting]
print(f"{len(results)} files, {sum(results)} wrong")
sys.exit(any(results))

# SPDX-License-Identifier: Apache-2.0
"""Runs a program on clusters of 2 and 3 ranks on this machine: what it prints, that no rank is left behind however it
ends, and that it goes on when a node is killed.

    run.py CLARITY PROGRAM FOLDER-OF-THE-CUDA-STUB MPIRUN-OF-OPEN-MPI [MPIRUN-OF-MPICH]
"""
import os
import signal
import subprocess
import sys
import time

clarity, program, stub, mpirun = sys.argv[1:5]
mpich = sys.argv[5:]
wrong = []

# Ranks of one machine, more than it has processors, perhaps as root in a container; nothing of other networks.
LAUNCH = [mpirun, "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "--mca", "btl", "self,vader",
          "--mca", "pml", "ob1"]


def expect(condition, what):
    if not condition:
        wrong.append(what)
        print("WRONG:", what, flush=True)


def ranks_of(mark):
    """Processes that were started with this mark in their environment: rank -> process, without mpirun."""
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/environ", "rb") as file:
                variables = dict(each.split(b"=", 1) for each in file.read().split(b"\0") if b"=" in each)
        except OSError:
            continue
        rank = variables.get(b"OMPI_COMM_WORLD_RANK", variables.get(b"PMI_RANK"))
        if variables.get(b"CLARITY_TEST_JOB") == mark.encode() and rank is not None:
            found[int(rank)] = int(entry)
    return found


def start(name, ranks, words, options=(), launch=None, **variables):
    environment = dict(os.environ, CLARITY_TEST_JOB=f"{name}.{os.getpid()}", **variables)
    command = (launch or LAUNCH) + list(options) + ["-n", str(ranks), clarity] + words
    return environment["CLARITY_TEST_JOB"], subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def expect_nothing_left(name, mark):
    until = time.monotonic() + 20
    while ranks_of(mark) and time.monotonic() < until:
        time.sleep(0.1)
    left = ranks_of(mark)
    expect(not left, f"{name}: ranks {sorted(left)} are left behind")
    for process in left.values():
        os.kill(process, signal.SIGKILL)


def run(name, ranks, words, wanted, code, **others):
    mark, job = start(name, ranks, words, **others)
    try:
        output = job.communicate(timeout=60)[0]
    except subprocess.TimeoutExpired:
        job.kill()
        output = job.communicate()[0] + "\n(it did not end)"
    for text in wanted:
        expect(text in output, f"{name}: '{text}' is missing in\n{output}")
    expect(code is None and job.returncode != 0 or job.returncode == code, f"{name}: exit code {job.returncode}")
    expect_nothing_left(name, mark)
    return output


def lose():
    """Rank 1 is killed in the middle of 10,000 commands, under a launcher that leaves the others alone."""
    mark, job = start("lose", 3, ["run", "--cluster", program, "lose"], ["--enable-recovery"])
    output = ""
    for line in job.stdout:
        output += line
        if "ready" in line:
            break
    time.sleep(0.2)
    ranks = ranks_of(mark)
    expect(1 in ranks, f"lose: there is no rank 1 among {ranks}")
    if 1 in ranks:
        os.kill(ranks[1], signal.SIGKILL)
    try:
        output += job.communicate(timeout=60)[0]
    except subprocess.TimeoutExpired:
        job.kill()
        output += job.communicate()[0] + "\n(it did not end)"
    for text in ("CL_DEVICE_NOT_AVAILABLE", "(rank 1) is not available", "first: 0", "second: 10000"):
        expect(text in output, f"lose: '{text}' is missing in\n{output}")
    expect_nothing_left("lose", mark)


right = ["0 of 3145728 are wrong", "device 0 says so", "device 1 says so", ", rank 1",
         "stray", "v[1l << 44] = 1;"]
run("return", 3, ["run", "--cluster", program], right + ["device 2 says so", ", rank 2"], 0)
run("exit", 2, ["run", "--cluster", program, "exit"], right, 3)
run("abort", 2, ["run", "--cluster", program, "abort"], right, None)
run("signal", 2, ["run", "--cluster", program, "signal"], [", rank 1"], None)
run("info", 2, ["info", "--cluster"], ["launch and finish", ", rank 1"], 0)
# GPUs of both, whose memory the node cannot receive into.
run("gpu", 2, ["run", "--cluster", program], ["device 3 says so", "Stub GPU 0 on", "0 of 3145728 are wrong"], 0,
    LD_LIBRARY_PATH=stub)
if mpich:
    run("mpich", 2, ["run", "--cluster", program], right, 0, launch=mpich)
lose()
sys.exit(1 if wrong else 0)

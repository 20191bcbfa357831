# SPDX-License-Identifier: Apache-2.0
"""located.py CLARITY FILE...: checks that every access to the program's memory in native IR has a source location.

Compiles every kernel of the files, with and without a known work-group size in turn, or with CLARITY_TEST_ALL=1 in both
ways. Address space 0 is private memory and the driver's own; all others are the program's.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

ACCESS = re.compile(r"\b(load|store|atomicrmw|cmpxchg) .*[, ]ptr addrspace\([1-4]\) [%@]"
                    r"|\bcall .*@llvm\.(masked|memcpy|memmove|memset)\S*\(.*ptr addrspace\([1-4]\)")
# A pointer that is stored, or loaded, from memory of the driver's.
POINTER_ONLY = re.compile(r"\bload ptr addrspace\([1-4]\), ptr [%@]|\bstore ptr addrspace\([1-4]\) [%@]\S+, ptr [%@]")
KERNEL = re.compile(r"\bkernel\s+(?:__attribute__\(\([^\n]*?\)\)\)?\s*)?void\s+(\w+)|__kernel\s+void\s+(\w+)")


def accesses(job):
    command, file, kernel, local = job
    shape = ["--local", local] if local else []
    text = subprocess.run([command, "compile", file, "--emit", "native-ir", "--kernel", kernel, *shape, "--", "-g"],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    found = [line for line in text.splitlines() if ACCESS.search(line) and not POINTER_ONLY.search(line)]
    return len(found), [f"{file}, {kernel}, {local or 'any size'}: {line.strip()}"
                        for line in found if "!dbg" not in line]


def main():
    command, *files = sys.argv[1:]
    jobs = []
    for file in files:
        with open(file, encoding="utf-8") as source:
            kernels = dict.fromkeys(a or b for a, b in KERNEL.findall(source.read()))
        for kernel in kernels:
            ways = ("", "64") if os.environ.get("CLARITY_TEST_ALL") else (("", "64")[len(jobs) % 2],)
            jobs += [(command, file, kernel, local) for local in ways]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(accesses, jobs))
    total = sum(count for count, _ in results)
    missing = [line for _, lines in results for line in lines]
    print(*missing, sep="\n")
    print(f"{total - len(missing)} of {total} accesses of {len(jobs)} compiled kernels have a location")
    # LLVM's instcombine gives masked loads that it makes of a load and a select no location.
    return 1 if len(missing) > total // 100 or total < 10 * len(files) else 0


sys.exit(main())

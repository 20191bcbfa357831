#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# This file checks that every function of the builtin library compiles for the levels of x86-64 that differ most, and
# that what the code then refers to is known: a primitive that the compiler lowers, or a function that the driver
# or a device provides. A function that the back end cannot select would end the application, not only its build.
#
#   check_back_end.py --dis LLVM-DIS --llc LLC --nm LLVM-NM --symbols SYMBOL-LISTER --library library.bc
"""Compiles the builtin library for several processors and checks its undefined symbols."""

import argparse
import os
import subprocess
import sys
import tempfile

import lower_for_host

PROCESSORS = ["x86-64", "x86-64-v3", "x86-64-v4"]
PRIMITIVES = {"global_id", "local_id", "group_id", "global_size", "local_size", "enqueued_local_size", "num_groups",
              "global_offset", "work_dim", "barrier", "is_local", "is_private", "fence", "parent"}
# Functions of the CPU device (support/enqueue_hooks.h).
HOOKS = {"enqueue_kernel", "enqueue_marker", "default_queue", "create_event", "retain_event", "release_event",
         "is_event", "set_event", "profile_event", "block_fact"}
# Functions that LLVM calls for intrinsics that the pipeline lowers (lower-scaling).
LOWERED = {"ldexpf"}
# Families of primitives, one for each operation and type, or address space.
FAMILIES = ("__clarity_work_group_", "__clarity_sub_group_", "__clarity_ordered_", "__clarity_processor_")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for tool in ("dis", "llc", "nm", "symbols", "library"):
        parser.add_argument(f"--{tool}", required=True)
    arguments = parser.parse_args()

    listed = subprocess.run([arguments.symbols], check=True, capture_output=True, text=True)
    known = set(listed.stdout.split()) | LOWERED | {f"__clarity_{name}" for name in PRIMITIVES | HOOKS}
    text = subprocess.run([arguments.dis, "-o", "-", arguments.library], check=True, capture_output=True,
                          text=True).stdout
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        module = os.path.join(folder, "library.ll")
        with open(module, "w", encoding="utf-8") as file:
            file.write(lower_for_host.lower(text))
        for processor in PROCESSORS:
            code = os.path.join(folder, "library.o")
            result = subprocess.run([arguments.llc, "-O0", "-filetype=obj", f"-mcpu={processor}", "-o", code, module],
                                    capture_output=True, text=True, check=False)
            if result.returncode != 0:
                print(f"error: {processor}: llc fails:\n{result.stderr[:2000]}")
                failed = True
                continue
            symbols = subprocess.run([arguments.nm, "--undefined-only", "--format=just-symbols", code], check=True,
                                     capture_output=True, text=True).stdout.split()
            print(f"{processor}: refers to {len(symbols)} functions outside")
            for symbol in sorted(symbol for symbol in set(symbols) - known if not symbol.startswith(FAMILIES)):
                print(f"error: {processor}: nothing provides {symbol}")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

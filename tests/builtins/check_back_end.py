#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# This file checks that every function of the builtin library compiles for the levels of x86-64 that differ most, and
# that what the code then refers to is known: a primitive that the compiler lowers, or a function that the driver
# or a device provides. A function that the back end cannot select would end the application, not only its build.
#
# The library is compiled in parts, each for one of the processors; which, changes with the library. With
# CLARITY_TEST_ALL=1 each part is compiled for all of them.
#
#   check_back_end.py --dis LLVM-DIS --split LLVM-SPLIT --llc LLC --nm LLVM-NM --symbols SYMBOL-LISTER
#                     --library library.bc
"""Compiles the builtin library for several processors and checks its undefined symbols."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import zlib

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
    for tool in ("dis", "split", "llc", "nm", "symbols", "library"):
        parser.add_argument(f"--{tool}", required=True)
    arguments = parser.parse_args()

    listed = subprocess.run([arguments.symbols], check=True, capture_output=True, text=True)
    known = set(listed.stdout.split()) | LOWERED | {f"__clarity_{name}" for name in PRIMITIVES | HOOKS}
    text = subprocess.run([arguments.dis, "-o", "-", arguments.library], check=True, capture_output=True,
                          text=True).stdout
    text = lower_for_host.lower(text)
    first = zlib.crc32(text.encode())
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        module, code = pathlib.Path(folder) / "library.ll", pathlib.Path(folder) / "library.o"
        module.write_text(text, encoding="utf-8")
        parts = len(PROCESSORS)
        subprocess.run([arguments.split, "-j", str(parts), "-o", f"{folder}/part", module], check=True)
        symbols_of = [arguments.nm, "--format=just-symbols", code]
        outside, defined = {processor: set() for processor in PROCESSORS}, set()
        for part in range(parts):
            turn = PROCESSORS[(first + part) % parts]
            for processor in PROCESSORS if os.environ.get("CLARITY_TEST_ALL") else [turn]:
                result = subprocess.run([arguments.llc, "-O0", "-filetype=obj", f"-mcpu={processor}", "-o", code,
                                         f"{folder}/part{part}"], capture_output=True, text=True, check=False)
                if result.returncode != 0:
                    print(f"error: {processor}: llc fails:\n{result.stderr[:2000]}")
                    failed = True
                    continue
                symbols = [subprocess.run([*symbols_of, which], check=True, capture_output=True, text=True).stdout
                           for which in ("--undefined-only", "--defined-only")]
                outside[processor] |= set(symbols[0].split())
                defined |= set(symbols[1].split())
        for processor, symbols in outside.items():
            print(f"{processor}: refers to {len(symbols - defined)} functions outside")
            for symbol in sorted(symbol for symbol in symbols - defined - known if not symbol.startswith(FAMILIES)):
                print(f"error: {processor}: nothing provides {symbol}")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""large_sizes.py CLARITY KERNEL_FUZZ COUNT: checks what large random kernels become.

Compares the instructions that the code generator gets for a kernel in packets with those for its scalar build. The
budget (src/compiler/pipeline/budget.h) allows a multiple of the scalar build's machine instructions; this test allows
twice that, as it counts instructions of LLVM IR. Times depend on the machine; compile_cost measures them.
"""
import subprocess
import sys

MOST_TIMES, MOST_BESIDE = 12, 8000
FIRST_SEED = 1


def instructions(clarity, source, *options):
    text = subprocess.run([clarity, "compile", "-", "--kernel", "fuzz", "--local", "64", "--emit", "native-ir", "--",
                           "-cl-std=CL3.0", *options],
                          input=source, stdout=subprocess.PIPE, text=True, check=True).stdout
    return sum(line.startswith("  ") and line.strip() not in ("]", "") for line in text.splitlines())


def main():
    clarity, generator, count = sys.argv[1:]
    failed = False
    for seed in range(FIRST_SEED, FIRST_SEED + int(count)):
        source = subprocess.run([generator, "--shape", "large", "--seed", str(seed), "--print"],
                                stdout=subprocess.PIPE, text=True, check=True).stdout
        scalar = instructions(clarity, source, "-cl-clarity-packet-width=1")
        packets = instructions(clarity, source)
        wrong = scalar < 100 or packets > MOST_TIMES * scalar + MOST_BESIDE
        failed |= wrong
        print(f"seed {seed}: {source.count(chr(10))} lines, {scalar} instructions, in packets {packets}"
              f"{', which is too much' if wrong else ''}", flush=True)
    return failed


sys.exit(main())

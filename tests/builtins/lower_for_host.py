#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# This file rewrites a spir64 module so that the host's back end takes it, as the driver's compiler does with passes of
# its own: one address space, the C calling convention, the host's triple. It lets tests run the library's own bitcode
# with no driver.
#
#   lower_for_host.py --dis LLVM-DIS INPUT.bc > OUTPUT.ll
"""Rewrites spir64 LLVM IR for x86-64."""

import argparse
import re
import subprocess
import sys

REPLACEMENTS = [
    (r'^target triple = .*$', 'target triple = "x86_64-unknown-linux-gnu"'),
    (r'^target datalayout = .*$',
     'target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"'),
    (r' addrspace\(\d+\)', ''),
    (r'\baddrspacecast\b', 'bitcast'),
    (r'\bspir_func ', ''),
    (r'\bspir_kernel ', ''),
    (r'target\("spirv.Event"\)', 'ptr'),
    (r'target\("spirv.Image"[^)]*\)', 'ptr'),
    (r'target\("spirv.Sampler"\)', 'i64'),
    (r'\bfdiv arcp\b', 'fdiv'),  # rsqrt() where the processor has no good estimate (reciprocal-roots)
]


def lower(text):
    """The module's text for the host."""
    for pattern, replacement in REPLACEMENTS:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dis", required=True, help="llvm-dis")
    parser.add_argument("input")
    arguments = parser.parse_args()
    text = subprocess.run([arguments.dis, "-o", "-", arguments.input], check=True, capture_output=True,
                          text=True).stdout
    sys.stdout.write(lower(text))
    return 0


if __name__ == "__main__":
    sys.exit(main())

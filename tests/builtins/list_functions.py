#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# This file lists every function of the builtin library with its source.
#
#   list_functions.py LLVM-NM FOLDER-OF-BITCODE
"""Prints one line for each builtin: its mangled name and the stem of its source."""

import pathlib
import subprocess
import sys

nm, folder = sys.argv[1:]
for bitcode in sorted(pathlib.Path(folder).glob("*.bc")):
    if bitcode.stem != "library":
        output = subprocess.run([nm, "--defined-only", "--extern-only", "--format=just-symbols", bitcode], check=True,
                                capture_output=True, text=True).stdout
        print("\n".join(f"{symbol} {bitcode.stem}" for symbol in output.split()))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# This file lists every function that the chapters define, with its chapter.
#
#   list_functions.py LLVM-NM FOLDER-OF-CHAPTERS
"""Prints one line for each builtin: its mangled name and its chapter."""

import pathlib
import subprocess
import sys

nm, folder = sys.argv[1:]
for chapter in sorted(pathlib.Path(folder).glob("*.bc")):
    if chapter.stem != "library":
        output = subprocess.run([nm, "--defined-only", "--extern-only", "--format=just-symbols", chapter], check=True,
                                capture_output=True, text=True).stdout
        print("\n".join(f"{symbol} {chapter.stem}" for symbol in output.split()))

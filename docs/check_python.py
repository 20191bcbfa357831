#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the programs in Python of the documents, and compares what they print with what is written there.

  check_python.py CLARITY [PYTHON]

A program is a block of Python whose last line prints something, and has that as its comment. Exit code 1, and both
texts, if they differ; 77 if PYTHON, by default the system's, has no PyOpenCL.
"""
import os
import pathlib
import re
import subprocess
import sys

DOCUMENTS = pathlib.Path(__file__).resolve().parent
PROGRAM = re.compile(r"^```python\n((?:(?!```).*\n)*print\(.*\)  # (.*)\n)```$", re.MULTILINE)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    clarity, python = sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else "/usr/bin/python3"
    if subprocess.run([python, "-c", "import numpy, pyopencl"], stderr=subprocess.DEVNULL, check=False).returncode:
        print(f"{python} has no PyOpenCL")
        return 77
    environment = dict(os.environ, PYOPENCL_CTX="0", PYOPENCL_NO_CACHE="1")
    seen, wrong = 0, 0
    for path in sorted(DOCUMENTS.glob("*.md")):
        for program, said in PROGRAM.findall(path.read_text(encoding="utf-8")):
            seen += 1
            run = subprocess.run([clarity, "run", python, "-c", program], env=environment, text=True,
                                 capture_output=True, check=False)
            if run.stdout.strip() != said:
                wrong += 1
                print(f"{path.name}: a program is said to print\n{said}\nbut prints\n{run.stdout}{run.stderr}")
    print(f"{seen} programs, {wrong} wrong")
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that tests run every pass of passes.def by `clarity opt --passes`: check_tested.py ROOT."""
import pathlib
import re
import sys


def passes_in(table):
    """Names without their parameters; printers with them."""
    names = re.findall(r'CLARITY_(?:FUNCTION|MODULE)_PASS\("([^"]+)"', table)
    return {name if name.startswith("print<") else name.partition("<")[0] for name in names}


def passes_run_by(text):
    """The same of the lists in one test."""
    found = set()
    for given in re.findall(r"opt\b.*--passes=('[^']*'|\S+)", text.replace("\\\n", " ")):
        for name in re.split(r",(?![^<]*>)", given.strip("'")):
            found.add(name if name.startswith("print<") else name.partition("<")[0])
    return found


def main(root):
    tests = root / "tests/passes"
    run = set()
    for file in tests.rglob("*"):
        if file.suffix in {".ll", ".cl"}:
            run |= passes_run_by(file.read_text())
    names = passes_in((root / "src/compiler/pipeline/passes.def").read_text())
    for name in sorted(names - run):
        print(f"no test in tests/passes runs {name} by `clarity opt --passes`")
    print(f"{len(names)} passes, {len(names - run)} without a test")
    return 1 if names - run or not names else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))

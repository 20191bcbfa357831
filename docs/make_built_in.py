#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the lists of docs/built-in-kernels.md as `clarity info --built-in=markdown` prints them.

  make_built_in.py CLARITY            brings docs/built-in-kernels.md up to date
  make_built_in.py --check CLARITY    exit code 1 if it is not up to date
"""
import pathlib
import subprocess
import sys

BEGIN, END = "<!-- make_built_in.py -->\n", "<!-- make_built_in.py end -->\n"


def main():
    check = sys.argv[1:2] == ["--check"]
    arguments = sys.argv[2:] if check else sys.argv[1:]
    if len(arguments) != 1:
        sys.exit(__doc__)
    path = pathlib.Path(__file__).resolve().parent / "built-in-kernels.md"
    text = path.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    lists = subprocess.run([arguments[0], "info", "--built-in=markdown"], check=True, capture_output=True,
                           encoding="utf-8").stdout
    wanted = before + BEGIN + lists + "\n" + END + after
    if not check:
        path.write_text(wanted, encoding="utf-8")
    elif wanted != text:
        sys.exit("docs/built-in-kernels.md is not up to date: docs/make_built_in.py build/dev/bin/clarity")


if __name__ == "__main__":
    main()
